// A recorded run, decoded: poses and velocities of every body at every stored frame. Knows no page and no drawing.
import { BlobReader } from './columns.js';
import { blend, spinBetween } from './rotation.js';

/**
 * @typedef {object} Shape
 * @property {'sphere' | 'cuboid' | 'capsule' | 'hull' | 'cylinder' | 'cone' | 'mesh' | 'half-space'} shape
 * @property {number[]} position of the shape in the frame of the body's centre of mass
 * @property {number[]} orientation w, x, y, z
 * @property {number} [radius]
 * @property {number[]} [half_extents]
 * @property {number} [half_height]
 * @property {number[][]} [corners] of a hull or a mesh
 * @property {number[][]} [faces] of a hull or a mesh: numbers of corners, counter-clockwise as seen from outside
 * @property {number} [inner_radius] of a hull or cone
 * @property {number[]} [normal]
 *
 * @typedef {object} Body
 * @property {string} name
 * @property {'dynamic' | 'static' | 'kinematic'} kind
 * @property {number | null} mass
 * @property {Shape[]} shapes
 * @property {number} start first frame in which it exists
 * @property {number} frames how many frames it exists from there
 */

/** The sizes of one contact record: two bodies apart, 8 numbers together. */
export const CONTACT_NUMBERS = 8;

export class Film {
  /**
   * @param {object} header
   * @param {Uint8Array} blob
   */
  constructor(header, blob) {
    if (header.schema !== 1) throw new Error(`schema ${header.schema} of the data is unknown to this page`);
    this.header = header;
    /** @type {Body[]} */
    this.bodies = header.bodies;
    this.frames = Math.max(header.frames, 0);
    this.first = header.first_step;
    this.stride = Math.max(header.stride, 1);
    this.dt = header.dt;
    /** Steps of this film to one step of the clock: not 1 where it is laid over a film whose steps last longer or shorter. */
    this.pace = 1;
    const count = this.bodies.length;
    this.position = new Float64Array(this.frames * count * 3);
    this.orientation = new Float64Array(this.frames * count * 4);
    this.linear = header.quantum.linear_velocity ? new Float64Array(this.frames * count * 3) : null;
    this.angular = header.quantum.angular_velocity ? new Float64Array(this.frames * count * 3) : null;
    const reader = new BlobReader(blob);
    this.bodies.forEach((body, index) => this.#readBody(reader, body, index));
    this.contacts = header.contacts ? readContacts(reader, header.contacts, this.frames) : null;
    if (reader.at !== blob.length) throw new Error(`${blob.length - reader.at} bytes are left over after the data`);
  }

  #readBody(reader, body, index) {
    const { quantum } = this.header;
    const count = this.bodies.length;
    if (body.start + body.frames > this.frames) throw new Error(`${body.name} exists beyond the last frame`);
    const read = (out, width, size) => {
      for (let c = 0; c < width; c++) {
        reader.column(out, (body.start * count + index) * width + c, count * width, body.frames, size);
      }
    };
    read(this.position, 3, quantum.position);
    read(this.orientation, 4, quantum.orientation);
    if (this.linear) read(this.linear, 3, quantum.linear_velocity);
    if (this.angular) read(this.angular, 3, quantum.angular_velocity);
    // Fine ones are shown as they are; coarse ones are no longer of length 1.
    if (quantum.orientation < 2 ** -20) return;
    const q = this.orientation;
    for (let k = 0; k < body.frames; k++) {
      const at = ((body.start + k) * count + index) * 4;
      const length = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]);
      if (length === 0) q[at] = 1;
      else for (let c = 0; c < 4; c++) q[at + c] /= length;
    }
  }

  /** The last step that a frame shows. */
  get last() {
    return this.first + Math.max(this.frames - 1, 0) * this.stride;
  }

  /**
   * @param {number} step of the clock
   * @returns {number} the frame, with a fraction between two of them, held at both ends
   */
  frameAt(step) {
    return Math.min(Math.max((step * this.pace - this.first) / this.stride, 0), Math.max(this.frames - 1, 0));
  }

  /**
   * @param {number} index of a body
   * @param {number} frame
   */
  exists(index, frame) {
    const body = this.bodies[index];
    const whole = Math.floor(frame);
    return whole >= body.start && whole < body.start + body.frames;
  }

  /**
   * The pose of a body, between two frames where `frame` has a fraction.
   * @param {number} index of a body
   * @param {number} frame
   * @param {Float64Array} out x, y, z, then w, x, y, z of the orientation
   * @returns {boolean} whether the body exists then; `out` is untouched if not
   */
  pose(index, frame, out) {
    if (!this.exists(index, frame)) return false;
    const count = this.bodies.length;
    const whole = Math.floor(frame);
    const part = frame - whole;
    const p = (whole * count + index) * 3;
    const q = (whole * count + index) * 4;
    const more = part > 0 && this.exists(index, whole + 1);
    const at = this.position;
    for (let c = 0; c < 3; c++) {
      out[c] = more ? at[p + c] + part * (at[p + count * 3 + c] - at[p + c]) : at[p + c];
    }
    if (more) blend(this.orientation, q, q + count * 4, part, out, 3);
    else for (let c = 0; c < 4; c++) out[3 + c] = this.orientation[q + c];
    return true;
  }

  /**
   * The velocity of the centre of mass at a whole frame; from the positions where it is not stored.
   * @param {number} index of a body
   * @param {number} frame a whole one
   * @param {Float64Array} out 3 numbers, m/s
   */
  velocity(index, frame, out) {
    const count = this.bodies.length;
    if (this.linear) {
      const at = (frame * count + index) * 3;
      for (let c = 0; c < 3; c++) out[c] = this.linear[at + c];
      return;
    }
    const [from, to] = this.#around(index, frame);
    const seconds = (to - from) * this.stride * this.dt;
    const a = (from * count + index) * 3;
    const b = (to * count + index) * 3;
    for (let c = 0; c < 3; c++) out[c] = seconds > 0 ? (this.position[b + c] - this.position[a + c]) / seconds : 0;
  }

  /**
   * The angular velocity at a whole frame; from the orientations where it is not stored.
   * @param {number} index of a body
   * @param {number} frame a whole one
   * @param {Float64Array} out 3 numbers, rad/s
   */
  spin(index, frame, out) {
    const count = this.bodies.length;
    if (this.angular) {
      const at = (frame * count + index) * 3;
      for (let c = 0; c < 3; c++) out[c] = this.angular[at + c];
      return;
    }
    const [from, to] = this.#around(index, frame);
    const seconds = (to - from) * this.stride * this.dt;
    if (seconds > 0) spinBetween(this.orientation, (from * count + index) * 4, (to * count + index) * 4, seconds, out);
    else out.fill(0);
  }

  /** The frames before and after one, within the life of the body. */
  #around(index, frame) {
    const { start, frames } = this.bodies[index];
    return [Math.max(frame - 1, start), Math.min(frame + 1, start + frames - 1)];
  }

  /**
   * The contacts to show at a frame: records `from` up to, not including, `to`.
   * @param {number} frame
   * @returns {{from: number, to: number}}
   */
  contactsAt(frame) {
    const { contacts } = this;
    if (!contacts || this.frames === 0) return { from: 0, to: 0 };
    const stored = Math.floor(Math.floor(frame) / contacts.stride);
    return { from: contacts.begin[stored], to: contacts.begin[stored + 1] };
  }
}

/**
 * Contact tracks run along time; drawing wants them by frame, so they are sorted into one record per contact and frame.
 * @returns {{stride: number, begin: Uint32Array, a: Uint32Array, b: Uint32Array, numbers: Float32Array, most: number}}
 *   eight numbers a record: point, normal, impulse, depth
 */
function readContacts(reader, { stride, tracks, quantum }, frames) {
  const stored = Math.ceil(frames / stride);
  const begin = new Uint32Array(stored + 2);
  const sizes = [quantum.position, quantum.position, quantum.position, quantum.normal, quantum.normal, quantum.normal, quantum.impulse, quantum.depth];
  const read = [];
  for (let t = 0; t < tracks; t++) {
    const [a, b, start, count] = [reader.varint(), reader.varint(), reader.varint(), reader.varint()];
    if (start + count > stored) throw new Error('a contact lasts beyond the last frame');
    const numbers = new Float32Array(count * CONTACT_NUMBERS);
    sizes.forEach((size, c) => reader.column(numbers, c, CONTACT_NUMBERS, count, size));
    for (let k = 0; k < count; k++) begin[start + k + 2]++;
    read.push({ a, b, start, count, numbers });
  }
  for (let k = 2; k < begin.length; k++) begin[k] += begin[k - 1];
  const total = begin[stored + 1];
  const contacts = {
    stride, begin, a: new Uint32Array(total), b: new Uint32Array(total),
    numbers: new Float32Array(total * CONTACT_NUMBERS), most: 0,
  };
  // begin[k + 1] walks from the first to one past the last record of frame k, and so ends as the begin of frame k + 1.
  for (const { a, b, start, count, numbers } of read) {
    for (let k = 0; k < count; k++) {
      const record = begin[start + k + 1]++;
      contacts.a[record] = a;
      contacts.b[record] = b;
      for (let c = 0; c < CONTACT_NUMBERS; c++) {
        contacts.numbers[record * CONTACT_NUMBERS + c] = numbers[k * CONTACT_NUMBERS + c];
      }
    }
  }
  for (let k = 0; k < stored; k++) contacts.most = Math.max(contacts.most, begin[k + 1] - begin[k]);
  return contacts;
}
