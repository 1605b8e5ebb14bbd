// Which colour a body has, and what the legend says about it.
import { BODY_COLOURS, KIND_COLOURS, linear, MAPS, SECOND_COLOUR, table } from './palette.js';
import { niceAbove } from './measure.js';

/** The ways to colour. The last one needs two runs. */
export const MODES = ['body', 'kind', 'speed', 'difference'];

const NEUTRAL = { light: '#c3c9d1', dark: '#5a6470' };
const STATIC = { light: '#b9c0c9', dark: '#6d7783' };

export class Colours {
  /** @param {import('./pairs.js').Cast} cast */
  constructor(cast) {
    this.cast = cast;
    this.mode = 'body';
    this.theme = 'light';
    this.tables = { speed: table(MAPS.speed), difference: table(MAPS.difference) };
    this.bodyColours = BODY_COLOURS.map(linear);
    this.kindColours = Object.fromEntries(Object.entries(KIND_COLOURS).map(([kind, hex]) => [kind, linear(hex)]));
    this.second = linear(SECOND_COLOUR);
    this.velocity = new Float64Array(3);
    /** Metres a second at the end of the scale. */
    this.fastest = niceAbove(fastSpeed([cast.a, cast.b].filter(Boolean)));
    /** From the first to the last step at which a body begins to differ; the map is logarithmic, for most differ soon. */
    this.spread = [cast.first?.step ?? cast.a.first, Math.max(cast.lastSpread, (cast.first?.step ?? cast.a.first) + 1)];
  }

  /**
   * A painter for one film, to be called for each body.
   * @param {import('./film.js').Film} film
   * @param {number[]} places of its bodies in the cast
   * @param {number} step
   * @returns {(index: number, out: Float32Array) => void}
   */
  painter(film, places, step) {
    const still = linear(STATIC[this.theme]);
    const neutral = linear(NEUTRAL[this.theme]);
    const { pairs } = this.cast;
    const frame = Math.floor(film.frameAt(step));
    switch (this.mode) {
      case 'kind':
        return (index, out) => out.set(this.kindColours[film.bodies[index].kind] ?? still);
      case 'speed':
        return (index, out) => {
          if (film.bodies[index].kind === 'static' || !film.exists(index, frame)) return out.set(still);
          film.velocity(index, frame, this.velocity);
          const [x, y, z] = this.velocity;
          return this.#onMap('speed', Math.sqrt(x * x + y * y + z * z) / this.fastest, out);
        };
      case 'difference':
        return (index, out) => {
          const from = pairs[places[index]].differsFrom;
          if (from > step) return out.set(neutral);
          return this.#onMap('difference', Math.log1p(Math.max(from - this.spread[0], 0)) / Math.log1p(this.spread[1] - this.spread[0]), out);
        };
      default:
        return (index, out) => {
          const fixed = film.bodies[index].kind === 'static';
          out.set(fixed ? still : this.bodyColours[places[index] % this.bodyColours.length]);
        };
    }
  }

  /** The painter of the second run where it lies over the first. */
  secondPainter() {
    return (_, out) => out.set(this.second);
  }

  #onMap(name, part, out) {
    const colours = this.tables[name];
    const place = Math.round(Math.min(Math.max(part, 0), 1) * (colours.length / 3 - 1)) * 3;
    for (let c = 0; c < 3; c++) out[c] = colours[place + c];
  }

  /** There are more bodies than colours, as a rule. */
  #bodyItem() {
    const few = this.cast.pairs.length <= BODY_COLOURS.length;
    return few ? { text: 'one colour per body', colour: BODY_COLOURS[0] } : { text: `${BODY_COLOURS.length} colours in turn`, colours: BODY_COLOURS };
  }

  /** @returns {{title: string, scale?: {stops: string[], from: number, middle: number, to: number, unit: string, andAbove?: boolean}, items?: {colour?: string, colours?: string[], text: string}[]}} */
  legend() {
    const neutral = NEUTRAL[this.theme];
    switch (this.mode) {
      case 'kind':
        return { title: 'Kind', items: Object.entries(KIND_COLOURS).map(([text, colour]) => ({ text, colour })) };
      case 'speed':
        return { title: 'Speed', scale: { stops: MAPS.speed, from: 0, middle: this.fastest / 2, to: this.fastest, unit: 'm/s', andAbove: true } };
      case 'difference':
        return {
          title: 'First differs at step',
          scale: this.cast.first ? { stops: MAPS.difference, from: this.spread[0], middle: middleOf(this.spread), to: this.spread[1], unit: '' } : undefined,
          items: [{ text: this.cast.first ? 'not yet different' : 'the runs are the same', colour: neutral }],
        };
      default:
        return { title: 'Body', items: [this.#bodyItem(), { text: 'static', colour: STATIC[this.theme] }] };
    }
  }
}

/** The step in the middle of a logarithmic map, or NaN where it is one of the ends. */
function middleOf([from, to]) {
  const middle = Math.round(from + Math.sqrt(1 + to - from) - 1);
  return middle > from && middle < to ? middle : NaN;
}

/** Faster than 98 of 100 moving moments, so that one blow does not darken all the rest. */
function fastSpeed(films) {
  const speeds = [];
  const velocity = new Float64Array(3);
  for (const film of films) {
    const moments = Math.max(1, Math.min(40, film.frames, Math.floor(40000 / Math.max(film.bodies.length, 1))));
    film.bodies.forEach((body, index) => {
      if (body.kind === 'static') return;
      for (let m = 0; m < moments; m++) {
        const frame = Math.floor(((m + 0.5) / moments) * film.frames);
        if (!film.exists(index, frame)) continue;
        film.velocity(index, frame, velocity);
        const speed = Math.hypot(...velocity);
        if (speed > 1e-6) speeds.push(speed);
      }
    });
  }
  return speeds.length > 0 ? Float64Array.from(speeds).sort()[Math.floor((speeds.length - 1) * 0.98)] : 1;
}
