// Bodies too small to be seen from where the camera stands, as dots of a few pixels; and, where there are few, their paths.
import * as THREE from 'three';
import { radiusOf } from './framing.js';
import { Trail } from './trail.js';

/** Across, in pixels. A larger body hides the dot inside it. */
const PIXELS = 5;
/** Paths are drawn of at most so many bodies, where the run is so many times as large as they are. */
const PATHS = { bodies: 8, ratio: 25 };

const VERTEX = `
  attribute vec3 tint;
  uniform float uPixels;
  varying vec3 vTint;
  void main() {
    vTint = tint;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    gl_PointSize = uPixels;
  }`;

const FRAGMENT = `
  varying vec3 vTint;
  void main() {
    if (length(gl_PointCoord - 0.5) > 0.5) discard;
    gl_FragColor = vec4(vTint, 1.0);
    #include <colorspace_fragment>
  }`;

export class Specks {
  /**
   * @param {import('./film.js').Film} film
   * @param {Float64Array} origin of what is drawn
   * @param {number} radius of what is worth framing, in metres
   */
  constructor(film, origin, radius) {
    this.film = film;
    this.origin = origin;
    this.moving = film.bodies.map((_, index) => index).filter((index) => film.bodies[index].kind !== 'static' && radiusOf(film.bodies[index]) > 0);
    this.geometry = new THREE.BufferGeometry();
    for (const name of ['position', 'tint']) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(this.moving.length * 3), 3).setUsage(THREE.DynamicDrawUsage));
    }
    const uniforms = { uPixels: { value: PIXELS * window.devicePixelRatio } };
    const points = new THREE.Points(this.geometry, new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms }));
    points.frustumCulled = false;
    this.group = new THREE.Group().add(points);
    const largest = Math.max(0, ...this.moving.map((index) => radiusOf(film.bodies[index])));
    const isSparse = this.moving.length <= PATHS.bodies && radius > PATHS.ratio * largest;
    this.paths = isSparse ? this.moving.map((index) => this.#path(index)) : [];
    this.pose = new Float64Array(7);
    this.tint = new Float32Array(3);
  }

  #path(index) {
    const trail = new Trail(this.origin);
    trail.show(this.film, index);
    trail.material.uniforms.uWidth.value = 1;
    this.group.add(trail.mesh);
    return trail;
  }

  /**
   * @param {number} frame
   * @param {(index: number, out: Float32Array) => void} colourOf writes linear red, green, blue of a body
   * @param {{width: number, height: number}} screen in CSS pixels
   */
  update(frame, colourOf, screen) {
    const { position, tint } = this.geometry.attributes;
    let count = 0;
    this.moving.forEach((index, k) => {
      colourOf(index, this.tint);
      this.paths[k]?.material.uniforms.uColour.value.setRGB(this.tint[0], this.tint[1], this.tint[2], THREE.LinearSRGBColorSpace);
      this.paths[k]?.update(frame, screen);
      if (!this.film.pose(index, frame, this.pose)) return;
      for (let c = 0; c < 3; c++) position.array[count * 3 + c] = this.pose[c] - this.origin[c];
      tint.array.set(this.tint, count * 3);
      count++;
    });
    position.needsUpdate = true;
    tint.needsUpdate = true;
    this.geometry.setDrawRange(0, count);
  }
}
