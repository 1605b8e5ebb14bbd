// The renderer, the lights and their shadow. Draws only when asked to.
import * as THREE from 'three';
import { cross, dot, unit } from './framing.js';

const SHADOW_PIXELS = 2048;
/** Of a side of the room that bodies mirror: it is soft, and a small one is ready sooner. */
const ROOM_PIXELS = 64;

/** Colours of the two themes; the background itself is the page's, behind a transparent canvas. */
export const THEMES = {
  light: { ground: '#e6e9ee', line: '#8d98a6', sky: '#ffffff', below: '#c9cfd8', sun: 2.6, fill: 0.75, room: 0.3, pick: '#0b57d0', hover: '#5b6675' },
  dark: { ground: '#2b333e', line: '#56647a', sky: '#cfe0ff', below: '#4a525e', sun: 2.6, fill: 0.9, room: 0.34, pick: '#8ab8ff', hover: '#aab4c0' },
};

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{right: number[], up: number[], front: number[]}} axes
   */
  constructor(canvas, axes) {
    this.canvas = canvas;
    this.axes = axes;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.fromArray(axes.up);
    this.sun = new THREE.DirectionalLight('#fffaf3', 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.intensity = 0.85;
    this.fill = new THREE.HemisphereLight('#ffffff', '#c0c8d4', 0.6);
    this.fill.position.fromArray(axes.up);
    this.scene.add(this.sun, this.sun.target, this.fill);
    this.scene.environment = room(this.renderer, axes.up);
    this.toSun = unit([0, 1, 2].map((c) => axes.up[c] + 0.6 * axes.right[c] + 0.42 * axes.front[c]));
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    const colours = THEMES[theme];
    this.sun.intensity = colours.sun;
    this.fill.intensity = colours.fill;
    this.fill.color.set(colours.sky);
    this.fill.groundColor.set(colours.below);
    this.scene.environmentIntensity = colours.room;
  }

  /** Fits the picture to the size of the canvas on the page. */
  resize() {
    const width = Math.max(this.canvas.clientWidth, 1);
    const height = Math.max(this.canvas.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /**
   * Puts the light where people look. The shadow map moves by whole pixels of its own, so that edges stand still.
   * @param {number[]} focus
   * @param {number} reach metres around the focus that shall have shadows
   */
  light(focus, reach) {
    const half = 1.25 ** Math.ceil(Math.log(Math.max(reach, 1e-3)) / Math.log(1.25));
    const across = unit(cross(this.axes.front, this.toSun));
    const above = cross(this.toSun, across);
    const pixel = (2 * half) / SHADOW_PIXELS;
    const snap = (value) => Math.round(value / pixel) * pixel;
    const [x, y, z] = [snap(dot(focus, across)), snap(dot(focus, above)), dot(focus, this.toSun)];
    const centre = [0, 1, 2].map((c) => x * across[c] + y * above[c] + z * this.toSun[c]);
    this.sun.target.position.fromArray(centre);
    this.sun.position.fromArray(centre.map((value, c) => value + 4 * half * this.toSun[c]));
    const { camera } = this.sun.shadow;
    if (camera.right !== half) {
      Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: half * 0.1, far: 8 * half });
      camera.updateProjectionMatrix();
      this.sun.shadow.normalBias = pixel;
      this.sun.shadow.bias = -0.0001;
    }
    camera.up.fromArray(above);
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}

/** A plain room of soft light to be mirrored: bright above, dim below, two lamps. */
function room(renderer, up) {
  const scene = new THREE.Scene();
  const sphere = new THREE.SphereGeometry(10, 32, 16);
  const colours = [];
  const place = sphere.getAttribute('position');
  for (let k = 0; k < place.count; k++) {
    const height = place.getY(k) / 10;
    const light = height > 0 ? 0.75 + 0.55 * height : 0.75 + 0.45 * height;
    colours.push(light * 0.97, light, light * 1.04);
  }
  sphere.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
  scene.add(new THREE.Mesh(sphere, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide })));
  for (const [x, y, z, size, strength] of [[3, 7, 3.5, 2.6, 7], [-6, 4, -3, 2, 2.5]]) {
    const lamp = new THREE.Mesh(new THREE.PlaneGeometry(size, size), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    lamp.material.color.setScalar(strength);
    lamp.position.set(x, y, z);
    lamp.lookAt(0, 0, 0);
    scene.add(lamp);
  }
  const turned = new THREE.Group();
  turned.add(...scene.children);
  turned.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3().fromArray(up));
  scene.add(turned);
  const generator = new THREE.PMREMGenerator(renderer);
  const { texture } = generator.fromScene(scene, 0.03, 0.1, 100, { size: ROOM_PIXELS });
  generator.dispose();
  return texture;
}
