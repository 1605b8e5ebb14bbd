// Sample runs with made-up motion: ordinary ones and every edge case. `node sample.mjs FOLDER` writes them as pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble, encode } from './assemble.mjs';

const QUANTUM = { position: 2 ** -20, orientation: 2 ** -14, linear_velocity: 2 ** -12, angular_velocity: 2 ** -12 };
const HERE = { position: [0, 0, 0], orientation: [1, 0, 0, 0] };
export const NASTY = [
  '<img src=x onerror="window.__pwned=1">', '</script><script>window.__pwned=2</script>', `"quotes' and, commas; \\ back`,
  'two\nlines\tand a tab', '🎱 emoji', 'עברית مرحبا', '${window.__pwned=3}', '<!-- comment', '', 'a'.repeat(300), '__proto__', 'constructor',
];

/** Random numbers that are the same every time. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Balls of sorts that fall, bounce and roll; good enough to look at, not to believe. */
function simulate({ bodies, frames, dt, kick }) {
  const state = bodies.map(({ at, radius }) => ({ p: [...at], v: [0, 0, 0], q: [1, 0, 0, 0], w: [0, 0, 0], radius }));
  const films = bodies.map(() => []);
  const tracks = new Map();
  const energy = { step: [], kinetic: [], potential: [], total: [], contacts: [], overlap: [] };
  for (let frame = 0; frame < frames; frame++) {
    let [kinetic, potential, count, overlap] = [0, 0, 0, 0];
    state.forEach((s, k) => {
      films[k].push({ position: [...s.p], orientation: [...s.q], linear: [...s.v], angular: [...s.w] });
      const mass = bodies[k].mass ?? 0;
      kinetic += 0.5 * mass * (s.v[0] ** 2 + s.v[1] ** 2 + s.v[2] ** 2 + 0.4 * s.radius ** 2 * (s.w[0] ** 2 + s.w[1] ** 2 + s.w[2] ** 2));
      potential += mass * 9.81 * s.p[1];
    });
    if (kick && frame === kick.frame) state[kick.body].v[0] += kick.speed;
    state.forEach((s, k) => {
      if (bodies[k].kind !== 'dynamic') return;
      s.v[1] -= 9.81 * dt;
      const touch = (normal, depth, other, point) => {
        const into = normal.reduce((sum, n, c) => sum + n * (s.v[c] - (other?.v[c] ?? 0)), 0);
        const push = Math.max(0, -into * 1.35 + depth * 4);
        const share = other ? 0.5 : 1;
        normal.forEach((n, c) => {
          s.v[c] += n * push * share;
          s.p[c] += n * depth * 0.3 * share;
          if (other) other.v[c] -= n * push * share;
        });
        const friction = 0.985;
        s.v = s.v.map((value, c) => value * (normal[c] !== 0 ? 1 : friction));
        s.w = [s.v[2] / s.radius, s.w[1] * 0.98, -s.v[0] / s.radius];
        const who = other ? state.indexOf(other) : bodies.length;
        const id = `${who}/${k}`;
        const track = tracks.get(id)?.at(-1);
        const record = { point, normal: [...normal], impulse: push * share * bodies[k].mass, depth };
        if (track && track.start + track.states.length === frame) track.states.push(record);
        else if (!track || track.start + track.states.length < frame) tracks.set(id, [...(tracks.get(id) ?? []), { a: who, b: k, start: frame, states: [record] }]);
        count++;
        overlap = Math.max(overlap, depth);
      };
      if (s.p[1] < s.radius) touch([0, 1, 0], s.radius - s.p[1], null, [s.p[0], 0, s.p[2]]);
      for (let j = 0; j < k; j++) {
        const o = state[j];
        if (bodies[j].kind !== 'dynamic') continue;
        const d = s.p.map((value, c) => value - o.p[c]);
        const away = Math.hypot(...d);
        if (away < s.radius + o.radius && away > 0) touch(d.map((value) => value / away), s.radius + o.radius - away, o, o.p.map((value, c) => value + (d[c] / away) * o.radius));
      }
    });
    state.forEach((s, k) => {
      if (bodies[k].kind === 'kinematic') s.v = [Math.cos(frame * dt * 1.5) * 1.2, 0, 0];
      if (bodies[k].kind === 'static') return;
      s.p = s.p.map((value, c) => value + s.v[c] * dt);
      const [w, x, y, z] = s.q;
      const [a, b, c] = s.w.map((value) => (value * dt) / 2);
      const q = [w - a * x - b * y - c * z, x + a * w + b * z - c * y, y + b * w + c * x - a * z, z + c * w + a * y - b * x];
      s.q = q.map((value) => value / Math.hypot(...q));
    });
    const values = { step: frame, kinetic, potential, total: kinetic + potential, contacts: count, overlap };
    for (const key in energy) energy[key].push(values[key]);
  }
  return { films, tracks: [...tracks.values()].flat(), energy };
}

const sphere = (radius, rest = {}) => ({ shape: 'sphere', radius, ...HERE, ...rest });
const cuboid = (half_extents, rest = {}) => ({ shape: 'cuboid', half_extents, ...HERE, ...rest });
const capsule = (radius, half_height, rest = {}) => ({ shape: 'capsule', radius, half_height, ...HERE, ...rest });
const ground = { name: 'ground', kind: 'static', mass: null, at: [0, 0, 0], radius: 0, shapes: [{ shape: 'half-space', normal: [0, 1, 0], ...HERE }] };

function header(extra) {
  return {
    label: 'sample.mcap', scene: 'sample', scalar: 'fixed', dt: 1 / 60, hash: '5f1d7a0c99e2b3446a', stride: 1, first_step: 0,
    gravity: [0, -9.81, 0], quantum: QUANTUM, notes: [], energy: null, ...extra,
  };
}

function pileBodies(count) {
  const dice = random(7);
  const bodies = [];
  for (let k = 0; k < count; k++) {
    const radius = 0.18 + 0.12 * dice();
    const wide = Math.max(1.2, Math.cbrt(count) * 0.45);
    const at = [(dice() - 0.5) * wide, 0.6 + k * (count > 100 ? 0.01 : 0.28) + dice() * 0.2, (dice() - 0.5) * wide];
    const shape = k % 3 === 0 ? sphere(radius) : k % 3 === 1 ? cuboid([radius * 0.75, radius * 0.75, radius * 0.75])
      : capsule(radius * 0.55, radius * 0.55, { orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] });
    bodies.push({ name: `${['ball', 'box', 'pill'][k % 3]}[${Math.floor(k / 3)}]`, kind: 'dynamic', mass: 1000 * radius ** 3, at, radius, shapes: [shape] });
  }
  return bodies;
}

function runOf({ bodies, frames, kick = null, ...rest }) {
  const { films, tracks, energy } = simulate({ bodies, frames, dt: 1 / 60, kick });
  const all = bodies.map(({ name, kind, mass, shapes }, k) => ({ name, kind, mass, shapes, states: films[k] }));
  all.push({ name: ground.name, kind: ground.kind, mass: null, shapes: ground.shapes, states: films[0].map(() => ({ position: [0, 0, 0], orientation: [1, 0, 0, 0], linear: [0, 0, 0], angular: [0, 0, 0] })) });
  return header({ frames, last_step: frames - 1, bodies: all, contactTracks: tracks, energy, ...rest });
}

function pile(kick) {
  const bodies = pileBodies(27);
  bodies.push({ name: 'platform', kind: 'kinematic', mass: null, at: [0, 0.1, -1.9], radius: 0.3, shapes: [cuboid([0.7, 0.1, 0.3])] });
  bodies.push({ name: 'wall', kind: 'static', mass: null, at: [-2.4, 0.3, 0], radius: 0.5, shapes: [cuboid([0.08, 0.3, 1.2])] });
  bodies.push({ name: 'dumbbell', kind: 'dynamic', mass: 3, at: [0.2, 9, 0.1], radius: 0.3,
    shapes: [capsule(0.06, 0.25), sphere(0.17, { position: [0, 0.28, 0] }), sphere(0.17, { position: [0, -0.28, 0] })] });
  return runOf({ bodies, frames: 360, kick, scene: 'sample pile', label: kick ? 'pile_kicked.mcap' : 'pile.mcap' });
}

/** What `physim diff` would say: the first step at which each body's stored values differ. */
function differenceOf(a, b) {
  const bodies = [];
  a.bodies.forEach((body, k) => {
    const step = body.states.findIndex((state, frame) => JSON.stringify(state) !== JSON.stringify(b.bodies[k].states[frame]));
    if (step >= 0) bodies.push({ name: body.name, step });
  });
  const first = bodies.reduce((least, each) => (!least || each.step < least.step ? each : least), null);
  return {
    schema: 1, bodies, notes: [],
    first: first && { step: first.step, stage: 'solve contacts', section: 'bodies', object: first.name, field: 'linear_velocity.x', a: '0.0312500000', b: '0.0812500000' },
  };
}

function expected(films) {
  const list = [];
  films.forEach((film, run) => {
    for (const { name, states, start = 0 } of film.bodies) {
      for (let k = 0; k < states.length; k += Math.max(1, Math.floor(states.length / 7))) {
        list.push({ step: film.first_step + (start + k) * film.stride, body: name, run: 'ab'[run], position: states[k].position, orientation: states[k].orientation });
      }
    }
  });
  return list.filter((_, k) => k % Math.ceil(list.length / 400) === 0);
}

const still = (name, shapes, at, more = {}) => ({
  name, kind: 'dynamic', mass: 1, shapes, start: 0, ...more,
  states: Array.from({ length: more.states ?? 60 }, (_, k) => ({
    position: [at[0], at[1] + 0.3 * Math.sin(k / 9), at[2]], orientation: [Math.cos(k / 40), 0, Math.sin(k / 40), 0], linear: [0, 2 * Math.cos(k / 9), 0], angular: [0, 3, 0],
  })),
});

const rack = () => Array.from({ length: 15 }, (_, k) => still(`ball[${k}]`, [sphere(0.05)], [(k % 4) * 0.11, 0.05, Math.floor(k / 4) * 0.11]));
const comes = (name, x) => ({
  ...still(name, [sphere(0.05)], [0, 0, 0]),
  states: Array.from({ length: 60 }, (_, k) => ({ position: [x(k), 0.05, 0.2], orientation: [1, 0, 0, 0], linear: [0, 0, 0], angular: [0, 0, 0] })),
});

/** All samples: name to one or two runs with their difference. */
export const SAMPLES = {
  pile: () => ({ films: [pile(null)] }),
  two: () => {
    const films = [pile(null), pile({ frame: 60, body: 12, speed: 0.05 })];
    return { films, difference: differenceOf(...films) };
  },
  same: () => ({ films: [pile(null), pile(null)], difference: { schema: 1, first: null, bodies: [], notes: [] } }),
  unlike: () => {
    const a = header({ frames: 60, last_step: 59, bodies: [still('common', [sphere(0.3)], [0, 1, 0]), still('only here', [sphere(0.3)], [1, 1, 0])], contactTracks: null, label: 'long.mcap' });
    const b = header({ frames: 15, stride: 2, first_step: 10, last_step: 38, label: 'short.mcap', contactTracks: null,
      bodies: [still('common', [sphere(0.3)], [0.4, 1, 0], { states: 15 }), still('only there', [cuboid([0.2, 0.2, 0.2])], [-1, 1, 0], { states: 9, start: 3 })] });
    return { films: [a, b], difference: { schema: 1, first: { step: 10, stage: null, section: 'bodies', object: 'common', field: 'position.x', a: '0', b: '0.4' }, bodies: [{ name: 'common', step: 10 }], notes: ['the runs store different steps'] } };
  },
  // The same motion in steps of half the length.
  paces: () => {
    const run = (frames, dt, more) => header({ frames, last_step: frames - 1, dt, contactTracks: null, ...more,
      energy: Object.fromEntries(['step', 'kinetic', 'potential', 'total', 'contacts', 'overlap'].map((key) => [key, Array.from({ length: frames }, (_, k) => (key === 'step' ? k : key === 'total' ? 73000 + k * dt : 1))])),
      bodies: [{ ...still('mover', [sphere(0.2)], [0, 0, 0]), states: Array.from({ length: frames }, (_, k) => ({ position: [2 * k * dt, 1, 0], orientation: [1, 0, 0, 0], linear: [2, 0, 0], angular: [0, 0, 0] })) }] });
    return { films: [run(61, 1 / 64, { label: 'coarse.mcap' }), run(121, 1 / 128, { label: 'fine.mcap', scalar: 'f64' })],
      difference: { schema: 1, first: null, bodies: [], notes: [], settings: [{ key: 'solver.iterations', a: '10', b: '20' }] } };
  },
  // Most stand together, and one comes to them from far away; or leaves them for good.
  break: () => ({ films: [header({ frames: 60, last_step: 59, contactTracks: null, scene: 'a break', bodies: [...rack(), comes('cue', (k) => -3 + k * 0.045)] })] }),
  leaver: () => ({ films: [header({ frames: 60, last_step: 59, contactTracks: null, scene: 'one leaves', bodies: [...rack(), comes('leaver', (k) => 0.4 + k * 3)] })] }),
  empty: () => ({ films: [header({ frames: 1, last_step: 0, bodies: [], contactTracks: null, scene: 'nothing' })] }),
  none: () => ({ films: [header({ frames: 0, last_step: 0, bodies: [], contactTracks: [], scene: '', label: '', energy: { step: [], kinetic: [], potential: [], total: [], contacts: [], overlap: [] } })] }),
  one: () => ({ films: [header({ frames: 60, last_step: 59, gravity: [0, 0, 0], contactTracks: null, scene: 'one body', quantum: { ...QUANTUM, linear_velocity: null, angular_velocity: null }, bodies: [still('alone', [cuboid([0.5, 0.1, 0.25])], [0, 0, 0])] })] }),
  frame: () => ({ films: [header({ frames: 1, last_step: 0, contactTracks: [], scene: 'one frame', bodies: [still('alone', [sphere(0.5)], [0, 1, 0], { states: 1 })], energy: { step: [0], kinetic: [0], potential: [9.81], total: [9.81], contacts: [0], overlap: [0] } })] }),
  names: () => ({ films: [header({ frames: 60, last_step: 59, contactTracks: null, scene: NASTY[1], label: NASTY[0], notes: [NASTY[0], 'shows every 2nd step'], bodies: NASTY.map((name, k) => still(name, [sphere(0.3)], [k * 0.8, 1, 0])) })] }),
  far: () => ({ films: [header({ frames: 60, last_step: 59, gravity: [0, 0, -9.81], contactTracks: null, scene: 'far away, z up', quantum: { ...QUANTUM, position: 2 ** -10 },
    bodies: [still('far', [sphere(0.5)], [1e6, -2e6, 3]), still('farther', [capsule(0.2, 0.4)], [1e6 + 2, -2e6, 3])] })] }),
  late: () => ({ films: [header({ frames: 100, stride: 3, first_step: 30, last_step: 327, contactTracks: null, scene: 'late and gone', notes: ['shows every 3rd step', 'positions to 0.1 mm'],
    bodies: [still('early', [sphere(0.3)], [0, 1, 0], { states: 40 }), still('late', [cuboid([0.3, 0.3, 0.3])], [1, 1, 0], { states: 50, start: 50 })] })] }),
  thousand: () => ({ films: [header({ frames: 600, last_step: 599, contactTracks: null, scene: 'a thousand bodies', bodies: pileBodies(1000).map(({ name, shapes }, k) => {
    const [x, z] = [(k % 32) - 16, Math.floor(k / 32) - 16];
    return still(name, shapes, [x * 0.7, 1 + 0.5 * Math.sin(x + z), z * 0.7], { states: 600 });
  }) })] }),
};

/**
 * Writes a sample as NAME.html with NAME.expected.json beside it.
 * @param {string} name
 * @param {string} folder
 * @returns {string} path of the page
 */
export function writeSample(name, folder) {
  mkdirSync(folder, { recursive: true });
  const { films, difference } = SAMPLES[name]();
  const path = join(folder, `${name}.html`);
  writeFileSync(path, assemble(films.map(encode), difference ?? null));
  writeFileSync(join(folder, `${name}.expected.json`), JSON.stringify(expected(films)));
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...names] = process.argv.slice(2);
  for (const name of names.length > 0 ? names : Object.keys(SAMPLES)) console.log(writeSample(name, folder ?? '.'));
}
