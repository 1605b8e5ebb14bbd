//! Vectors that lie anywhere, brought into lanes and put back: in registers, as what is written number by number and read at once has to
//! wait for memory.
//!
//! Numbers of 64 bits are moved as f64 here, whatever they are: no bit changes on the way.

use std::arch::x86_64::{
    __m128d, __m256, __m256d, __m512d, _mm_maskload_ps, _mm_setr_epi32, _mm_storeh_pd, _mm_storel_pd, _mm_storeu_pd,
    _mm256_castpd_ps, _mm256_castpd256_pd128, _mm256_castps_pd, _mm256_castps128_ps256, _mm256_extractf128_pd,
    _mm256_insertf128_ps, _mm256_maskload_pd, _mm256_permute2f128_pd, _mm256_setr_epi64x, _mm256_unpackhi_pd,
    _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpacklo_ps, _mm512_castpd256_pd512, _mm512_extractf64x2_pd,
    _mm512_insertf64x4, _mm512_permutex2var_pd, _mm512_setr_epi64, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

use crate::math::vec3::Vec3;

/// The address of a vector's three numbers, one behind the other.
#[inline(always)]
fn numbers<T, F>(vectors: &[Vec3<T>], index: u32) -> *const F {
    const { assert!(size_of::<Vec3<T>>() == 3 * size_of::<F>()) };
    std::ptr::from_ref(&vectors[index as usize]).cast()
}

/// The same to be written to.
#[inline(always)]
fn numbers_mut<T, F>(vectors: &mut [Vec3<T>], index: u32) -> *mut F {
    const { assert!(size_of::<Vec3<T>>() == 3 * size_of::<F>()) };
    std::ptr::from_mut(&mut vectors[index as usize]).cast()
}

/// A vector of three numbers of 64 bits, and zero.
#[inline(always)]
fn load_one<T>(from: &[Vec3<T>], index: u32) -> __m256d {
    // SAFETY: see the module of x86-64, so everywhere below; and the three numbers that are read are those of one vector.
    unsafe { _mm256_maskload_pd(numbers(from, index), _mm256_setr_epi64x(-1, -1, -1, 0)) }
}

/// Writes a vector of three numbers of 64 bits, of which the last is the lower or the upper one of its register.
#[inline(always)]
fn store_one<T>(to: &mut [Vec3<T>], index: u32, xy: __m128d, (z, is_lower): (__m128d, bool)) {
    let numbers: *mut f64 = numbers_mut(to, index);
    unsafe {
        _mm_storeu_pd(numbers, xy);
        if is_lower {
            _mm_storel_pd(numbers.add(2), z);
        } else {
            _mm_storeh_pd(numbers.add(2), z);
        }
    }
}

/// Two vectors of three numbers of 64 bits.
#[inline(always)]
fn load_two<T>(from: &[Vec3<T>], [low, high]: [u32; 2]) -> __m512d {
    unsafe { _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(load_one(from, low)), load_one(from, high)) }
}

/// Eight vectors of numbers of 64 bits, with AVX-512.
#[inline(always)]
pub(super) fn gather_8<T>(from: &[Vec3<T>], indices: &[u32]) -> [__m512d; 3] {
    let &[i0, i1, i2, i3, i4, i5, i6, i7] = indices else { unreachable!("eight indices") };
    let (v0, v1) = (load_two(from, [i0, i4]), load_two(from, [i1, i5]));
    let (v2, v3) = (load_two(from, [i2, i6]), load_two(from, [i3, i7]));
    unsafe {
        let (xz_01, xz_23) = (_mm512_unpacklo_pd(v0, v1), _mm512_unpacklo_pd(v2, v3));
        let (y_01, y_23) = (_mm512_unpackhi_pd(v0, v1), _mm512_unpackhi_pd(v2, v3));
        let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            _mm512_permutex2var_pd(xz_01, first, xz_23),
            _mm512_permutex2var_pd(y_01, first, y_23),
            _mm512_permutex2var_pd(xz_01, second, xz_23),
        ]
    }
}

/// Puts eight vectors of numbers of 64 bits where `which` says so, with AVX-512.
#[inline(always)]
pub(super) fn scatter_8<T>([x, y, z]: [__m512d; 3], to: &mut [Vec3<T>], indices: &[u32], which: u8) {
    unsafe {
        let (even, odd) = (_mm512_unpacklo_pd(x, y), _mm512_unpackhi_pd(x, y));
        let xy = [
            _mm512_extractf64x2_pd::<0>(even),
            _mm512_extractf64x2_pd::<0>(odd),
            _mm512_extractf64x2_pd::<1>(even),
            _mm512_extractf64x2_pd::<1>(odd),
            _mm512_extractf64x2_pd::<2>(even),
            _mm512_extractf64x2_pd::<2>(odd),
            _mm512_extractf64x2_pd::<3>(even),
            _mm512_extractf64x2_pd::<3>(odd),
        ];
        let z = [
            _mm512_extractf64x2_pd::<0>(z),
            _mm512_extractf64x2_pd::<1>(z),
            _mm512_extractf64x2_pd::<2>(z),
            _mm512_extractf64x2_pd::<3>(z),
        ];
        for lane in 0..8 {
            if which >> lane & 1 != 0 {
                store_one(to, indices[lane], xy[lane], (z[lane / 2], lane % 2 == 0));
            }
        }
    }
}

/// Four vectors of numbers of 64 bits, with AVX2.
#[inline(always)]
pub(super) fn gather_4<T>(from: &[Vec3<T>], indices: &[u32]) -> [__m256d; 3] {
    let &[i0, i1, i2, i3] = indices else { unreachable!("four indices") };
    let [v0, v1, v2, v3] = [load_one(from, i0), load_one(from, i1), load_one(from, i2), load_one(from, i3)];
    unsafe {
        let (xz_01, xz_23) = (_mm256_unpacklo_pd(v0, v1), _mm256_unpacklo_pd(v2, v3));
        let (y_01, y_23) = (_mm256_unpackhi_pd(v0, v1), _mm256_unpackhi_pd(v2, v3));
        [
            _mm256_permute2f128_pd::<0x20>(xz_01, xz_23),
            _mm256_permute2f128_pd::<0x20>(y_01, y_23),
            _mm256_permute2f128_pd::<0x31>(xz_01, xz_23),
        ]
    }
}

/// Puts four vectors of numbers of 64 bits where `which` says so, with AVX2.
#[inline(always)]
pub(super) fn scatter_4<T>([x, y, z]: [__m256d; 3], to: &mut [Vec3<T>], indices: &[u32], which: u8) {
    unsafe {
        let (even, odd) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
        let xy = [
            _mm256_castpd256_pd128(even),
            _mm256_castpd256_pd128(odd),
            _mm256_extractf128_pd::<1>(even),
            _mm256_extractf128_pd::<1>(odd),
        ];
        let z = [_mm256_castpd256_pd128(z), _mm256_extractf128_pd::<1>(z)];
        for lane in 0..4 {
            if which >> lane & 1 != 0 {
                store_one(to, indices[lane], xy[lane], (z[lane / 2], lane % 2 == 0));
            }
        }
    }
}

/// Two vectors of f32, each with a zero behind it.
#[inline(always)]
fn load_two_short(from: &[Vec3<f32>], [low, high]: [u32; 2]) -> __m256 {
    unsafe {
        let three = _mm_setr_epi32(-1, -1, -1, 0);
        let (low, high) = (_mm_maskload_ps(numbers(from, low), three), _mm_maskload_ps(numbers(from, high), three));
        _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high)
    }
}

/// Eight vectors of f32, with AVX2.
#[inline(always)]
pub(super) fn gather_8_short(from: &[Vec3<f32>], indices: &[u32]) -> [__m256; 3] {
    let &[i0, i1, i2, i3, i4, i5, i6, i7] = indices else { unreachable!("eight indices") };
    let (v0, v1) = (load_two_short(from, [i0, i4]), load_two_short(from, [i1, i5]));
    let (v2, v3) = (load_two_short(from, [i2, i6]), load_two_short(from, [i3, i7]));
    unsafe {
        let xy_01 = _mm256_castps_pd(_mm256_unpacklo_ps(v0, v1));
        let xy_23 = _mm256_castps_pd(_mm256_unpacklo_ps(v2, v3));
        let z_01 = _mm256_castps_pd(_mm256_unpackhi_ps(v0, v1));
        let z_23 = _mm256_castps_pd(_mm256_unpackhi_ps(v2, v3));
        [
            _mm256_castpd_ps(_mm256_unpacklo_pd(xy_01, xy_23)),
            _mm256_castpd_ps(_mm256_unpackhi_pd(xy_01, xy_23)),
            _mm256_castpd_ps(_mm256_unpacklo_pd(z_01, z_23)),
        ]
    }
}
