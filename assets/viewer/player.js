// The picture: puts bodies, ground, contacts and trail where the clock says, and draws when something changed.
import * as THREE from 'three';
import { BodyMeshes, Outline } from './bodies.js';
import { CameraRig } from './camera.js';
import { Colours } from './colours.js';
import { ContactArrows } from './contacts.js';
import { directions, radiusOf, Subject } from './framing.js';
import { Ground } from './ground.js';
import { linear, SECOND_COLOUR } from './palette.js';
import { clearestCorner } from './overview.js';
import { firstBody } from './ray.js';
import { Specks } from './specks.js';
import { Stage, THEMES } from './stage.js';
import { Trail } from './trail.js';

const BLINK_SECONDS = 0.6;
/** So near to an end of the free picture a body counts as hidden. */
const EDGE = 0.02;

export class Player {
  #listeners = [];
  #dirty = true;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import('./pairs.js').Cast} cast
   * @param {import('./clock.js').Clock} clock
   * @param {import('./store.js').Store} store
   * @param {() => boolean} calm whether to do without gliding
   */
  constructor(canvas, cast, clock, store, calm) {
    Object.assign(this, { canvas, cast, clock, store });
    const films = [cast.a, cast.b].filter(Boolean);
    this.axes = directions(cast.a.header.gravity);
    this.subject = new Subject(films, this.axes, cast.firstPlaces(radiusOf));
    // Far from zero single precision is coarse: draw around a round place nearby.
    this.origin = Float64Array.from(this.subject.centre, (value) => (Math.abs(value) < 2000 ? 0 : Math.round(value / 1000) * 1000));
    this.stage = new Stage(canvas, this.axes);
    this.rig = new CameraRig(this.stage.camera, canvas, this.subject, this.origin, calm);
    this.colours = new Colours(cast);
    this.colours.mode = store.get('colour');
    this.layers = [{ film: cast.a, places: cast.placeA, bodies: new BodyMeshes(cast.a, this.origin) }];
    if (cast.b) this.layers.push({ film: cast.b, places: cast.placeB, bodies: new BodyMeshes(cast.b, this.origin) });
    this.ground = new Ground(cast.a, this.subject, this.origin);
    this.outline = new Outline(this.origin);
    this.trail = new Trail(this.origin);
    this.specks = new Specks(cast.a, this.origin, this.subject.radius);
    this.arrows = films.map((film) => new ContactArrows(film, this.origin, arrowSize(films, this.subject)));
    this.stage.scene.add(this.ground.group, this.outline.group, this.trail.mesh, this.specks.group);
    for (const { bodies } of this.layers) this.stage.scene.add(bodies.group);
    for (const { group } of this.arrows) this.stage.scene.add(group);
    this.pose = new Float64Array(7);
    this.poseB = new Float64Array(7);
    this.blink = 0;
    this.last = 0;
    this.theme = 'light';
    this.#listen();
  }

  #listen() {
    const { clock, store, rig } = this;
    rig.onChange = () => this.invalidate();
    clock.on(() => this.invalidate());
    store.on(['contacts', 'grid', 'trail', 'bodies', 'hovered', 'picked', 'runs'], () => this.invalidate());
    store.on(['runs'], () => this.#dress());
    store.on(['picked', 'trail', 'runs'], () => this.#showTrail());
    store.on(['grid'], (on) => this.ground.setGrid(on));
    store.on(['colour'], (mode) => {
      this.colours.mode = mode;
      this.invalidate();
    });
    store.on(['follow'], (place) => rig.follow(place < 0 ? null : this.placeOf(place)));
    this.#dress();
  }

  /** @param {() => void} listener called after each picture */
  onFrame(listener) {
    this.#listeners.push(listener);
  }

  /** Asks for a new picture. */
  invalidate() {
    this.#dirty = true;
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    this.theme = theme;
    this.colours.theme = theme;
    this.stage.setTheme(theme);
    this.ground.setTheme(THEMES[theme]);
    for (const arrows of this.arrows) arrows.setTheme(theme === 'dark');
    this.trail.material.uniforms.uColour.value.set(THEMES[theme].pick);
    this.invalidate();
  }

  /** Looks at the whole run from the corner that shows most of it. */
  lookOver() {
    const { camera } = this.stage;
    this.rig.overview = clearestCorner(this.cast.a, this.subject, (camera.fov * Math.PI) / 180, camera.aspect, this.rig.free());
    this.rig.goTo('iso', true);
  }

  resize() {
    this.stage.resize();
    this.invalidate();
  }

  /** Which of the runs is in front now: 0 or 1. */
  get front() {
    const runs = this.store.get('runs');
    return runs === 'b' || (runs === 'blink' && this.blink >= BLINK_SECONDS) ? 1 : 0;
  }

  /** Solid or translucent, as fits the runs that are shown. */
  #dress() {
    this.layers[1]?.bodies.setGhost(this.store.get('runs') === 'both');
  }

  #showTrail() {
    const pair = this.cast.pairs[this.store.get('picked')];
    if (!pair || !this.store.get('trail')) return this.trail.show(null, -1);
    const second = pair.a < 0 || (this.front === 1 && pair.b >= 0);
    this.trailFilm = second ? this.cast.b : this.cast.a;
    return this.trail.show(this.trailFilm, second ? pair.b : pair.a);
  }

  /** Runs for as long as the page is open. */
  start() {
    const turn = (now) => {
      this.tick(Math.min((now - this.last) / 1000, 0.1));
      this.last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      turn(now);
    });
  }

  /** @param {number} seconds of real time that went by */
  tick(seconds) {
    this.clock.tick(seconds);
    if (this.store.get('runs') === 'blink') {
      const before = this.front;
      this.blink = (this.blink + seconds) % (2 * BLINK_SECONDS);
      if (this.front !== before) this.invalidate();
    }
    if (this.rig.update(seconds)) this.invalidate();
    if (this.#dirty) this.draw();
  }

  /** Draws at once. */
  draw() {
    this.#dirty = false;
    this.update();
    this.stage.draw();
    for (const listener of this.#listeners) listener();
  }

  /** Everything that a picture needs, without drawing it. */
  update() {
    const { cast, clock, store, rig } = this;
    const { step } = clock;
    if (store.get('follow') >= 0) {
      const at = this.placeOf(store.get('follow'));
      if (at) rig.track(at);
    }
    this.layers.forEach((layer, number) => this.#updateBodies(layer, number, step));
    this.#updateOutline(step);
    const { focus, distance } = rig;
    this.ground.update(cast.a.frameAt(step), focus, distance);
    this.stage.light(focus, Math.min(Math.max(distance * 0.85, this.subject.radius * 0.05), this.subject.radius * 3));
    const screen = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    if (this.trail.mesh.visible) this.trail.update(this.trailFilm.frameAt(step), screen);
    this.specks.group.visible = store.get('bodies') && this.front === 0;
    if (this.specks.group.visible) this.specks.update(cast.a.frameAt(step), this.colours.painter(cast.a, cast.placeA, step), screen);
    this.arrows.forEach((arrows, number) => {
      arrows.group.visible = store.get('contacts') && number === this.front;
      if (arrows.group.visible) arrows.update(arrows.film.frameAt(step), distance * 0.0022);
    });
  }

  #updateBodies({ film, places, bodies }, number, step) {
    const runs = this.store.get('runs');
    const over = runs === 'both' && number === 1;
    bodies.group.visible = this.store.get('bodies') && (runs === 'both' || number === this.front);
    if (!bodies.group.visible) return;
    const { pairs } = this.cast;
    // Where both runs are the same the second would only flicker within the first.
    bodies.update(film.frameAt(step), over ? (index) => pairs[places[index]].differsFrom <= step : everyone);
    bodies.colour(over && this.colours.mode !== 'difference' ? this.colours.secondPainter() : this.colours.painter(film, places, step));
  }

  #updateOutline(step) {
    const { outline, store, cast, stage } = this;
    outline.clear();
    const eye = stage.camera.position;
    const width = (pixels) => (pose) => {
      const away = Math.hypot(pose[0] - this.origin[0] - eye.x, pose[1] - this.origin[1] - eye.y, pose[2] - this.origin[2] - eye.z);
      return (away * pixels * 2 * Math.tan((stage.camera.fov * Math.PI) / 360)) / Math.max(this.canvas.clientHeight, 1);
    };
    outline.group.visible = store.get('bodies');
    const rim = (place, colour, pixels) => {
      const pair = cast.pairs[place];
      if (!pair) return;
      const number = pair.a >= 0 && (this.front === 0 || pair.b < 0) ? 0 : 1;
      const { film, bodies } = this.layers[number];
      outline.add(bodies, number === 0 ? pair.a : pair.b, film.frameAt(step), linear(colour), width(pixels));
    };
    const colours = THEMES[this.theme];
    rim(store.get('picked'), colours.pick, 3);
    if (store.get('hovered') !== store.get('picked')) rim(store.get('hovered'), colours.hover, 2);
    const first = cast.firstObject;
    if (first >= 0 && first !== store.get('picked') && step >= cast.first.step) rim(first, SECOND_COLOUR, 3);
  }

  /**
   * @param {number} place in the cast
   * @returns {number[] | null} where its centre of mass is, in metres; null where it does not exist
   */
  placeOf(place) {
    const pair = this.cast.pairs[place];
    if (!pair) return null;
    const second = pair.a < 0 || (this.front === 1 && pair.b >= 0);
    const film = second ? this.cast.b : this.cast.a;
    return film.pose(second ? pair.b : pair.a, film.frameAt(this.clock.step), this.pose) ? [...this.pose.slice(0, 3)] : null;
  }

  /**
   * @param {number[]} point in metres
   * @returns {{x: number, y: number, visible: boolean}} CSS pixels from the corner of the canvas
   */
  onScreen(point) {
    corner.fromArray(point).sub(spot.fromArray(this.origin)).project(this.stage.camera);
    return {
      x: ((corner.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - corner.y) / 2) * this.canvas.clientHeight,
      visible: Math.abs(corner.x) <= 1 && Math.abs(corner.y) <= 1 && corner.z < 1,
    };
  }

  /**
   * Brings a body into the picture where it is not, or is behind a card; the camera keeps its direction.
   * @param {number} place in the cast
   */
  reveal(place) {
    this.update();
    const at = this.placeOf(place);
    if (!at) return;
    const { x, y, visible } = this.onScreen(at);
    const [across, down] = [x / this.canvas.clientWidth, y / this.canvas.clientHeight];
    // A little around it must be free as well.
    const isFree = this.rig.free().some(({ left, right, top, bottom }) => across > left + EDGE && across < right - EDGE && down > top + EDGE && down < bottom - EDGE);
    if (!visible || !isFree) this.rig.goTo('fit');
  }

  /**
   * @param {number} x CSS pixels from the left of the canvas
   * @param {number} y CSS pixels from its top
   * @returns {number} place in the cast of the nearest body there, or -1
   */
  bodyAt(x, y) {
    const { camera } = this.stage;
    spot.set((x / this.canvas.clientWidth) * 2 - 1, 1 - (y / this.canvas.clientHeight) * 2, 0.5).unproject(camera);
    const along = spot.sub(camera.position).normalize().toArray();
    const from = camera.position.toArray().map((value, c) => value + this.origin[c]);
    let best = { place: -1, distance: Infinity };
    for (const { film, places, bodies } of this.layers) {
      if (!bodies.group.visible) continue;
      const { index, distance } = firstBody(film, film.frameAt(this.clock.step), from, along);
      if (distance < best.distance) best = { place: places[index], distance };
    }
    return best.place;
  }
}

const corner = new THREE.Vector3();
const spot = new THREE.Vector3();
const everyone = () => true;

/** Metres of the arrow of a strong impulse: a few times the size of a common body. */
function arrowSize(films, subject) {
  const radii = films.flatMap((film) => film.bodies.filter(({ kind }) => kind === 'dynamic').map(radiusOf)).filter((r) => r > 0);
  const common = radii.length > 0 ? radii.sort((x, y) => x - y)[radii.length >> 1] : subject.radius / 4;
  return Math.min(common * 2.2, subject.radius * 0.5);
}
