// Where the camera stands: by hand, by preset, gliding there, following a body.
import * as THREE from 'three';
import { OrbitControls } from './OrbitControls.js';
import { cross, dot, freeRectangles, unit } from './framing.js';

/** Directions from the target to the camera, as parts of right, up and front. */
export const PRESETS = {
  iso: [0.62, 0.55, 1], front: [0, 0.0001, 1], side: [1, 0.0001, 0], top: [0, 1, 0.0005],
  back: [0, 0.0001, -1], left: [-1, 0.0001, 0], bottom: [0, -1, 0.0005],
};

const GLIDE_SECONDS = 0.45;
/** The middle of the picture. */
const MIDDLE = [0.5, 0.5];

export class CameraRig {
  /**
   * @param {THREE.PerspectiveCamera} camera
   * @param {HTMLElement} surface that takes mouse and touch
   * @param {import('./framing.js').Subject} subject
   * @param {Float64Array} origin of what is drawn
   * @param {() => boolean} calm whether to jump instead of gliding
   */
  constructor(camera, surface, subject, origin, calm) {
    this.camera = camera;
    this.subject = subject;
    this.origin = origin;
    this.calm = calm;
    this.controls = new OrbitControls(camera, surface);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = subject.radius * 0.002;
    this.controls.maxDistance = subject.radius * 200;
    /** The direction of the preset `iso`, where another corner shows more. */
    this.overview = PRESETS.iso;
    /** @type {() => import('./framing.js').Rectangle[]} the parts of the picture that nothing covers */
    this.free = () => freeRectangles([]);
    /** The preset that the camera was last sent to; empty once moved by hand. */
    this.preset = '';
    this.glide = null;
    /** Where in the picture the target is. */
    this.lens = MIDDLE;
    this.followed = null;
    this.catchUp = new THREE.Vector3();
    this.onChange = () => {};
    this.controls.addEventListener('change', () => this.onChange());
    this.controls.addEventListener('start', () => {
      this.glide = null;
      this.preset = '';
    });
  }

  get distance() {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** The target, from the origin of what is drawn. */
  get focus() {
    return this.controls.target.toArray();
  }

  /** @param {string} name of a preset, or `fit`: the same direction, everything in view */
  goTo(name, instantly = false) {
    const { right, up, front } = this.subject.axes;
    const parts = name === 'iso' ? this.overview : PRESETS[name];
    if (!parts && name !== 'fit') return false;
    const direction = parts
      ? [0, 1, 2].map((c) => parts[0] * right[c] + parts[1] * up[c] + parts[2] * front[c])
      : this.camera.position.clone().sub(this.controls.target).toArray();
    const { target, distance, lens } = this.subject.fit(direction, (this.camera.fov * Math.PI) / 180, this.camera.aspect, this.free());
    const away = unit(direction);
    this.set({ target, position: target.map((value, c) => value + away[c] * distance), lens }, instantly);
    this.preset = name;
    return true;
  }

  /**
   * @param {{position: number[], target: number[], lens?: number[]}} view in metres of the scene; lens: where in the picture the target is
   * @param {boolean} instantly
   */
  set(view, instantly = true) {
    const target = new THREE.Vector3().fromArray(view.target.map((value, c) => value - this.origin[c]));
    const position = new THREE.Vector3().fromArray(view.position.map((value, c) => value - this.origin[c]));
    const lens = view.lens ?? MIDDLE;
    this.#stop();
    if (instantly || this.calm()) {
      this.#shift(lens);
      this.#apply(target, position);
      return;
    }
    this.glide = { from: [this.controls.target.clone(), this.camera.position.clone(), this.lens], to: [target, position, lens], part: 0 };
    this.onChange();
  }

  /** @returns {{position: number[], target: number[], lens: number[]}} in metres of the scene */
  get() {
    const place = (vector) => vector.toArray().map((value, c) => value + this.origin[c]);
    return { position: place(this.camera.position), target: place(this.controls.target), lens: [...this.lens] };
  }

  /** Ends whatever moves the camera: gliding, catching up, and what is left of a drag. */
  #stop() {
    this.glide = null;
    this.preset = '';
    this.catchUp.set(0, 0, 0);
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
  }

  /**
   * Moves the picture behind the lens, so that what stands upright still does beside the cards.
   * @param {number[]} lens where in the picture the target is, from its top left corner
   */
  #shift(lens) {
    this.lens = lens;
    this.camera.view = { enabled: true, fullWidth: 1, fullHeight: 1, width: 1, height: 1, offsetX: 0.5 - lens[0], offsetY: 0.5 - lens[1] };
    this.camera.updateProjectionMatrix();
  }

  #apply(target, position) {
    this.controls.target.copy(target);
    this.camera.position.copy(position);
    this.controls.update();
    this.onChange();
  }

  /**
   * Follows a point from now on: the camera glides to it once and then goes along with it.
   * @param {number[] | null} point in metres of the scene
   */
  follow(point) {
    this.followed = point ? this.#toDrawn(point) : null;
    if (this.followed) this.catchUp.copy(this.followed).sub(this.controls.target);
    this.onChange();
  }

  /** @param {number[]} point where the followed body is now */
  track(point) {
    const now = this.#toDrawn(point);
    if (this.followed) {
      const moved = now.clone().sub(this.followed);
      this.controls.target.add(moved);
      this.camera.position.add(moved);
    }
    this.followed = now;
  }

  #toDrawn(point) {
    return new THREE.Vector3().fromArray(point.map((value, c) => value - this.origin[c]));
  }

  /**
   * Turns around the target, or comes nearer, as keys do.
   * @param {{around?: number, over?: number, nearer?: number}} by radians, radians, factor
   */
  nudge({ around = 0, over = 0, nearer = 1 }) {
    this.#stop();
    const { up } = this.subject.axes;
    const away = this.camera.position.clone().sub(this.controls.target);
    const axis = new THREE.Vector3().fromArray(up);
    away.applyAxisAngle(axis, around);
    const height = Math.asin(Math.min(Math.max(dot(unit(away.toArray()), up), -1), 1));
    const tilt = Math.min(Math.max(height + over, -1.55), 1.55) - height;
    const side = cross(up, away.toArray());
    if (Math.hypot(...side) > 1e-9) away.applyAxisAngle(new THREE.Vector3().fromArray(unit(side)), -tilt);
    away.multiplyScalar(nearer);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.onChange();
  }

  /**
   * @param {number} seconds since the last time
   * @returns {boolean} whether it is still on its way
   */
  update(seconds) {
    let busy = false;
    if (this.glide) {
      this.glide.part = Math.min(this.glide.part + seconds / GLIDE_SECONDS, 1);
      const part = 1 - (1 - this.glide.part) ** 3;
      const { from, to } = this.glide;
      this.controls.target.lerpVectors(from[0], to[0], part);
      this.#shift(from[2].map((value, c) => value + part * (to[2][c] - value)));
      // Distance and direction glide on their own, so that the way leads around the subject, not through it.
      const start = from[1].clone().sub(from[0]);
      const end = to[1].clone().sub(to[0]);
      const distance = start.length() + part * (end.length() - start.length());
      const way = start.normalize().lerp(end.normalize(), part);
      if (way.length() < 1e-6) way.copy(end);
      this.camera.position.copy(this.controls.target).addScaledVector(way.normalize(), distance);
      if (this.glide.part === 1) this.#finish(to);
      busy = true;
    }
    if (this.catchUp.lengthSq() > 0) {
      const part = this.calm() ? 1 : 1 - Math.exp(-9 * seconds);
      const move = this.catchUp.clone().multiplyScalar(this.catchUp.length() < 1e-5 * this.distance ? 1 : part);
      this.catchUp.sub(move);
      this.controls.target.add(move);
      this.camera.position.add(move);
      busy = true;
    }
    const moved = this.controls.update(seconds);
    const { distance } = this;
    this.camera.near = distance * 0.01;
    this.camera.far = distance * 30 + this.subject.radius * 30;
    this.camera.updateProjectionMatrix();
    return busy || moved;
  }

  #finish(to) {
    this.glide = null;
    this.controls.target.copy(to[0]);
    this.camera.position.copy(to[1]);
  }
}
