// Every key, once: what it does and what the help says of it.
import { goToFirst } from './banner.js';
import { MODES } from './colours.js';

/**
 * @typedef {object} Key
 * @property {string[]} keys as `KeyboardEvent.key` has them, letters in lower case
 * @property {string} shown
 * @property {string} text
 * @property {string} group
 * @property {(event: KeyboardEvent) => void} act
 */

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @param {{id: string}[]} graphs
 * @param {() => void} search puts the cursor into the search field
 * @returns {Key[]}
 */
export function keyTable(player, store, graphs, search) {
  const { clock, cast, rig } = player;
  const key = (group, keys, shown, text, act) => ({ group, keys, shown, text, act });
  const next = (values, value) => values[(values.indexOf(value) + 1) % values.length];
  const modes = MODES.filter((mode) => mode !== 'difference' || cast.b);
  const picked = () => store.get('picked');
  const table = [
    key('Time', [' ', 'k'], 'Space', 'play or pause', () => clock.toggle()),
    key('Time', ['arrowright', '.'], '→', 'one step on; ten with Shift', (event) => clock.move(event.shiftKey ? 10 : 1)),
    key('Time', ['arrowleft', ','], '←', 'one step back; ten with Shift', (event) => clock.move(event.shiftKey ? -10 : -1)),
    key('Time', ['home'], 'Home', 'to the beginning', () => clock.seek(clock.first)),
    key('Time', ['end'], 'End', 'to the end', () => clock.seek(clock.last)),
    key('Time', [']'], ']', 'faster', () => clock.changeSpeed(1)),
    key('Time', ['['], '[', 'slower', () => clock.changeSpeed(-1)),
    key('Time', ['l'], 'L', 'repeat', () => clock.setLoop(!clock.loop)),
    key('Camera', ['1'], '1', 'overview', () => rig.goTo('iso')),
    key('Camera', ['2'], '2', 'front', () => rig.goTo('front')),
    key('Camera', ['3'], '3', 'side', () => rig.goTo('side')),
    key('Camera', ['4'], '4', 'top', () => rig.goTo('top')),
    key('Camera', ['0'], '0', 'fit everything', () => rig.goTo('fit')),
    key('Camera', ['a'], 'A', 'turn left', () => rig.nudge({ around: -0.1 })),
    key('Camera', ['d'], 'D', 'turn right', () => rig.nudge({ around: 0.1 })),
    key('Camera', ['w'], 'W', 'look from higher', () => rig.nudge({ over: 0.1 })),
    key('Camera', ['s'], 'S', 'look from lower', () => rig.nudge({ over: -0.1 })),
    key('Camera', ['+', '='], '+', 'nearer', () => rig.nudge({ nearer: 1 / 1.15 })),
    key('Camera', ['-'], '−', 'farther', () => rig.nudge({ nearer: 1.15 })),
    key('Bodies', ['/'], '/', 'search the bodies', search),
    key('Bodies', ['n'], 'N', 'pick the next body; the one before with Shift', (event) => {
      const count = cast.pairs.length;
      if (count > 0) store.set('picked', (Math.max(picked(), event.shiftKey ? 0 : -1) + (event.shiftKey ? count - 1 : 1)) % count);
    }),
    key('Bodies', ['f'], 'F', 'follow the picked body, or stop', () => store.set('follow', store.get('follow') === picked() ? -1 : picked())),
    key('Bodies', ['escape'], 'Esc', 'close help, let go of the body', () => {
      if (store.get('help')) store.set('help', false);
      else if (picked() >= 0) store.set('picked', -1);
      else store.set('follow', -1);
    }),
    key('View', ['c'], 'C', 'contacts', () => store.toggle('contacts')),
    key('View', ['o'], 'O', 'next way to colour', () => store.set('colour', next(modes, store.get('colour')))),
    key('View', ['g'], 'G', 'grid', () => store.toggle('grid')),
    key('View', ['y'], 'Y', 'trail of the picked body', () => store.toggle('trail')),
    key('View', ['e'], 'E', 'next curve', () => graphs.length > 0 && store.set('chart', next(graphs.map(({ id }) => id), store.get('chart')))),
    key('View', ['t'], 'T', 'light or dark', () => store.set('theme', player.theme === 'dark' ? 'light' : 'dark')),
    key('View', ['p'], 'P', 'list of bodies', () => store.toggle('panel')),
    key('View', ['h'], 'H', 'hide everything but the picture', () => store.toggle('ui')),
    key('View', ['?'], '?', 'this help', () => store.toggle('help')),
  ];
  if (cast.b) {
    table.push(
      key('Two runs', ['r'], 'R', 'both, A, B, blink', () => store.set('runs', next(['both', 'a', 'b', 'blink'], store.get('runs')))),
      key('Two runs', ['x'], 'X', 'go to the first difference', () => goToFirst(player, store)),
    );
  }
  return table;
}

/**
 * @param {Key[]} table
 * @param {import('./store.js').Store} store
 */
export function listenToKeys(table, store) {
  const byKey = new Map(table.flatMap((entry) => entry.keys.map((name) => [name, entry])));
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    const typing = target instanceof HTMLInputElement && target.type === 'search';
    if (typing && event.key === 'Escape') target.blur();
    if (typing || (target instanceof HTMLSelectElement && event.key !== 'Escape')) return;
    // A focused button keeps the keys that press it.
    if (target instanceof HTMLButtonElement && event.key === ' ') return;
    const entry = byKey.get(event.key.toLowerCase());
    if (!entry || (store.get('help') && !['?', 'escape'].includes(event.key.toLowerCase()))) return;
    event.preventDefault();
    entry.act(event);
  });
}
