//! The poses of moving bodies, which come state by state and have to stand body by body.
//!
//! A window of states waits in memory; each time it is full, the part of each body goes to its place in a scratch file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use crate::math::{Pose, Scalar};

/// What all windows together may take in memory, in bytes.
const WINDOW_BYTES: u64 = 32 << 20;
/// Bytes of a position and of an orientation.
pub(super) const POSITION_BYTES: u64 = 12;
pub(super) const ORIENTATION_BYTES: u64 = 16;
/// Bytes of a pose.
pub(super) const POSE_BYTES: u64 = POSITION_BYTES + ORIENTATION_BYTES;

/// A pose as it is written: x, y, z and the quaternion x, y, z, w.
type Row = [f32; 7];

/// The poses so far.
pub(super) struct Tracks {
    file: File,
    /// States that there can be.
    capacity: u64,
    /// States that wait in memory at most.
    window: usize,
    /// States written to the file.
    written: u64,
    /// States that wait.
    waiting: usize,
    tracks: Vec<Track>,
}

struct Track {
    /// The first state that the body is in; before it, the body waits where it will appear.
    first: u64,
    first_row: Row,
    /// The last pose that is known; after its end a body stays there.
    row: Row,
    rows: Vec<Row>,
}

impl Tracks {
    /// Room for so many bodies and states.
    pub(super) fn new(file: File, bodies: u64, capacity: u64) -> Self {
        let window = (WINDOW_BYTES / POSE_BYTES / bodies.max(1)).clamp(1, capacity.max(1));
        let window = usize::try_from(window).unwrap_or(usize::MAX);
        Self { file, capacity, window, written: 0, waiting: 0, tracks: Vec::new() }
    }

    /// How many bodies there are.
    pub(super) fn len(&self) -> usize {
        self.tracks.len()
    }

    /// A body that appears in the state that is next.
    pub(super) fn add(&mut self, pose: Pose<f64>) -> usize {
        let row = row_of(pose);
        let first = self.written + self.waiting as u64;
        self.tracks.push(Track { first, first_row: row, row, rows: vec![row; self.waiting] });
        self.tracks.len() - 1
    }

    /// Where a body is in the state that is next.
    pub(super) fn set(&mut self, track: usize, pose: Pose<f64>) {
        if let Some(track) = self.tracks.get_mut(track) {
            track.row = beside(row_of(pose), track.row);
        }
    }

    /// Ends a state.
    pub(super) fn end_state(&mut self) -> std::io::Result<()> {
        for track in &mut self.tracks {
            track.rows.push(track.row);
        }
        self.waiting += 1;
        if self.waiting >= self.window { self.write_window() } else { Ok(()) }
    }

    fn write_window(&mut self) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        for (place, track) in (0..).zip(&mut self.tracks) {
            let start = place * self.capacity * POSE_BYTES;
            bytes.clear();
            bytes.extend(track.rows.iter().flat_map(|row| row[..3].iter().flat_map(|part| part.to_le_bytes())));
            write_at(&mut self.file, start + self.written * POSITION_BYTES, &bytes)?;
            bytes.clear();
            bytes.extend(track.rows.iter().flat_map(|row| row[3..].iter().flat_map(|part| part.to_le_bytes())));
            let orientations = start + self.capacity * POSITION_BYTES;
            write_at(&mut self.file, orientations + self.written * ORIENTATION_BYTES, &bytes)?;
            track.rows.clear();
        }
        self.written += self.waiting as u64;
        self.waiting = 0;
        Ok(())
    }

    /// Writes all tracks one after another: positions, then orientations.
    pub(super) fn copy_to(mut self, sink: &mut impl Write) -> std::io::Result<()> {
        self.write_window()?;
        let Self { mut file, capacity, written, tracks, .. } = self;
        for (place, track) in (0..).zip(&tracks) {
            let start = place * capacity * POSE_BYTES;
            copy(&mut file, start, written, track.first, &track.first_row[..3], sink)?;
            let start = start + capacity * POSITION_BYTES;
            copy(&mut file, start, written, track.first, &track.first_row[3..], sink)?;
        }
        Ok(())
    }
}

/// Copies the numbers of so many states from the file; those before `first` are not there, and are what the first is.
fn copy(
    file: &mut File,
    start: u64,
    states: u64,
    first: u64,
    first_numbers: &[f32],
    sink: &mut impl Write,
) -> std::io::Result<()> {
    let stand_in: Vec<u8> = first_numbers.iter().flat_map(|part| part.to_le_bytes()).collect();
    for _ in 0..first.min(states) {
        sink.write_all(&stand_in)?;
    }
    let width = stand_in.len() as u64;
    file.seek(SeekFrom::Start(start + first * width))?;
    let mut rest = states.saturating_sub(first) * width;
    let mut chunk = vec![0; 1 << 16];
    while rest > 0 {
        let count = usize::try_from(rest).unwrap_or(usize::MAX).min(chunk.len());
        file.read_exact(&mut chunk[..count])?;
        sink.write_all(&chunk[..count])?;
        rest -= count as u64;
    }
    Ok(())
}

fn write_at(file: &mut File, place: u64, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    file.write_all(bytes)
}

/// A number as `f32`; what is beyond its range is its largest.
pub(super) fn narrow(number: f64) -> f32 {
    Scalar::clamp(number, f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

fn row_of(pose: Pose<f64>) -> Row {
    let [px, py, pz] = pose.position.to_array().map(narrow);
    let [w, x, y, z] = pose.orientation.normalise().to_array().map(narrow);
    [px, py, pz, x, y, z, w]
}

/// The same pose, with that one of its two quaternions that is nearer to the last, so that a player turns the short way.
fn beside(mut row: Row, last: Row) -> Row {
    let cosine: f32 = row[3..].iter().zip(&last[3..]).map(|(a, b)| a * b).sum();
    if cosine < 0.0 {
        for part in &mut row[3..] {
            *part = -*part;
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::Tracks;
    use crate::math::{Pose, Quat, Vec3};

    fn pose(number: f64) -> Pose<f64> {
        Pose::new(Vec3::splat(number), Quat::IDENTITY)
    }

    /// The x of each body in each state, as they come out.
    fn written(mut tracks: Tracks, window: usize) -> Vec<Vec<f32>> {
        tracks.window = window;
        let first = tracks.add(pose(0.0));
        let mut second = None;
        for state in 0..7 {
            tracks.set(first, pose(f64::from(state)));
            match second {
                None if state == 3 => second = Some(tracks.add(pose(10.0))),
                Some(second) if state < 6 => tracks.set(second, pose(10.0 + f64::from(state))),
                _ => {}
            }
            tracks.end_state().expect("a file");
        }
        let (bodies, mut bytes) = (tracks.len(), Vec::new());
        tracks.copy_to(&mut bytes).expect("a file");
        let numbers: Vec<f32> =
            bytes.chunks(4).map(|part| f32::from_le_bytes(part.try_into().expect("four bytes"))).collect();
        assert_eq!(numbers.len(), bodies * 7 * 7);
        numbers.chunks(49).map(|body| body[..21].iter().step_by(3).copied().collect()).collect()
    }

    #[test]
    fn a_player_turns_the_short_way() {
        let mut tracks = Tracks::new(tempfile::tempfile().expect("a file"), 1, 3);
        let turned = |sign: f64| Pose::new(Vec3::ZERO, Quat::new(0.8 * sign, 0.6 * sign, 0.0, 0.0));
        let track = tracks.add(turned(1.0));
        for sign in [1.0, -1.0, 1.0] {
            tracks.set(track, turned(sign));
            tracks.end_state().expect("a file");
        }
        let mut bytes = Vec::new();
        tracks.copy_to(&mut bytes).expect("a file");
        let numbers: Vec<f32> =
            bytes.chunks(4).map(|part| f32::from_le_bytes(part.try_into().expect("four bytes"))).collect();
        let turns: Vec<&[f32]> = numbers[3 * 3..].chunks(4).collect();
        assert_eq!(turns, [[0.6, 0.0, 0.0, 0.8]; 3], "one orientation, whichever of its two quaternions comes");
    }

    #[test]
    fn poses_stand_body_by_body_whatever_the_window() {
        let expected = [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [10.0, 10.0, 10.0, 10.0, 14.0, 15.0, 15.0]];
        for window in [1, 2, 3, 4, 7, 100] {
            let tracks = Tracks::new(tempfile::tempfile().expect("a file"), 2, 9);
            assert_eq!(written(tracks, window), expected, "window {window}");
        }
    }
}
