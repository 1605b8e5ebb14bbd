// Colours that people with any colour vision can tell apart. All as linear red, green, blue, as lights are computed.

/** Okabe and Ito's eight, without black; the order puts strong neighbours apart. */
export const OKABE_ITO = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];

/** A little softer than the above for surfaces of bodies, with lighter and deeper companions. */
export const BODY_COLOURS = ['#3d8fd1', '#eba92b', '#2fae87', '#d583b3', '#e2703a', '#7cc4ee', '#eadb4f', '#7d7fd0'];

export const KIND_COLOURS = { dynamic: '#3d8fd1', kinematic: '#eba92b', static: '#9aa3ad' };

/** The second of two runs. */
export const SECOND_COLOUR = '#e2562f';

/** Without its darkest fifth, which would be lost on a dark ground. */
const VIRIDIS = ['#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151', '#bddf26', '#fde725'];
const PLASMA = ['#f7e225', '#fdb42f', '#f58c46', '#e56b5d', '#d14e72', '#b83289', '#9511a1', '#7a0fb0', '#5c12ab'];

/** Maps of 0 to 1: speed, and how a difference spread (first bright, last dark). */
export const MAPS = { speed: VIRIDIS, difference: PLASMA };

/**
 * @param {string} hex `#rrggbb`
 * @returns {[number, number, number]} linear
 */
export function linear(hex) {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/**
 * A map of colours as a table, so that looking one up allocates nothing.
 * @param {string[]} stops
 * @param {number} size
 * @returns {Float32Array} size times three
 */
export function table(stops, size = 256) {
  const colours = stops.map(linear);
  const result = new Float32Array(size * 3);
  for (let k = 0; k < size; k++) {
    const place = (k / (size - 1)) * (colours.length - 1);
    const low = Math.min(Math.floor(place), colours.length - 2);
    for (let c = 0; c < 3; c++) {
      result[k * 3 + c] = colours[low][c] + (place - low) * (colours[low + 1][c] - colours[low][c]);
    }
  }
  return result;
}

/**
 * @param {string[]} stops
 * @returns {string} the same map for style sheets
 */
export function gradient(stops) {
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
