// Half-spaces as large planes with a grid in metres; a bare grid where the scene has no floor of its own.
import * as THREE from 'three';
import { cross, dot, unit } from './framing.js';
import { turn } from './rotation.js';

/** A plane that fades into the distance, with lines every cell and stronger ones every ten. */
class GridPlane {
  /** @param {'floor' | 'wall' | 'bare'} look */
  constructor(look) {
    this.look = look;
    this.uniforms = {
      uCell: { value: 1 }, uFade: { value: 1 }, uFocus: { value: new THREE.Vector2() }, uShift: { value: new THREE.Vector2() },
      uRadius: { value: 10 }, uGrid: { value: 1 }, uLine: { value: new THREE.Color() },
      uAlong: { value: new THREE.Vector3() }, uAcross: { value: new THREE.Vector3() },
      uBase: { value: look === 'floor' ? 1 : look === 'wall' ? 0.28 : 0 },
    };
    const material = new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0, transparent: true, envMapIntensity: 0.6 });
    material.side = look === 'floor' ? THREE.FrontSide : THREE.DoubleSide;
    material.depthWrite = look === 'floor';
    material.polygonOffset = true;
    material.polygonOffsetFactor = 1;
    material.polygonOffsetUnits = 1;
    material.customProgramCacheKey = () => 'physim grid';
    material.onBeforeCompile = (shader) => this.#shade(shader);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = look !== 'bare';
    this.mesh.renderOrder = look === 'floor' ? -1 : 1;
  }

  #shade(shader) {
    Object.assign(shader.uniforms, this.uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vPlane;\nuniform vec3 uAlong;\nuniform vec3 uAcross;')
      .replace('#include <begin_vertex>', `#include <begin_vertex>
        vec3 placed = (modelMatrix * vec4(position, 1.0)).xyz;
        vPlane = vec2(dot(placed, uAlong), dot(placed, uAcross));`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        varying vec2 vPlane;
        uniform vec2 uFocus, uShift;
        uniform float uCell, uFade, uRadius, uGrid, uBase;
        uniform vec3 uLine;
        float lines(float cell, float pixels) {
          vec2 at = (vPlane + uShift) / cell;
          vec2 width = fwidth(at);
          vec2 away = abs(fract(at - 0.5) - 0.5) / max(width, 1e-9);
          // Where a cell is smaller than a few pixels its lines would only flicker.
          vec2 seen = clamp(pixels - away + 0.5, 0.0, 1.0) * (1.0 - smoothstep(0.12, 0.45, width));
          return max(seen.x, seen.y);
        }`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        float strength = uGrid * max(max(lines(uCell, 0.5) * 0.55 * uFade, lines(uCell * 10.0, 0.65) * (0.55 + 0.3 * uFade)), lines(uCell * 100.0, 0.8) * 0.85);
        float far = 1.0 - smoothstep(0.25, 1.0, length(vPlane - uFocus) / uRadius);
        diffuseColor.rgb = mix(diffuseColor.rgb, uLine, uBase > 0.0 ? strength : 1.0);
        diffuseColor.a = far * max(uBase, strength * (uBase > 0.0 ? 1.0 : 0.8));`);
  }

  /**
   * @param {number[]} normal
   * @param {number} height of the plane along the normal, from the origin of what is drawn
   * @param {number[]} focus where people look, from the same origin
   * @param {{cell: number, fade: number, radius: number}} scale
   */
  place(normal, height, focus, scale, origin) {
    const guess = Math.abs(normal[0]) > 0.9 ? [0, 0, 1] : [1, 0, 0];
    const across = unit(cross(normal, guess));
    const along = cross(across, normal);
    const lift = height - dot(focus, normal);
    const { uniforms, mesh } = this;
    uniforms.uAlong.value.fromArray(along);
    uniforms.uAcross.value.fromArray(across);
    uniforms.uFocus.value.set(dot(focus, along), dot(focus, across));
    // Only what is left over after whole large cells matters, and it stays small in single precision.
    const whole = scale.cell * 100;
    uniforms.uShift.value.set(dot(origin, along) % whole, dot(origin, across) % whole);
    uniforms.uCell.value = scale.cell;
    uniforms.uFade.value = scale.fade;
    uniforms.uRadius.value = scale.radius;
    mesh.matrixAutoUpdate = false;
    const size = scale.radius;
    mesh.matrix.set(
      along[0] * size, -across[0] * size, normal[0], focus[0] + lift * normal[0],
      along[1] * size, -across[1] * size, normal[1], focus[1] + lift * normal[1],
      along[2] * size, -across[2] * size, normal[2], focus[2] + lift * normal[2],
      0, 0, 0, 1,
    );
    mesh.matrixWorldNeedsUpdate = true;
  }
}

const MOST_PLANES = 32;

/** All planes of a scene. */
export class Ground {
  /**
   * @param {import('./film.js').Film} film
   * @param {import('./framing.js').Subject} subject
   * @param {Float64Array} origin of what is drawn
   */
  constructor(film, subject, origin) {
    this.film = film;
    this.subject = subject;
    this.origin = origin;
    this.group = new THREE.Group();
    this.pose = new Float64Array(7);
    this.cell = 1;
    this.planes = [];
    film.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        if (shape.shape !== 'half-space' || shape.sensor || this.planes.length === MOST_PLANES) continue;
        const placed = film.pose(index, body.start, this.pose);
        const normal = turn(this.pose, 3, turn(shape.orientation, 0, shape.normal));
        const level = placed && dot(normal, subject.axes.up) > 0.8;
        this.planes.push({ index, shape, grid: new GridPlane(level ? 'floor' : 'wall') });
      }
    });
    this.bare = this.planes.some(({ grid }) => grid.look === 'floor') ? null : new GridPlane('bare');
    for (const { grid } of this.planes) this.group.add(grid.mesh);
    if (this.bare) this.group.add(this.bare.mesh);
  }

  /** @param {{ground: string, line: string}} colours of the theme */
  setTheme(colours) {
    for (const grid of this.#all()) {
      grid.mesh.material.color.set(colours.ground);
      grid.uniforms.uLine.value.set(colours.line);
    }
  }

  /** @param {boolean} on whether lines are drawn; half-spaces stay */
  setGrid(on) {
    for (const grid of this.#all()) grid.uniforms.uGrid.value = on ? 1 : 0;
  }

  #all() {
    return [...this.planes.map(({ grid }) => grid), ...(this.bare ? [this.bare] : [])];
  }

  /**
   * @param {number} frame
   * @param {number[]} focus where the camera looks, from the origin of what is drawn
   * @param {number} distance from there to the camera
   */
  update(frame, focus, distance) {
    const level = Math.log10(Math.max(distance, 1e-6) / 14);
    const cell = 10 ** Math.floor(level);
    const fade = 1 - (level - Math.floor(level));
    // The size that a person would read off: the finest lines that are plainly visible.
    this.cell = fade > 0.5 ? cell : cell * 10;
    const scale = { cell, fade, radius: Math.max(distance * 5, this.subject.radius * 4) };
    for (const { index, shape, grid } of this.planes) {
      grid.mesh.visible = this.film.pose(index, frame, this.pose);
      if (!grid.mesh.visible) continue;
      const normal = turn(this.pose, 3, turn(shape.orientation, 0, shape.normal));
      const point = turn(this.pose, 3, shape.position).map((value, c) => value + this.pose[c] - this.origin[c]);
      grid.place(normal, dot(point, normal), focus, scale, this.origin);
    }
    const { up } = this.subject.axes;
    this.bare?.place(up, this.subject.floor - dot(this.origin, up), focus, scale, this.origin);
  }
}
