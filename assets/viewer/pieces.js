// Bodies taken apart into a few geometries that scale without changing their form: balls, boxes, tubes, caps, discs and cones, and each hull or mesh its own.
import { product, turn } from './rotation.js';

/** @typedef {'ball' | 'box' | 'tube' | 'cap' | 'disc' | 'cone' | string} Form the names of hulls and meshes begin with `hull ` */

const STRAIGHT = [1, 0, 0, 0];
const UPSIDE_DOWN = [0, 1, 0, 0];

/** The pieces of all bodies of a film, in flat arrays: `begin[body]` up to `begin[body + 1]`. */
export class Pieces {
  /** @param {import('./film.js').Film} film */
  constructor(film) {
    const all = [];
    this.begin = new Uint32Array(film.bodies.length + 1);
    film.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        for (const piece of piecesOf(shape)) all.push({ ...piece, mesh: shape.sensor ? `${piece.form} sensor` : piece.form });
      }
      this.begin[index + 1] = all.length;
    });
    this.count = all.length;
    /** @type {Form[]} */
    this.form = all.map(({ form }) => form);
    /** In which mesh each piece is drawn: those of sensors stand in others, for they are translucent. */
    this.mesh = all.map(({ mesh }) => mesh);
    this.offset = Float64Array.from(all.flatMap(({ offset }) => offset));
    this.rotation = Float64Array.from(all.flatMap(({ rotation }) => rotation));
    this.scale = Float64Array.from(all.flatMap(({ scale }) => scale));
    /** Number of each piece among those of its mesh. */
    this.slot = new Uint32Array(all.length);
    /** @type {Map<string, {form: Form, isSensor: boolean, total: number}>} the meshes by name */
    this.meshes = new Map();
    /** @type {Map<Form, import('./film.js').Shape>} the hulls and meshes by the names of their forms, each once */
    this.hulls = new Map();
    for (const { form, hull } of all) {
      if (!hull) continue;
      this.hulls.set(form, hull);
    }
    all.forEach(({ form, mesh }, k) => {
      if (!this.meshes.has(mesh)) this.meshes.set(mesh, { form, isSensor: mesh !== form, total: 0 });
      this.slot[k] = this.meshes.get(mesh).total++;
    });
  }

  /**
   * Writes the matrix that places a piece, column by column as the GPU wants it.
   * @param {number} k the piece
   * @param {Float64Array} pose of its body
   * @param {ArrayLike<number>} origin of what is drawn
   * @param {number} grow metres by which the piece is larger on every side
   * @param {Float32Array} out
   * @param {number} at
   */
  place(k, pose, origin, grow, out, at) {
    const { offset, rotation, scale } = this;
    const o = k * 3;
    const r = k * 4;
    const bw = pose[3];
    const bx = pose[4];
    const by = pose[5];
    const bz = pose[6];
    const ox = offset[o];
    const oy = offset[o + 1];
    const oz = offset[o + 2];
    const tx = 2 * (by * oz - bz * oy);
    const ty = 2 * (bz * ox - bx * oz);
    const tz = 2 * (bx * oy - by * ox);
    const rw = rotation[r];
    const rx = rotation[r + 1];
    const ry = rotation[r + 2];
    const rz = rotation[r + 3];
    const w = bw * rw - bx * rx - by * ry - bz * rz;
    const x = bw * rx + bx * rw + by * rz - bz * ry;
    const y = bw * ry - bx * rz + by * rw + bz * rx;
    const z = bw * rz + bx * ry - by * rx + bz * rw;
    const sx = scale[o] + grow;
    const sy = scale[o + 1] + (this.form[k] === 'tube' ? 0 : grow);
    const sz = scale[o + 2] + grow;
    out[at] = (1 - 2 * (y * y + z * z)) * sx;
    out[at + 1] = 2 * (x * y + w * z) * sx;
    out[at + 2] = 2 * (x * z - w * y) * sx;
    out[at + 3] = 0;
    out[at + 4] = 2 * (x * y - w * z) * sy;
    out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
    out[at + 6] = 2 * (y * z + w * x) * sy;
    out[at + 7] = 0;
    out[at + 8] = 2 * (x * z + w * y) * sz;
    out[at + 9] = 2 * (y * z - w * x) * sz;
    out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
    out[at + 11] = 0;
    out[at + 12] = pose[0] - origin[0] + ox + bw * tx + by * tz - bz * ty;
    out[at + 13] = pose[1] - origin[1] + oy + bw * ty + bz * tx - bx * tz;
    out[at + 14] = pose[2] - origin[2] + oz + bw * tz + bx * ty - by * tx;
    out[at + 15] = 1;
  }
}

/** How far the farthest of some points is from the origin. */
export function farthest(points) {
  return points.reduce((most, point) => Math.max(most, Math.hypot(...point)), 0);
}

function piecesOf(shape) {
  const [offset, rotation] = [shape.position, shape.orientation ?? STRAIGHT];
  switch (shape.shape) {
    case 'sphere':
      return [{ form: 'ball', offset, rotation, scale: [shape.radius, shape.radius, shape.radius] }];
    case 'cuboid':
      return [{ form: 'box', offset, rotation, scale: shape.half_extents }];
    case 'hull':
    case 'mesh': {
      const size = farthest(shape.corners);
      return [{ form: `hull ${shape.corners.join(' ')}`, hull: shape, offset, rotation, scale: [size, size, size] }];
    }
    case 'capsule': {
      const { radius, half_height: half } = shape;
      const end = (y) => turn(rotation, 0, [0, y, 0]).map((value, c) => value + offset[c]);
      const round = [radius, radius, radius];
      return [
        { form: 'tube', offset, rotation, scale: [radius, half, radius] },
        { form: 'cap', offset: end(half), rotation, scale: round },
        { form: 'cap', offset: end(-half), rotation: product(rotation, UPSIDE_DOWN), scale: round },
      ];
    }
    case 'cylinder': {
      const { radius, half_height: half } = shape;
      const end = (y) => turn(rotation, 0, [0, y, 0]).map((value, c) => value + offset[c]);
      const round = [radius, radius, radius];
      return [
        { form: 'tube', offset, rotation, scale: [radius, half, radius] },
        { form: 'disc', offset: end(half), rotation, scale: round },
        { form: 'disc', offset: end(-half), rotation: product(rotation, UPSIDE_DOWN), scale: round },
      ];
    }
    case 'cone': {
      const { radius, half_height: half } = shape;
      return [{ form: 'cone', offset, rotation, scale: [radius, half, radius] }];
    }
    default:
      return [];
  }
}
