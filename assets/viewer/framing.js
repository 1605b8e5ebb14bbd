// Where to look: what moves over the whole run, without the one ball that flies off.

import { farthest } from './pieces.js';
import { turn } from './rotation.js';

/** @typedef {[number, number, number]} Vector */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Rectangle parts of the picture, from its top left corner */

/** @type {Rectangle} */
const WHOLE = { left: 0, right: 1, top: 0, bottom: 1 };
/** How much of a free rectangle is filled, along each direction. */
const FILLED = 0.86;
/** Less than this part of the picture is no place to show anything. */
const LEAST = 0.2;

/** Radius of a ball around the centre of mass that holds a body; half-spaces, which have no end, do not count. */
export function radiusOf(body) {
  let radius = 0;
  for (const shape of body.shapes) {
    const away = Math.hypot(...shape.position);
    if (shape.shape === 'sphere') radius = Math.max(radius, away + shape.radius);
    if (shape.shape === 'cuboid') radius = Math.max(radius, away + Math.hypot(...shape.half_extents));
    if (shape.corners) radius = Math.max(radius, away + farthest(shape.corners));
    if (shape.shape === 'capsule') radius = Math.max(radius, away + shape.half_height + shape.radius);
    for (const [y, rim] of rims(shape)) radius = Math.max(radius, away + Math.hypot(y, rim));
  }
  return radius;
}

/** Heights and radii of the two discs that a cylinder or cone is the hull of; none of other shapes. */
function rims(shape) {
  if (shape.shape === 'cylinder') return [[-shape.half_height, shape.radius], [shape.half_height, shape.radius]];
  if (shape.shape === 'cone') return [[-0.5 * shape.half_height, shape.radius], [1.5 * shape.half_height, 0]];
  return [];
}

/**
 * How far a body reaches from its centre of mass along a direction.
 * @param {import('./film.js').Body} body
 * @param {Float64Array} pose
 * @param {ArrayLike<number>} direction of length 1
 */
function reach(body, pose, direction) {
  const inBody = turn(pose, 3, direction, true);
  return body.shapes.reduce((most, shape) => {
    const d = turn(shape.orientation, 0, inBody, true);
    const away = dot(shape.position, inBody);
    if (shape.shape === 'sphere') return Math.max(most, away + shape.radius);
    if (shape.shape === 'cuboid') return Math.max(most, away + dot(shape.half_extents, d.map(Math.abs)));
    if (shape.corners) return shape.corners.reduce((far, corner) => Math.max(far, away + dot(corner, d)), most);
    if (shape.shape === 'capsule') return Math.max(most, away + shape.radius + shape.half_height * Math.abs(d[1]));
    for (const [y, rim] of rims(shape)) most = Math.max(most, away + y * d[1] + rim * Math.hypot(d[0], d[2]));
    return most;
  }, -Infinity);
}

/**
 * Right, up and front of a scene. Up is against gravity, or y where there is none.
 * @param {number[]} gravity
 * @returns {{right: Vector, up: Vector, front: Vector}}
 */
export function directions(gravity) {
  const strength = Math.hypot(...gravity);
  const up = strength > 0 ? gravity.map((g) => -g / strength + 0) : [0, 1, 0];
  const guess = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
  const front = unit(cross(guess, up));
  return { right: cross(up, front), up, front };
}

/** What is worth framing, as balls along the paths of the bodies. */
export class Subject {
  /**
   * @param {import('./film.js').Film[]} films
   * @param {{right: Vector, up: Vector, front: Vector}} axes
   * @param {number[][]} needed centres and radii of balls that must be in the picture, whatever the rest
   */
  constructor(films, axes, needed = []) {
    this.axes = axes;
    const down = axes.up.map((value) => -value);
    const moving = sample(films, down, (body) => body.kind !== 'static');
    const still = sample(films, down, (body) => body.kind === 'static');
    const points = moving.length > 0 ? moving : still;
    /** @type {number[][]} x, y, z, radius, reach downwards */
    this.points = points.length > 0 ? withoutOutliers(points, axes) : [[0, 0, 0, 1, 0]];
    this.points.push(...needed.map((ball) => [...ball, ball[3]]));
    this.#measure();
    // A table belongs to the balls on it; a floor or a wall that goes on for ever does not.
    const beside = cornersOf(films, 'static').filter((corners) => corners.every((p) => gap(p, this.centre) < 2.5 * this.radius));
    this.points.push(...beside.flat());
    this.#measure();
    /** Height of the lowest point along up, of what moves and what stands beside it. */
    this.floor = [...this.points, ...still]
      .filter((p) => gap(p, this.centre) < 4 * this.radius)
      .reduce((low, p) => Math.min(low, dot(p, axes.up) - p[4]), Infinity);
    if (!Number.isFinite(this.floor)) this.floor = dot(this.centre, axes.up) - this.radius;
  }

  /** The box around the points, along the axes: its middle and its size. */
  #measure() {
    const { right, up, front } = this.axes;
    const [x, y, z] = [right, up, front].map((axis) => extent(this.points.map((p) => [dot(p, axis) - p[3], dot(p, axis) + p[3]])));
    const middle = [x, y, z].map(([from, to]) => (from + to) / 2);
    /** @type {Vector} */
    this.centre = [0, 1, 2].map((c) => middle[0] * right[c] + middle[1] * up[c] + middle[2] * front[c]);
    /** Half of the diagonal of the box. */
    this.radius = Math.max(Math.hypot(x[1] - x[0], y[1] - y[0], z[1] - z[0]) / 2, 1e-3);
  }

  /**
   * The target and the distance from which everything is in the picture, within the free part that lets the camera come nearest.
   * @param {Vector} direction from the target to the camera
   * @param {number} verticalView angle in radians
   * @param {number} aspect width to height
   * @param {Rectangle[]} free parts of the picture that nothing covers
   * @returns {{target: Vector, distance: number, lens: number[]}} lens: where in the picture the target shall be, from its top left corner
   */
  fit(direction, verticalView, aspect, free = [WHOLE]) {
    const { up, front } = this.axes;
    const back = unit(direction);
    const level = Math.abs(dot(back, up)) > 0.999 ? front.map((value) => -value) : up;
    const right = unit(cross(level, back));
    const above = cross(back, right);
    const tall = Math.tan(verticalView / 2) * FILLED;
    const views = free.map(({ left, right: end, top, bottom }) => {
      const x = this.#between(right, back, (end - left) * tall * aspect);
      const y = this.#between(above, back, (bottom - top) * tall);
      return { shift: [x.shift, y.shift], distance: Math.max(x.distance, y.distance, 1e-3), lens: [(left + end) / 2, (top + bottom) / 2] };
    });
    const { distance, shift, lens } = views.reduce((best, view) => (view.distance < best.distance ? view : best));
    return { target: this.centre.map((value, c) => value + shift[0] * right[c] + shift[1] * above[c]), distance, lens };
  }

  /**
   * Between two opposite sides of the view: from where all the balls are inside, and where the camera then stands along the axis.
   * A ball at (x, z) is inside a side of slope s when x + z s + r sqrt(1 + s^2) <= distance s + shift, and likewise with -x and
   * -shift on the other side; so their sum gives the distance.
   * @param {Vector} axis along which the two lie apart
   * @param {Vector} back from the target to the camera
   * @param {number} slope
   */
  #between(axis, back, slope) {
    const round = Math.hypot(1, slope);
    let [plus, minus] = [-Infinity, -Infinity];
    for (const p of this.points) {
      const away = [p[0] - this.centre[0], p[1] - this.centre[1], p[2] - this.centre[2]];
      const [side, depth] = [dot(away, axis), slope * dot(away, back) + p[3] * round];
      plus = Math.max(plus, side + depth);
      minus = Math.max(minus, -side + depth);
    }
    return { distance: (plus + minus) / (2 * slope), shift: (plus - minus) / 2 };
  }
}

/**
 * The largest rectangles of the picture that no card covers; the whole where the cards leave next to nothing.
 * @param {Rectangle[]} cards
 * @returns {Rectangle[]} none within another
 */
export function freeRectangles(cards) {
  const edges = (low, high) => [...new Set([0, 1, ...cards.flatMap((card) => [card[low], card[high]])])].filter((at) => at >= 0 && at <= 1).sort((x, y) => x - y);
  const [across, down] = [edges('left', 'right'), edges('top', 'bottom')];
  const found = [];
  for (const left of across) for (const right of across) for (const top of down) for (const bottom of down) {
    if (right - left < LEAST || bottom - top < LEAST) continue;
    if (cards.every((card) => card.right <= left || card.left >= right || card.bottom <= top || card.top >= bottom)) found.push({ left, right, top, bottom });
  }
  const holds = (a, b) => a !== b && a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
  const largest = found.filter((one) => !found.some((other) => holds(other, one)));
  return largest.length > 0 ? largest : [WHOLE];
}

/** Up to some thousand points on the paths of the bodies that are wanted; the last two numbers: of which path, and whether it begins there. */
function sample(films, down, wanted) {
  const points = [];
  const pose = new Float64Array(7);
  for (const film of films) {
    const chosen = film.bodies.map((_, index) => index).filter((index) => wanted(film.bodies[index]) && radiusOf(film.bodies[index]) > 0);
    const moments = Math.max(2, Math.min(24, Math.floor(12000 / Math.max(chosen.length, 1)), film.frames));
    for (const index of chosen) {
      const radius = radiusOf(film.bodies[index]);
      const { start, frames } = film.bodies[index];
      const path = Symbol(film.bodies[index].name);
      for (let m = 0; m < moments; m++) {
        const frame = start + Math.round((m / (moments - 1)) * Math.max(frames - 1, 0));
        if (film.pose(index, frame, pose)) points.push([pose[0], pose[1], pose[2], radius, reach(film.bodies[index], pose, down), path, m === 0]);
      }
    }
  }
  return points;
}

/** The corners of every cuboid of one kind of body, as points without a radius. */
function cornersOf(films, kind) {
  const pose = new Float64Array(7);
  const signs = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
  return films.flatMap((film) => film.bodies.flatMap((body, index) => {
    if (body.kind !== kind || !film.pose(index, body.start, pose)) return [];
    return body.shapes.filter(({ shape }) => shape === 'cuboid').map(({ half_extents: half, position, orientation }) => signs.map((sign) => {
      const local = turn(orientation, 0, half.map((size, c) => size * sign[c])).map((value, c) => value + position[c]);
      return [...turn(pose, 3, local).map((value, c) => value + pose[c]), 0, 0];
    }));
  }));
}

function gap(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/**
 * Without the far ends of the paths that lead away: of a body that ends three times the middle range beside it, along one of the
 * directions, only the beginning and what lies within three quarters of the range count.
 */
function withoutOutliers(points, axes) {
  const size = Math.max(...points.slice(0, 200).map((p) => p[3]));
  const ranges = [axes.right, axes.up, axes.front].map((axis) => {
    const values = Float64Array.from(points, (p) => dot(p, axis)).sort();
    return { axis, low: values[Math.floor(values.length * 0.1)], high: values[Math.min(Math.floor(values.length * 0.9), values.length - 1)] };
  });
  const isWithin = (p, times) => ranges.every(({ axis, low, high }) => {
    const slack = times * (high - low) + 2 * size;
    return dot(p, axis) >= low - slack && dot(p, axis) <= high + slack;
  });
  const last = new Map(points.map((p) => [p[5], p]));
  const leaves = new Set([...last].filter(([, p]) => !isWithin(p, 3)).map(([path]) => path));
  const kept = points.filter((p) => p[6] || !leaves.has(p[5]) || isWithin(p, 0.75));
  return kept.length > 0 ? kept : points;
}

function extent(ranges) {
  let from = Infinity;
  let to = -Infinity;
  for (const [low, high] of ranges) {
    from = Math.min(from, low);
    to = Math.max(to, high);
  }
  return [from, to];
}

/** @returns {number} */
export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** @returns {Vector} */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** @returns {Vector} */
export function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((value) => value / length);
}
