// Numbers as people read them: SI units, few digits, never NaN on the screen.

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/**
 * @param {number} value
 * @param {string} unit such as `J` or `m`
 * @param {number} digits significant ones
 * @returns {string} such as `1.25 kJ`
 */
export function withUnit(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return `0 ${unit}`;
  const size = Math.abs(value);
  const [scale, prefix] = PREFIXES.find(([least]) => size >= least * 0.9995) ?? PREFIXES.at(-1);
  if (size >= 1e12 || size < 1e-12) return `${trim(value.toExponential(digits - 1))} ${unit}`;
  // By way of a number, for toPrecision writes 1.2e+2 where three digits stand before the point.
  return `${trim(String(Number((value / scale).toPrecision(digits))))} ${prefix}${unit}`;
}

/**
 * @param {number} value
 * @param {number} digits significant ones
 * @returns {string} without trailing noughts, with a real minus sign
 */
export function short(value, digits = 4) {
  if (!Number.isFinite(value)) return '–';
  const text = value.toPrecision(digits);
  // 1000 with three digits is 1.00e+3, which is harder to read than what it stands for.
  return trim(text.includes('e+') && Math.abs(value) < 1e5 ? String(Number(text)) : text);
}

/**
 * @param {number} value
 * @param {number} decimals
 * @returns {string} of a fixed number of decimals, so that a column of them stands still
 */
export function fixed(value, decimals) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1e7) return minus(value.toExponential(4));
  const text = value.toFixed(decimals);
  return minus(/^-0\.?0*$/.test(text) ? text.slice(1) : text);
}

function trim(text) {
  const [mantissa, power] = text.split('e');
  const bare = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return minus(power ? `${bare}e${power.replace('+', '')}` : bare);
}

function minus(text) {
  return text.replace('-', '−');
}

/**
 * The nearest of 1, 2, 5 times a power of ten, at or above a value.
 * @param {number} value
 */
export function niceAbove(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = [1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9));
  return lead * power;
}

/**
 * Round values that divide a range.
 * @param {number} from
 * @param {number} to
 * @param {number} about how many
 * @returns {number[]}
 */
export function ticks(from, to, about) {
  if (!(to > from)) return [from];
  const step = niceAbove((to - from) / about);
  const result = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++) result.push(k * step);
  return result;
}
