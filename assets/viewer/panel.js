// The state of the picked body in SI units.
import { element, iconButton, setText } from './elements.js';
import { CONTACT_NUMBERS } from './film.js';
import { fixed, short, withUnit } from './measure.js';

const MOST_CONTACTS = 12;
const REFRESH_MS = 80;

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {{node: HTMLElement, refresh: (now?: boolean) => void}}
 */
export function details(player, store) {
  const { cast } = player;
  const name = element('h2');
  const facts = element('p.facts');
  const follow = iconButton('follow', 'Follow', 'F', () => store.set('follow', store.get('follow') === store.get('picked') ? -1 : store.get('picked')));
  follow.classList.add('follow');
  const close = iconButton('close', 'Let go of the body', 'Esc', () => store.set('picked', -1));
  const values = element('dl');
  const contacts = element('div.touching');
  const node = element('section.details', { 'aria-label': 'Picked body', hidden: true },
    element('header', {}, name, follow, close), facts, values, contacts);
  let rows = new Map();
  let due = 0;

  const row = (key, label, unit) => {
    const value = element('dd');
    rows.set(key, value);
    values.append(element('dt', { text: label }), value, element('span.unit', { text: unit }));
  };
  const build = () => {
    const pair = cast.pairs[store.get('picked')];
    node.hidden = !pair;
    if (!pair) return;
    const { film, index } = shown(pair);
    const body = film.bodies[index];
    setText(name, pair.name || '(no name)');
    name.title = pair.name;
    const mass = body.mass === null || body.mass === undefined ? '' : ` · ${withMass(body.mass)}`;
    setText(facts, `${body.kind}${mass} · ${body.shapes.map((shape) => shapeText(shape) + (shape.sensor ? ' (sensor)' : '')).join(' + ') || 'no shape'}`);
    rows = new Map();
    values.replaceChildren();
    row('position', 'position', 'm');
    row('orientation', 'orientation w x y z', '');
    row('velocity', film.linear ? 'velocity' : 'velocity, from positions', 'm/s');
    row('speed', 'speed', 'm/s');
    row('spin', film.angular ? 'angular velocity' : 'angular velocity, from poses', 'rad/s');
    if (cast.b) row('distance', 'distance from A to B', '');
    if (cast.b) row('differs', 'first differs', '');
    refresh(true);
  };
  /** The run of which the state is shown: the one in front, if the body is in it. */
  const shown = (pair) => {
    const second = pair.a < 0 || (player.front === 1 && pair.b >= 0);
    return { film: second ? cast.b : cast.a, index: second ? pair.b : pair.a };
  };
  const refresh = (now = false) => {
    const pair = cast.pairs[store.get('picked')];
    const time = performance.now();
    if (!pair || (!now && player.clock.playing && time < due)) return;
    due = time + REFRESH_MS;
    follow.setAttribute('aria-pressed', String(store.get('follow') === store.get('picked')));
    const { film, index } = shown(pair);
    fill(film, index, pair);
    touching(film, index);
  };

  const fill = (film, index, pair) => {
    const frame = Math.floor(film.frameAt(player.clock.step) + 1e-9);
    const set = (key, text) => setText(rows.get(key), text);
    if (!film.pose(index, frame, pose)) {
      for (const value of rows.values()) setText(value, 'not there');
      return;
    }
    set('position', vector(pose.subarray(0, 3), 4));
    set('orientation', vector(pose.subarray(3), 4));
    film.velocity(index, frame, three);
    set('velocity', vector(three, 4));
    set('speed', short(Math.hypot(...three), 4));
    film.spin(index, frame, three);
    set('spin', vector(three, 3));
    if (!cast.b) return;
    set('distance', pair.a < 0 || pair.b < 0 ? `only in ${pair.a < 0 ? 'B' : 'A'}` : withUnit(cast.distance(pair, player.clock.step, pose, poseB), 'm', 4));
    set('differs', pair.differsFrom === Infinity ? 'never' : `at step ${pair.differsFrom}`);
  };

  const touching = (film, index) => {
    if (!film.contacts) {
      contacts.replaceChildren(element('h3', { text: 'Contacts were not recorded' }));
      return;
    }
    const { from, to } = film.contactsAt(film.frameAt(player.clock.step));
    const { a, b, numbers } = film.contacts;
    const found = [];
    for (let record = from; record < to; record++) if (a[record] === index || b[record] === index) found.push(record);
    const lines = found.slice(0, MOST_CONTACTS).map((record) => {
      const other = film.bodies[a[record] === index ? b[record] : a[record]];
      const n = record * CONTACT_NUMBERS;
      return element('li', {}, element('span.name', { text: other?.name ?? '?', title: other?.name ?? '' }),
        element('span.value', { text: withUnit(numbers[n + 6], 'N s'), title: 'impulse' }),
        element('span.value', { text: withUnit(numbers[n + 7], 'm', 2), title: 'overlap' }));
    });
    const more = found.length > MOST_CONTACTS ? [element('li', { text: `and ${found.length - MOST_CONTACTS} more` })] : [];
    const title = found.length === 0 ? 'No contacts' : found.length === 1 ? '1 contact' : `${found.length} contacts`;
    contacts.replaceChildren(element('h3', { text: title }), element('ul', {}, ...lines, ...more));
  };

  store.on(['picked', 'runs'], build);
  store.on(['follow'], () => refresh(true));
  player.onFrame(() => refresh(!player.clock.playing));
  build();
  return { node, refresh };
}

const pose = new Float64Array(7);
const poseB = new Float64Array(7);
const three = new Float64Array(3);

function vector(values, decimals) {
  return Array.from(values, (value) => fixed(value, decimals)).join('  ');
}

/** Grams below a kilogram, tonnes above a thousand of them. */
function withMass(kilograms) {
  if (kilograms >= 1000) return `${short(kilograms / 1000, 4)} t`;
  return kilograms < 1 && kilograms > 0 ? withUnit(kilograms * 1000, 'g', 4) : `${short(kilograms, 4)} kg`;
}

/** How wide points lie along each axis. */
function sides(points) {
  const along = (c, pick, start) => points.reduce((best, point) => pick(best, point[c]), start);
  return [0, 1, 2].map((c) => along(c, Math.max, -Infinity) - along(c, Math.min, Infinity));
}

function shapeText(shape) {
  const size = (value) => withUnit(value, 'm', 3);
  switch (shape.shape) {
    case 'sphere': return `sphere of radius ${size(shape.radius)}`;
    case 'cuboid': return `cuboid ${shape.half_extents.map((half) => size(2 * half)).join(' × ')}`;
    case 'capsule': return `capsule of radius ${size(shape.radius)}, length ${size(2 * (shape.half_height + shape.radius))}`;
    case 'cylinder': return `cylinder of radius ${size(shape.radius)}, height ${size(2 * shape.half_height)}`;
    case 'cone': return `cone of radius ${size(shape.radius)}, height ${size(2 * shape.half_height)}`;
    case 'hull': return `hull of ${shape.corners.length} corners, ${sides(shape.corners).map(size).join(' × ')}`;
    case 'mesh': return `mesh of ${shape.faces.length} triangles, ${sides(shape.corners).map(size).join(' × ')}`;
    default: return shape.shape;
  }
}
