// Choices in the address, so that a picture can be asked for: #step=120&camera=top&theme=dark&ui=off
import { MODES } from './colours.js';

/**
 * @param {string} hash with or without its #
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @param {string[]} charts the curves that there are
 * @returns {string[]} what could not be done, to be shown
 */
export function obey(hash, player, store, charts) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ''));
  const { cast, clock, rig } = player;
  const flag = (text) => !['off', '0', 'false', 'no'].includes(text);
  const number = (text, least, act) => text.trim() !== '' && Number(text) >= least && act(Number(text));
  /** Sets a choice where it is one of those that there are. */
  const oneOf = (key, values) => (text) => values.includes(text) && store.set(key, text);
  const body = (key) => (text) => {
    if (!cast.byName.has(text)) return `there is no body ${text}`;
    return store.set(key, cast.byName.get(text));
  };
  const actions = {
    theme: oneOf('theme', ['light', 'dark', 'auto']),
    colour: oneOf('colour', MODES.filter((mode) => cast.b || mode !== 'difference')),
    runs: oneOf('runs', cast.b ? ['both', 'a', 'b', 'blink'] : ['a']),
    contacts: (text) => store.set('contacts', flag(text)),
    grid: (text) => store.set('grid', flag(text)),
    trail: (text) => store.set('trail', flag(text)),
    ui: (text) => {
      store.set('ui', flag(text));
      // The picture has another shape now.
      if (rig.preset) rig.goTo(rig.preset, true);
    },
    panel: (text) => store.set('panel', flag(text)),
    chart: oneOf('chart', charts),
    step: (text) => number(text, -Infinity, (step) => clock.seek(step)),
    pick: body('picked'),
    camera: (text) => lookFrom(text, rig),
    zoom: (text) => number(text, Number.MIN_VALUE, (times) => rig.nudge({ nearer: 1 / times })),
    follow: body('follow'),
    speed: (text) => number(text, Number.MIN_VALUE, (speed) => clock.setSpeed(speed)),
    loop: (text) => clock.setLoop(flag(text)),
    play: (text) => (flag(text) ? clock.play() : null),
  };
  const problems = [...wanted.keys()].filter((key) => !Object.hasOwn(actions, key)).map((key) => `#${key}: there is no such choice`);
  for (const [key, act] of Object.entries(actions)) {
    if (!wanted.has(key)) continue;
    const text = wanted.get(key);
    // What an action returns: a problem in words, false where the value is none of its own.
    const result = act(text);
    if (result === false) problems.push(`#${key}: ${text} is not possible`);
    else if (typeof result === 'string') problems.push(`#${key}: ${result}`);
  }
  return problems;
}

/** A preset, or six numbers: where the camera stands and where it looks. */
function lookFrom(text, rig) {
  const numbers = text.split(',').map(Number);
  if (numbers.length === 6 && numbers.every(Number.isFinite)) return rig.set({ position: numbers.slice(0, 3), target: numbers.slice(3) });
  return rig.goTo(text, true);
}
