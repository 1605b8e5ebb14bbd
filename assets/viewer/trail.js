// The path of one body as a ribbon of the same width everywhere on the screen; what is to come is fainter.
import * as THREE from 'three';

const VERTEX = `
  attribute vec3 before;
  attribute vec3 after;
  attribute float side;
  attribute float frame;
  uniform vec2 uScreen;
  uniform float uWidth;
  varying float vFrame;
  vec2 onScreen(vec4 clip) { return clip.xy / clip.w * uScreen; }
  void main() {
    vec4 here = projectionMatrix * viewMatrix * vec4(position, 1.0);
    vec4 from = projectionMatrix * viewMatrix * vec4(before, 1.0);
    vec4 to = projectionMatrix * viewMatrix * vec4(after, 1.0);
    vec2 along = onScreen(to) - onScreen(from);
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    here.xy += vec2(-along.y, along.x) * side * uWidth / uScreen * here.w;
    vFrame = frame;
    gl_Position = here;
  }`;

const FRAGMENT = `
  uniform vec3 uColour;
  uniform float uNow;
  varying float vFrame;
  void main() {
    gl_FragColor = vec4(uColour, vFrame <= uNow ? 0.95 : 0.28);
    #include <colorspace_fragment>
  }`;

export class Trail {
  /** @param {Float64Array} origin of what is drawn */
  constructor(origin) {
    this.origin = origin;
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: { uScreen: { value: new THREE.Vector2(1, 1) }, uWidth: { value: 1.6 }, uColour: { value: new THREE.Color() }, uNow: { value: 0 } },
    });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 3;
  }

  /**
   * @param {import('./film.js').Film | null} film
   * @param {number} index of a body; -1 for none
   */
  show(film, index) {
    this.mesh.visible = false;
    if (!film || index < 0 || film.bodies[index].frames < 2) return;
    const { start, frames } = film.bodies[index];
    const pose = new Float64Array(7);
    const points = [];
    for (let k = 0; k < frames; k++) {
      film.pose(index, start + k, pose);
      points.push([pose[0] - this.origin[0], pose[1] - this.origin[1], pose[2] - this.origin[2]]);
    }
    const twice = (pick) => Float32Array.from(points.flatMap((_, k) => [...pick(k), ...pick(k)]));
    const geometry = new THREE.BufferGeometry();
    const vectors = (values) => new THREE.BufferAttribute(values, 3);
    geometry.setAttribute('position', vectors(twice((k) => points[k])));
    geometry.setAttribute('before', vectors(twice((k) => points[Math.max(k - 1, 0)])));
    geometry.setAttribute('after', vectors(twice((k) => points[Math.min(k + 1, frames - 1)])));
    geometry.setAttribute('side', new THREE.BufferAttribute(Float32Array.from({ length: frames * 2 }, (_, v) => (v % 2 ? 1 : -1)), 1));
    geometry.setAttribute('frame', new THREE.BufferAttribute(twice((k) => [start + k]), 1));
    const corners = [];
    for (let k = 0; k + 1 < frames; k++) corners.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3);
    geometry.setIndex(corners);
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = true;
  }

  /**
   * @param {number} frame
   * @param {{width: number, height: number}} screen in CSS pixels
   */
  update(frame, screen) {
    this.material.uniforms.uNow.value = frame;
    this.material.uniforms.uScreen.value.set(screen.width / 2, screen.height / 2);
  }
}
