// Contacts as arrows from the point along the normal; the length says the impulse on the body that it pushes.
import * as THREE from 'three';
import { CONTACT_NUMBERS } from './film.js';
import { linear, OKABE_ITO } from './palette.js';
import { niceAbove } from './measure.js';

const UP = new THREE.Vector3(0, 1, 0);

export class ContactArrows {
  /**
   * @param {import('./film.js').Film} film
   * @param {Float64Array} origin of what is drawn
   * @param {number} size metres that the arrow of a strong impulse is long
   */
  constructor(film, origin, size) {
    this.film = film;
    this.origin = origin;
    this.group = new THREE.Group();
    this.dynamic = film.bodies.map(({ kind }) => kind === 'dynamic');
    const most = Math.max(film.contacts?.most ?? 0, 1);
    this.shafts = arrows(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), most);
    this.heads = arrows(new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0), most);
    this.points = arrows(new THREE.SphereGeometry(1, 12, 8), most);
    this.group.add(this.shafts, this.heads, this.points);
    this.size = size;
    /** Newton seconds that an arrow of `size` stands for. */
    this.strong = niceAbove(strongImpulse(film));
    this.matrix = new THREE.Matrix4();
    this.turn = new THREE.Quaternion();
    this.at = new THREE.Vector3();
    this.scale = new THREE.Vector3();
    this.normal = new THREE.Vector3();
  }

  /** @param {boolean} dark */
  setTheme(dark) {
    const shaft = linear(dark ? OKABE_ITO[6] : OKABE_ITO[5]);
    for (const mesh of [this.shafts, this.heads, this.points]) mesh.material.color.setRGB(...shaft);
  }

  /**
   * @param {number} frame
   * @param {number} width metres of a thin line at the distance of the camera
   */
  update(frame, width) {
    const { from, to } = this.film.contactsAt(frame);
    const { contacts } = this.film;
    const numbers = contacts?.numbers;
    for (let record = from; record < to; record++) {
      const n = record * CONTACT_NUMBERS;
      const slot = record - from;
      this.at.set(numbers[n] - this.origin[0], numbers[n + 1] - this.origin[1], numbers[n + 2] - this.origin[2]);
      // The normal points from a to b; the arrow shows the push on the one that can move.
      const sense = this.dynamic[contacts.b[record]] ? 1 : -1;
      this.normal.set(numbers[n + 3], numbers[n + 4], numbers[n + 5]).multiplyScalar(sense).normalize();
      this.turn.setFromUnitVectors(UP, this.normal);
      const length = this.#lengthOf(numbers[n + 6]);
      const head = Math.min(width * 5, length * 0.5);
      this.#write(this.points, slot, width * 1.7, width * 1.7);
      this.#write(this.shafts, slot, length > 0 ? width * 0.7 : 0, length - head);
      this.at.addScaledVector(this.normal, length - head);
      this.#write(this.heads, slot, Math.min(width * 2.2, head * 0.45), head);
    }
    for (const mesh of [this.shafts, this.heads, this.points]) {
      mesh.count = to - from;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** In proportion, but never longer than three strong ones: one blow must not fill the picture. */
  #lengthOf(impulse) {
    return Math.min(Math.max(impulse, 0) / this.strong, 3) * this.size;
  }

  #write(mesh, slot, width, length) {
    this.scale.set(width, Math.max(length, 0), width);
    this.matrix.compose(this.at, this.turn, this.scale);
    this.matrix.toArray(mesh.instanceMatrix.array, slot * 16);
  }
}

function arrows(geometry, most) {
  const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92, toneMapped: false });
  const mesh = new THREE.InstancedMesh(geometry, material, most);
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.renderOrder = 5;
  mesh.count = 0;
  return mesh;
}

/** Larger than nine in ten of the impulses that are not nought. */
function strongImpulse(film) {
  const { contacts } = film;
  if (!contacts) return 1;
  const values = [];
  const total = contacts.a.length;
  for (let record = 0; record < total; record += Math.ceil(total / 20000)) {
    const impulse = contacts.numbers[record * CONTACT_NUMBERS + 6];
    if (impulse > 0) values.push(impulse);
  }
  return values.length > 0 ? Float64Array.from(values).sort()[Math.floor((values.length - 1) * 0.9)] : 1;
}
