// Quaternions (w, x, y, z) in plain arrays.

/**
 * Blends two orientations the short way and normalises (nlerp; frames are close together).
 * @param {ArrayLike<number>} q
 * @param {number} a place of the first orientation in `q`
 * @param {number} b place of the second
 * @param {number} part 0 gives the first, 1 the second
 * @param {Float64Array} out
 * @param {number} at place in `out`
 */
export function blend(q, a, b, part, out, at) {
  const dot = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
  const to = dot < 0 ? -part : part;
  const from = 1 - part;
  const w = from * q[a] + to * q[b];
  const x = from * q[a + 1] + to * q[b + 1];
  const y = from * q[a + 2] + to * q[b + 2];
  const z = from * q[a + 3] + to * q[b + 3];
  const scale = 1 / (Math.sqrt(w * w + x * x + y * y + z * z) || 1);
  out[at] = w * scale;
  out[at + 1] = x * scale;
  out[at + 2] = y * scale;
  out[at + 3] = z * scale;
}

/**
 * The angular velocity that turns one orientation into another.
 * @param {ArrayLike<number>} q
 * @param {number} a place of the first orientation in `q`
 * @param {number} b place of the second
 * @param {number} seconds between them
 * @param {Float64Array} out 3 numbers, rad/s
 */
export function spinBetween(q, a, b, seconds, out) {
  // turn = second * conjugate(first)
  let w = q[b] * q[a] + q[b + 1] * q[a + 1] + q[b + 2] * q[a + 2] + q[b + 3] * q[a + 3];
  let x = q[b + 1] * q[a] - q[b] * q[a + 1] - q[b + 2] * q[a + 3] + q[b + 3] * q[a + 2];
  let y = q[b + 2] * q[a] - q[b] * q[a + 2] - q[b + 3] * q[a + 1] + q[b + 1] * q[a + 3];
  let z = q[b + 3] * q[a] - q[b] * q[a + 3] - q[b + 1] * q[a + 2] + q[b + 2] * q[a + 1];
  if (w < 0) [w, x, y, z] = [-w, -x, -y, -z];
  const sine = Math.hypot(x, y, z);
  const rate = sine > 1e-9 ? (2 * Math.atan2(sine, w)) / sine / seconds : 0;
  out[0] = x * rate;
  out[1] = y * rate;
  out[2] = z * rate;
}

/**
 * Turns a vector by a quaternion.
 * @param {ArrayLike<number>} q
 * @param {number} at place of the quaternion in `q`
 * @param {ArrayLike<number>} v 3 numbers
 * @param {boolean} back turn the other way round
 * @returns {[number, number, number]}
 */
export function turn(q, at, v, back = false) {
  const w = back ? -q[at] : q[at];
  const [x, y, z] = [q[at + 1], q[at + 2], q[at + 3]];
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx,
  ];
}

/**
 * The product of two quaternions: first `b`, then `a`.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 * @returns {[number, number, number, number]}
 */
export function product(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}
