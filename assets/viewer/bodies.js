// Bodies as instanced meshes: one draw call for each form, however many bodies there are.
import * as THREE from 'three';
import { Pieces, farthest } from './pieces.js';

/** Fewer triangles where there are many round bodies. */
function geometries(count) {
  const round = count > 2500 ? 16 : count > 600 ? 24 : 40;
  const half = Math.ceil(round / 2);
  return {
    ball: new THREE.SphereGeometry(1, round, half),
    box: new THREE.BoxGeometry(2, 2, 2),
    tube: new THREE.CylinderGeometry(1, 1, 2, round, 1, true),
    cap: new THREE.SphereGeometry(1, round, Math.ceil(half / 2), 0, 2 * Math.PI, 0, Math.PI / 2),
    disc: new THREE.CircleGeometry(1, round).rotateX(-Math.PI / 2),
    // From its base half a half height below the centre of volume to its top.
    cone: new THREE.ConeGeometry(1, 2, round).translate(0, 0.5, 0),
  };
}

/** The faces of a hull or a mesh, brought to size 1, each with corners of its own so that they stay flat. */
function hullGeometry({ corners, faces }) {
  const size = farthest(corners);
  const points = faces.flatMap((face) => face.slice(2).flatMap((corner, k) => [face[0], face[k + 1], corner]));
  const places = points.flatMap((corner) => corners[corner].map((value) => value / size));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(places), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Patterns in the frame of the body, so that its rotation can be seen: darker edges on boxes, quarters on round ones. */
const PATTERN = {
  ball: 'float pattern = soft(vLocal.x) * soft(vLocal.y) * soft(vLocal.z); float tint = mix(0.80, 1.0, 0.5 + 0.5 * pattern);',
  cap: 'float tint = mix(0.80, 1.0, 0.5 + 0.5 * soft(vLocal.x));',
  tube: 'float tint = mix(0.80, 1.0, 0.5 + 0.5 * soft(vLocal.x));',
  disc: 'float tint = mix(0.80, 1.0, 0.5 + 0.5 * soft(vLocal.x));',
  cone: 'float tint = mix(0.80, 1.0, 0.5 + 0.5 * soft(vLocal.x));',
  hull: 'float tint = mix(0.86, 1.0, 0.5 + 0.5 * soft(vLocal.x) * soft(vLocal.y) * soft(vLocal.z));',
  box: `vec3 inside = (1.0 - abs(vLocal)) * vSize;
    float least = min(inside.x, min(inside.y, inside.z));
    float most = max(inside.x, max(inside.y, inside.z));
    float edge = inside.x + inside.y + inside.z - least - most;
    float width = 0.028 * min(vSize.x, min(vSize.y, vSize.z));
    float tint = mix(0.74, 1.0, smoothstep(width, width + 1.5 * fwidth(edge) + 1e-7, edge));`,
};

/** @param {import('./pieces.js').Form} form */
function materialOf(form) {
  const material = new THREE.MeshStandardMaterial({ roughness: form === 'box' ? 0.62 : 0.42, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vLocal;\nvarying vec3 vSize;')
      .replace('#include <begin_vertex>', `#include <begin_vertex>
        vLocal = position;
        vSize = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        varying vec3 vLocal;
        varying vec3 vSize;
        float soft(float x) { return clamp(x / (fwidth(x) + 1e-6), -1.0, 1.0); }`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        ${PATTERN[form.split(' ')[0]]}
        diffuseColor.rgb *= tint;`);
  };
  material.customProgramCacheKey = () => `physim ${form.split(' ')[0]}`;
  return material;
}

/** All bodies of one film. */
export class BodyMeshes {
  /**
   * @param {import('./film.js').Film} film
   * @param {Float64Array} origin of what is drawn
   */
  constructor(film, origin) {
    this.film = film;
    this.origin = origin;
    this.pieces = new Pieces(film);
    this.group = new THREE.Group();
    /** @type {Record<string, THREE.InstancedMesh>} */
    this.meshes = {};
    this.pose = new Float64Array(7);
    const forms = geometries(film.bodies.length);
    for (const [name, { form, isSensor, total }] of this.pieces.meshes) {
      const hull = this.pieces.hulls.get(form);
      const geometry = hull ? hullGeometry(hull) : forms[form];
      const mesh = new THREE.InstancedMesh(geometry, materialOf(form), total);
      mesh.userData.isSensor = isSensor;
      mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(total * 3).fill(1), 3);
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      // Bodies fly anywhere; a bound would have to be found anew for every frame.
      mesh.frustumCulled = false;
      mesh.receiveShadow = !isSensor;
      this.meshes[name] = mesh;
      this.group.add(mesh);
    }
    this.setGhost(false);
  }

  /**
   * @param {number} frame
   * @param {(index: number) => boolean} shown
   */
  update(frame, shown) {
    const { film, pieces, pose } = this;
    for (let index = 0; index < film.bodies.length; index++) {
      const visible = shown(index) && film.pose(index, frame, pose);
      for (let k = pieces.begin[index]; k < pieces.begin[index + 1]; k++) {
        const matrices = this.meshes[pieces.mesh[k]].instanceMatrix.array;
        if (visible) pieces.place(k, pose, this.origin, 0, matrices, pieces.slot[k] * 16);
        else matrices.fill(0, pieces.slot[k] * 16, pieces.slot[k] * 16 + 16);
      }
    }
    for (const name in this.meshes) this.meshes[name].instanceMatrix.needsUpdate = true;
  }

  /** @param {(index: number, out: Float32Array) => void} colourOf writes linear red, green, blue of a body */
  colour(colourOf) {
    const { film, pieces } = this;
    for (let index = 0; index < film.bodies.length; index++) {
      colourOf(index, scratch);
      for (let k = pieces.begin[index]; k < pieces.begin[index + 1]; k++) {
        this.meshes[pieces.mesh[k]].instanceColor.array.set(scratch, pieces.slot[k] * 3);
      }
    }
    for (const name in this.meshes) this.meshes[name].instanceColor.needsUpdate = true;
  }

  /**
   * @param {number} index of a body
   * @returns {number[] | null} its colour now; null where it has no shape that is drawn
   */
  colourOf(index) {
    const k = this.pieces.begin[index];
    if (k === this.pieces.begin[index + 1]) return null;
    const at = this.pieces.slot[k] * 3;
    return [...this.meshes[this.pieces.mesh[k]].instanceColor.array.slice(at, at + 3)];
  }

  /** @param {boolean} ghost whether to draw translucent, without a shadow; sensors always are */
  setGhost(ghost) {
    for (const mesh of Object.values(this.meshes)) {
      const { isSensor } = mesh.userData;
      mesh.material.transparent = ghost || isSensor;
      mesh.material.opacity = isSensor ? 0.22 : ghost ? 0.5 : 1;
      mesh.material.depthWrite = !isSensor;
      mesh.material.emissiveIntensity = ghost ? 0.25 : 0;
      mesh.material.emissive.set(ghost ? '#e2562f' : '#000000');
      mesh.castShadow = !ghost && !isSensor;
      mesh.renderOrder = isSensor ? 3 : ghost ? 2 : 0;
      mesh.material.needsUpdate = true;
    }
  }
}

const scratch = new Float32Array(3);
const MOST_OUTLINED = 96;

/** A bright rim around a few bodies: their pieces once more, a little larger, seen from inside. */
export class Outline {
  /** @param {Float64Array} origin of what is drawn */
  constructor(origin) {
    this.origin = origin;
    this.group = new THREE.Group();
    this.pose = new Float64Array(7);
    this.meshes = {};
    for (const [form, geometry] of Object.entries(geometries(1))) this.#addForm(form, geometry);
  }

  /** Room for pieces of a form. */
  #addForm(form, geometry) {
    const material = new THREE.MeshBasicMaterial({ side: THREE.BackSide, toneMapped: false });
    const mesh = new THREE.InstancedMesh(geometry, material, MOST_OUTLINED);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(MOST_OUTLINED * 3), 3);
    mesh.frustumCulled = false;
    mesh.count = 0;
    this.meshes[form] = mesh;
    this.group.add(mesh);
    return mesh;
  }

  /** Forgets what was outlined. */
  clear() {
    for (const mesh of Object.values(this.meshes)) {
      mesh.count = 0;
      mesh.visible = false;
    }
  }

  /**
   * @param {BodyMeshes} bodies
   * @param {number} index of a body among them
   * @param {number} frame
   * @param {ArrayLike<number>} colour linear
   * @param {(pose: Float64Array) => number} widthAt metres for a rim at a pose
   */
  add(bodies, index, frame, colour, widthAt) {
    if (!bodies.film.pose(index, frame, this.pose)) return;
    const { pieces } = bodies;
    for (let k = pieces.begin[index]; k < pieces.begin[index + 1]; k++) {
      const form = pieces.form[k];
      const mesh = this.meshes[form] ?? this.#addForm(form, hullGeometry(pieces.hulls.get(form)));
      if (mesh.count === MOST_OUTLINED) continue;
      pieces.place(k, this.pose, this.origin, widthAt(this.pose), mesh.instanceMatrix.array, mesh.count * 16);
      mesh.instanceColor.array.set(colour, mesh.count * 3);
      mesh.count++;
      mesh.visible = true;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }
}
