// One or two runs side by side: bodies paired by name, frames by step (by time where the steps differ in length), and where they differ.

/**
 * @typedef {object} Pair
 * @property {string} name
 * @property {number} a index in the first film, or -1
 * @property {number} b index in the second film, or -1
 * @property {number} differsFrom the first step at which the two differ; Infinity where they never do
 */

/** Lengths of a step that differ by less than this part are one length, rounded by two number types. */
const SAME_LENGTH = 1e-5;

/** The cast of one or two films. */
export class Cast {
  /**
   * @param {import('./film.js').Film} a
   * @param {import('./film.js').Film | null} b
   * @param {object | null} difference as the page holds it
   */
  constructor(a, b, difference) {
    this.a = a;
    this.b = b;
    this.first = difference?.first ?? null;
    /** Whether the two are paired by time: what one step is in A is none in B. */
    this.byTime = b !== null && b.dt > 0 && Math.abs(a.dt / b.dt - 1) > SAME_LENGTH;
    if (this.byTime) b.pace = a.dt / b.dt;
    /** @type {{key: string, a: string, b: string}[]} what is not the same in the two from the beginning */
    this.settings = b ? unlikeSettings(a.header, b.header, difference?.settings ?? []) : [];
    this.differenceNotes = difference?.notes ?? [];
    /** @type {Pair[]} */
    this.pairs = a.bodies.map((body, index) => ({ name: body.name, a: index, b: -1, differsFrom: Infinity }));
    this.byName = new Map(this.pairs.map((pair, index) => [pair.name, index]));
    b?.bodies.forEach((body, index) => {
      const known = this.byName.get(body.name);
      if (known !== undefined) this.pairs[known].b = index;
      else {
        this.byName.set(body.name, this.pairs.length);
        this.pairs.push({ name: body.name, a: -1, b: index, differsFrom: (b.first + body.start * b.stride) / b.pace });
      }
    });
    for (const { name, step } of difference?.bodies ?? []) {
      const known = this.byName.get(name);
      if (known !== undefined) this.pairs[known].differsFrom = step;
    }
    this.stops = mergeStops(a, b);
    /** For each film, the place in `pairs` of each of its bodies. */
    this.placeA = a.bodies.map((body) => this.byName.get(body.name));
    this.placeB = b ? b.bodies.map((body) => this.byName.get(body.name)) : [];
  }

  /** The step at which the last of the bodies begins to differ. */
  get lastSpread() {
    return this.pairs.reduce((last, { differsFrom }) => (differsFrom < Infinity ? Math.max(last, differsFrom) : last), this.first?.step ?? 0);
  }

  /**
   * The shorter of two runs, and its last step; null where both end together.
   * @returns {{letter: string, step: number} | null}
   */
  get endsEarlier() {
    const { a, b } = this;
    if (!b || Math.abs(a.last - b.last / b.pace) <= 1e-6) return null;
    return a.last < b.last / b.pace ? { letter: 'A', step: a.last } : { letter: 'B', step: b.last };
  }

  /**
   * The body that an object of the first difference speaks of: its own name, or the first name that it contains
   * (contacts are written as `a / b`). The longest name wins, so that `ball1` does not take `ball12`.
   * @returns {number} place in `pairs`, or -1
   */
  get firstObject() {
    if (!this.first) return -1;
    const whole = this.byName.get(this.first.object);
    if (whole !== undefined) return whole;
    let found = -1;
    this.pairs.forEach(({ name }, place) => {
      const longer = found < 0 || name.length > this.pairs[found].name.length;
      if (name && longer && String(this.first.object).includes(name)) found = place;
    });
    return found;
  }

  /**
   * Where the body of the first difference is then, in each of the runs: centre and radius.
   * @param {(body: object) => number} radiusOf
   */
  firstPlaces(radiusOf) {
    const pair = this.pairs[this.firstObject];
    const pose = new Float64Array(7);
    return [[this.a, pair?.a ?? -1], [this.b, pair?.b ?? -1]].flatMap(([film, index]) => {
      if (index < 0 || !film.pose(index, film.frameAt(this.first.step), pose)) return [];
      return [[pose[0], pose[1], pose[2], radiusOf(film.bodies[index])]];
    });
  }

  /**
   * @param {Pair} pair
   * @param {number} step
   * @param {Float64Array} poseA scratch of 7
   * @param {Float64Array} poseB scratch of 7
   * @returns {number} metres between the two centres of mass; NaN where one of them does not exist
   */
  distance(pair, step, poseA, poseB) {
    if (!this.b || pair.a < 0 || pair.b < 0) return NaN;
    const both = this.a.pose(pair.a, this.a.frameAt(step), poseA) && this.b.pose(pair.b, this.b.frameAt(step), poseB);
    return both ? Math.hypot(poseA[0] - poseB[0], poseA[1] - poseB[1], poseA[2] - poseB[2]) : NaN;
  }
}

/** Every step that one of the films stores, in order; where they are paired by time, those of the first, and on until the second ends. */
function mergeStops(a, b) {
  const steps = new Set();
  if (b && b.pace !== 1) {
    for (let step = a.first; step <= Math.max(a.last, b.last / b.pace); step += a.stride) steps.add(step);
    return Float64Array.from(steps);
  }
  for (const film of b ? [a, b] : [a]) {
    for (let k = 0; k < film.frames; k++) steps.add(film.first + k * film.stride);
  }
  if (steps.size === 0) steps.add(a.first);
  return Float64Array.from(steps).sort();
}

/** Scene, scalar and length of a step, where they differ, before the settings that the difference names. */
function unlikeSettings(a, b, named) {
  const own = [
    { key: 'scene', a: a.scene, b: b.scene, same: a.scene === b.scene },
    { key: 'scalar', a: a.scalar, b: b.scalar, same: a.scalar === b.scalar },
    { key: 'dt', a: `${a.dt} s`, b: `${b.dt} s`, same: Math.abs(a.dt / b.dt - 1) <= SAME_LENGTH },
  ];
  const known = new Set(named.map(({ key }) => key));
  return [...own.filter(({ key, same }) => !same && !known.has(key)), ...named].map(({ key, a: one, b: other }) => ({ key, a: String(one ?? '–'), b: String(other ?? '–') }));
}
