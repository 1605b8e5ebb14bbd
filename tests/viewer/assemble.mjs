// Puts a page together as `physim view` does, so that the page can be tried without it.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const ASSETS = new URL('../../assets/viewer/', import.meta.url);
const read = (name) => readFileSync(new URL(name, ASSETS), 'utf8');

/** JSON that cannot leave its script element. */
const safe = (value) => JSON.stringify(value).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);

/** The bytes of a blob, as VIEWER.md has them. */
class Writer {
  bytes = [];

  varint(value) {
    let rest = value;
    while (rest >= 128) {
      this.bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.bytes.push(rest);
  }

  /** Residuals of the order that makes them smallest. */
  column(values, order = bestOrder(values)) {
    if (values.length > 1 && values.every((value) => value === values[0])) {
      this.bytes.push(3);
      this.varint(values[0] >= 0 ? values[0] * 2 : -values[0] * 2 - 1);
      return;
    }
    this.bytes.push(order);
    for (const residual of residuals(values, order)) this.varint(residual >= 0 ? residual * 2 : -residual * 2 - 1);
  }
}

function residuals(values, order) {
  return values.map((value, k) => {
    const [last, before] = [values[k - 1] ?? 0, values[k - 2] ?? 0];
    return value - (order === 0 ? 0 : order === 1 ? last : 2 * last - before);
  });
}

function bestOrder(values) {
  const cost = (order) => residuals(values, order).reduce((sum, value) => sum + Math.log2(1 + Math.abs(value)), 0);
  return [0, 1, 2].reduce((best, order) => (cost(order) < cost(best) ? order : best), 0);
}

/**
 * @param {object} run header without sizes, `bodies` with `states`: one {position, orientation, linear?, angular?} a frame;
 *   `contactTracks`: {a, b, start, states: {point, normal, impulse, depth}[]}
 * @returns {{header: object, blob: Buffer}}
 */
export function encode(run) {
  const { contactTracks, bodies, ...rest } = run;
  const header = { schema: 1, ...rest, bodies: bodies.map(({ states, start = 0, ...body }) => ({ ...body, start, frames: states.length })) };
  const { quantum } = header;
  const writer = new Writer();
  const column = (states, pick, size) => writer.column(states.map((state) => Math.round(pick(state) / size)));
  for (const { states } of bodies) {
    for (let c = 0; c < 3; c++) column(states, (s) => s.position[c], quantum.position);
    for (let c = 0; c < 4; c++) column(states, (s) => s.orientation[c], quantum.orientation);
    if (quantum.linear_velocity) for (let c = 0; c < 3; c++) column(states, (s) => s.linear[c], quantum.linear_velocity);
    if (quantum.angular_velocity) for (let c = 0; c < 3; c++) column(states, (s) => s.angular[c], quantum.angular_velocity);
  }
  header.contacts = contactTracks
    ? { stride: 1, tracks: contactTracks.length, quantum: { position: 2 ** -16, normal: 2 ** -7, impulse: 2 ** -16, depth: 2 ** -20 } } : null;
  for (const { a, b, start, states } of contactTracks ?? []) {
    for (const value of [a, b, start, states.length]) writer.varint(value);
    const size = header.contacts.quantum;
    for (let c = 0; c < 3; c++) column(states, (s) => s.point[c], size.position);
    for (let c = 0; c < 3; c++) column(states, (s) => s.normal[c], size.normal);
    column(states, (s) => s.impulse, size.impulse);
    column(states, (s) => s.depth, size.depth);
  }
  return { header, blob: Buffer.from(writer.bytes) };
}

/**
 * @param {{header: object, blob: Buffer}[]} films one or two
 * @param {object | null} difference
 * @returns {string} the page
 */
export function assemble(films, difference = null) {
  const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');
  const modules = read('modules.txt').trim().split('\n').map((line) => {
    const [name, path] = line.split(' ');
    return `<script type="text/plain" data-module="${name}">${packed(Buffer.from(read(path)))}</script>`;
  });
  const data = films.flatMap(({ header, blob }, k) => [
    `<script type="application/json" data-film="${'ab'[k]}">${safe(header)}</script>`,
    `<script type="text/plain" data-film-blob="${'ab'[k]}">${packed(blob)}</script>`,
  ]);
  if (difference) data.push(`<script type="application/json" data-difference>${safe(difference)}</script>`);
  return read('page.html')
    .replace('<!-- physim:style -->', () => `<style>\n${read('style.css')}</style>`)
    .replace('<!-- physim:modules -->', () => modules.join('\n'))
    .replace('<!-- physim:data -->', () => data.join('\n'));
}
