// The curves under the time bar, as data.
import { OKABE_ITO, SECOND_COLOUR } from './palette.js';

/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {string} colour
 * @property {boolean} second whether it is of the second of two runs (drawn dashed)
 * @property {boolean} [hidden] until asked for
 * @property {ArrayLike<number>} steps
 * @property {ArrayLike<number>} values
 *
 * @typedef {object} Graph
 * @property {string} id
 * @property {string} title
 * @property {string} [about] what it is good for
 * @property {string} unit
 * @property {boolean} logarithmic
 * @property {Curve[]} curves
 */

const ENERGY = [['total', '#009e73'], ['kinetic', '#e69f00'], ['potential', '#56b4e9']];

/**
 * The graphs that the runs have data for.
 * @param {import('./pairs.js').Cast} cast
 * @returns {Graph[]}
 */
export function graphs(cast) {
  const films = [cast.a, cast.b].filter(Boolean);
  const curves = (keys) => films.flatMap((film, number) => keys.flatMap(([key, colour]) => {
    const energy = film.header.energy;
    const values = energy?.[key];
    if (!values?.length || !energy.step?.length) return [];
    return [{ name: films.length > 1 ? `${key} ${'AB'[number]}` : key, colour, second: number === 1, steps: energy.step.map((step) => step / film.pace), values }];
  }));
  const change = curves(ENERGY).map((curve) => ({
    ...curve, name: `Δ ${curve.name}`, hidden: !curve.name.startsWith('total'), values: Array.from(curve.values, (value) => value - curve.values[0]),
  }));
  const all = [
    { id: 'energy', title: 'Energy', unit: 'J', logarithmic: false, curves: curves(ENERGY) },
    // Drift is small against the level: seen only without it, and without the exchange between the two parts.
    { id: 'change', title: 'Energy change', about: 'Energy since the first step: the total shows drift', unit: 'J', logarithmic: false, curves: change },
    { id: 'contacts', title: 'Contacts', unit: '', logarithmic: false, curves: curves([['contacts', OKABE_ITO[5]]]) },
    { id: 'overlap', title: 'Overlap', unit: 'm', logarithmic: false, curves: curves([['overlap', OKABE_ITO[3]]]) },
  ];
  if (cast.b) {
    const apart = distances(cast);
    if (apart.values.some((value) => value > 0)) all.unshift({ id: 'distance', title: 'Distance A–B', unit: 'm', logarithmic: true, curves: [apart] });
  }
  return all.filter((graph) => graph.curves.length > 0);
}

/** The largest distance between the two places of a body, over all bodies, at some 600 steps, until the first of the runs ends. */
function distances(cast) {
  const end = Math.min(cast.a.last, cast.b.last / cast.b.pace);
  const stops = cast.stops.filter((step) => step <= end + 1e-6);
  const every = Math.max(1, Math.floor(stops.length / 600), Math.floor((stops.length * cast.pairs.length) / 400000));
  const steps = [];
  const values = [];
  const [poseA, poseB] = [new Float64Array(7), new Float64Array(7)];
  for (let k = 0; k < stops.length; k += every) {
    let most = 0;
    for (const pair of cast.pairs) {
      const distance = cast.distance(pair, stops[k], poseA, poseB);
      if (distance > most) most = distance;
    }
    steps.push(stops[k]);
    values.push(most);
  }
  return { name: 'largest of all bodies', colour: SECOND_COLOUR, second: false, steps, values };
}

/**
 * The value of a curve at a step, between two samples.
 * @param {Curve} curve
 * @param {number} step
 */
export function valueAt({ steps, values }, step) {
  let low = 0;
  let high = steps.length - 1;
  if (step <= steps[0]) return values[0];
  if (step >= steps[high]) return values[high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle;
    else high = middle;
  }
  return values[low] + ((step - steps[low]) / (steps[high] - steps[low])) * (values[high] - values[low]);
}
