// Which body a ray meets: exact tests against the shapes, so nothing depends on how finely they are drawn.
import { turn } from './rotation.js';

const NEAREST = 1e-6;

/**
 * @param {import('./film.js').Film} film
 * @param {number} frame
 * @param {number[]} from where the ray starts, in metres
 * @param {number[]} along its direction, of length 1
 * @returns {{index: number, distance: number}} index -1 where the ray meets nothing
 */
export function firstBody(film, frame, from, along) {
  const pose = new Float64Array(7);
  let found = { index: -1, distance: Infinity };
  film.bodies.forEach((body, index) => {
    if (!film.pose(index, frame, pose)) return;
    const start = turn(pose, 3, [from[0] - pose[0], from[1] - pose[1], from[2] - pose[2]], true);
    const way = turn(pose, 3, along, true);
    for (const shape of body.shapes) {
      if (shape.sensor) continue; // one sees through it
      const away = [0, 1, 2].map((c) => start[c] - shape.position[c]);
      const distance = hit(shape, turn(shape.orientation, 0, away, true), turn(shape.orientation, 0, way, true));
      if (distance < found.distance) found = { index, distance };
    }
  });
  return found;
}

/** Distance along the ray to a shape in its own frame; Infinity where it misses. Half-spaces are let through: a click beside the bodies is no click on the floor. */
function hit(shape, from, along) {
  if (shape.shape === 'sphere') return ball(from, along, shape.radius);
  if (shape.shape === 'cuboid') return box(from, along, shape.half_extents);
  if (shape.shape === 'capsule') return capsule(from, along, shape.radius, shape.half_height);
  if (shape.shape === 'cylinder') return turned(from, along, [-shape.half_height, shape.half_height], [shape.radius, shape.radius]);
  if (shape.shape === 'cone') return turned(from, along, [-0.5 * shape.half_height, 1.5 * shape.half_height], [shape.radius, 0]);
  if (shape.shape === 'hull') return hull(from, along, shape.corners, shape.faces);
  return Infinity;
}

function ball(from, along, radius) {
  const b = from[0] * along[0] + from[1] * along[1] + from[2] * along[2];
  const c = from[0] ** 2 + from[1] ** 2 + from[2] ** 2 - radius ** 2;
  const root = b * b - c;
  if (root < 0) return Infinity;
  const near = -b - Math.sqrt(root);
  return near > NEAREST ? near : Infinity;
}

function box(from, along, half) {
  let near = -Infinity;
  let far = Infinity;
  for (let c = 0; c < 3; c++) {
    const one = (-half[c] - from[c]) / along[c];
    const two = (half[c] - from[c]) / along[c];
    // A ray along a face gives 0 / 0; such a side neither hits nor misses.
    if (Number.isNaN(one) || Number.isNaN(two)) continue;
    near = Math.max(near, Math.min(one, two));
    far = Math.min(far, Math.max(one, two));
  }
  return near <= far && near > NEAREST ? near : Infinity;
}

/** What a ray has within all the planes of a hull's faces. */
function hull(from, along, corners, faces) {
  let near = -Infinity;
  let far = Infinity;
  for (const [a, b, c] of faces) {
    const [u, v] = [b, c].map((corner) => [0, 1, 2].map((k) => corners[corner][k] - corners[a][k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const height = [0, 1, 2].reduce((sum, k) => sum + normal[k] * (from[k] - corners[a][k]), 0);
    const rise = [0, 1, 2].reduce((sum, k) => sum + normal[k] * along[k], 0);
    if (rise < 0) near = Math.max(near, -height / rise);
    else if (rise > 0) far = Math.min(far, -height / rise);
    else if (height > 0) return Infinity;
  }
  return near <= far && near > NEAREST ? near : Infinity;
}

/** Between two heights along y, where the radius goes evenly from the one to the other: flat ends, and the side. */
function turned(from, along, [low, high], [wide, narrow]) {
  let nearest = Infinity;
  const at = (distance) => [0, 1, 2].map((c) => from[c] + distance * along[c]);
  for (const [y, radius] of [[low, wide], [high, narrow]]) {
    const distance = (y - from[1]) / along[1];
    if (!(distance > NEAREST && distance < nearest)) continue;
    const [x, , z] = at(distance);
    if (Math.hypot(x, z) <= radius) nearest = distance;
  }
  // On the side x² + z² = (wide + slope (y - low))².
  const slope = (narrow - wide) / (high - low);
  const radius = wide + slope * (from[1] - low);
  const a = along[0] ** 2 + along[2] ** 2 - (slope * along[1]) ** 2;
  const b = from[0] * along[0] + from[2] * along[2] - radius * slope * along[1];
  const c = from[0] ** 2 + from[2] ** 2 - radius ** 2;
  const root = b * b - a * c;
  if (root < 0) return nearest;
  // A ray along a line of the side, where a is zero, meets it once.
  const sides = a === 0 ? [-c / (2 * b)] : [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
  for (const distance of sides) {
    const y = from[1] + distance * along[1];
    if (distance > NEAREST && y >= low && y <= high) nearest = Math.min(nearest, distance);
  }
  return nearest;
}

function capsule(from, along, radius, half) {
  let nearest = Infinity;
  for (const y of [-half, half]) nearest = Math.min(nearest, ball([from[0], from[1] - y, from[2]], along, radius));
  const a = along[0] ** 2 + along[2] ** 2;
  const b = from[0] * along[0] + from[2] * along[2];
  const root = b * b - a * (from[0] ** 2 + from[2] ** 2 - radius ** 2);
  if (a > 0 && root >= 0) {
    const side = (-b - Math.sqrt(root)) / a;
    if (side > NEAREST && Math.abs(from[1] + side * along[1]) <= half) nearest = Math.min(nearest, side);
  }
  return nearest;
}
