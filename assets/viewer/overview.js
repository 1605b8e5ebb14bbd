// From which side a run is seen best: the first of four corners from which no wall stands before what moves.
import { radiusOf, unit } from './framing.js';
import { firstBody } from './ray.js';

/** The four corners, as parts of right, up and front; the first is the usual one. */
export const CORNERS = [[0.62, 0.55, 1], [-0.62, 0.55, 1], [0.62, 0.55, -1], [-0.62, 0.55, -1]];
/** So many frames and bodies are tried. */
const TRIED = { frames: 6, bodies: 40 };
/** A corner must hide less than the usual one by this part of what is tried, or the usual one stays. */
const MUCH = 0.1;

/**
 * @param {import('./film.js').Film} film
 * @param {import('./framing.js').Subject} subject
 * @param {number} verticalView angle in radians
 * @param {number} aspect width to height
 * @param {import('./framing.js').Rectangle[]} free parts of the picture
 * @returns {number[]} parts of right, up and front
 */
export function clearestCorner(film, subject, verticalView, aspect, free) {
  const walls = standing(film);
  const points = walls.bodies.length > 0 ? pointsOf(film) : [];
  if (points.length === 0) return CORNERS[0];
  const hidden = CORNERS.map((parts) => {
    const { right, up, front } = subject.axes;
    const away = unit([0, 1, 2].map((c) => parts[0] * right[c] + parts[1] * up[c] + parts[2] * front[c]));
    const { target, distance } = subject.fit(away, verticalView, aspect, free);
    const eye = target.map((value, c) => value + away[c] * distance);
    return points.filter((point) => isBehind(walls, eye, point)).length / points.length;
  });
  const best = hidden.indexOf(Math.min(...hidden));
  return hidden[0] - hidden[best] > MUCH ? CORNERS[best] : CORNERS[0];
}

/** The static bodies that can hide something, as a film of their own. */
function standing(film) {
  const places = film.bodies.map((_, index) => index).filter((index) => film.bodies[index].kind === 'static' && radiusOf(film.bodies[index]) > 0);
  return { bodies: places.map((index) => film.bodies[index]), pose: (index, frame, out) => film.pose(places[index], frame, out) };
}

/** Centres of bodies that move, in some frames. */
function pointsOf(film) {
  const moving = film.bodies.map((_, index) => index).filter((index) => film.bodies[index].kind !== 'static' && radiusOf(film.bodies[index]) > 0);
  const stride = Math.max(1, Math.ceil(moving.length / TRIED.bodies));
  const pose = new Float64Array(7);
  const points = [];
  for (let k = 0; k < TRIED.frames; k++) {
    const frame = Math.round((k / (TRIED.frames - 1)) * Math.max(film.frames - 1, 0));
    for (let m = 0; m < moving.length; m += stride) {
      if (film.pose(moving[m], frame, pose)) points.push({ frame, place: [pose[0], pose[1], pose[2]] });
    }
  }
  return points;
}

function isBehind(walls, eye, { frame, place }) {
  const way = place.map((value, c) => value - eye[c]);
  return firstBody(walls, frame, eye, unit(way)).distance < Math.hypot(...way);
}
