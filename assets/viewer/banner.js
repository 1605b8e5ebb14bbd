// Who is on stage: the name of the run or runs, the first difference between them, and what was thinned out.
import { element } from './elements.js';

/** On windows narrower than this the card of the first difference is one line that opens. */
const NARROW = 700;

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {HTMLElement}
 */
export function banner(player, store) {
  const { cast } = player;
  const { header } = cast.a;
  const node = element('div.banner', {}, element('h1', { text: header.scene || header.label || 'physim', title: header.scene }));
  if (cast.b) node.append(runLine(header, 'A'), runLine(cast.b.header, 'B'), differenceCard(player, store));
  else node.append(element('p.run', {}, labelOf(header), facts(header)));
  const notes = notesOf(cast);
  if (notes.length > 0) {
    node.append(element('ul.notes', { 'aria-label': 'What this page leaves out' }, ...notes.map((text) => element('li', { text }))));
  }
  return node;
}

function labelOf({ label }) {
  return element('span.label', { text: label, title: label });
}

function facts(header) {
  const parts = [header.scalar, header.hash ? header.hash.slice(0, 8) : ''].filter(Boolean);
  return element('span.facts', { text: parts.join(' · '), title: header.hash ? `hash of the last step: ${header.hash}` : '' });
}

function runLine(header, letter) {
  return element('p.run', {}, element(`i.letter.run-${letter.toLowerCase()}`, { text: letter }), labelOf(header), facts(header));
}

/** Everything that was thinned out, and what the end of the shorter of two runs means. */
function notesOf(cast) {
  const name = (letter, notes) => notes.map((note) => (cast.b ? `${letter}: ${note}` : note));
  const notes = [...name('A', cast.a.header.notes ?? []), ...name('B', cast.b?.header.notes ?? []), ...cast.differenceNotes];
  if (cast.byTime) notes.push('steps of A and B differ in length: the runs are laid over each other by time');
  const { endsEarlier } = cast;
  if (endsEarlier) notes.push(`${endsEarlier.letter} ends at step ${endsEarlier.step} and stands still from there`);
  if (cast.pairs.length === 0) notes.push('there are no bodies');
  return notes;
}

function differenceCard(player, store) {
  const { cast } = player;
  const { first } = cast;
  if (!first) return element('div.difference.same', { role: 'note' }, element('strong', { text: sameness(cast) }), settingsTable(cast));
  const place = cast.firstObject;
  const go = element('button.primary', {
    type: 'button', text: 'Go to first difference', title: 'Go to the first difference (X)', onclick: () => goToFirst(player, store),
  });
  const fold = element('button.fold', { type: 'button', title: 'Show or hide the details' }, element('strong', { text: `First difference: step ${first.step}${first.stage ? `, ${first.stage}` : ''}` }));
  const rest = element('div.rest', {},
    settingsTable(cast),
    element('p', {}, element('b', { text: first.object ?? '' , title: first.object ?? '' }), element('span', { text: first.field ? ` ${first.field}` : '' })),
    element('dl', {}, element('dt.run-a', { text: 'A' }), element('dd', { text: first.a ?? '–', title: first.a ?? '' }),
      element('dt.run-b', { text: 'B' }), element('dd', { text: first.b ?? '–', title: first.b ?? '' })),
    element('div.go', {}, go, place < 0 ? null : element('span.hint', { text: `${cast.pairs.filter(({ differsFrom }) => differsFrom < Infinity).length} of ${cast.pairs.length} bodies differ in the end` })));
  const open = (on) => {
    rest.hidden = !on;
    fold.setAttribute('aria-expanded', String(on));
  };
  fold.addEventListener('click', () => open(rest.hidden));
  open(window.innerWidth >= NARROW);
  return element('div.difference', { role: 'note', 'aria-label': 'First difference' }, fold, rest);
}

/** What the two runs were given that is not the same, or null. */
function settingsTable({ settings }) {
  if (settings.length === 0) return null;
  const cell = (tag, text) => element(tag, { text, title: text });
  return element('table.settings', {}, element('caption', { text: 'Not the same from the beginning' }),
    element('tr', {}, element('td'), element('th.run-a', { text: 'A' }), element('th.run-b', { text: 'B' })),
    ...settings.map(({ key, a, b }) => element('tr', {}, cell('th', key), cell('td', a), cell('td', b))));
}

/** Shows the step of the first difference, picks its object and brings it into sight. */
export function goToFirst(player, store) {
  const { cast, clock } = player;
  if (!cast.first) return;
  clock.playing = false;
  clock.seek(cast.first.step);
  if (cast.firstObject < 0) return;
  store.set('picked', cast.firstObject);
  player.reveal(cast.firstObject);
}

/** What can be said of two runs without a difference: of different scalars no bits can be the same, and what only one has is not compared. */
function sameness(cast) {
  const { endsEarlier } = cast;
  const same = cast.a.header.scalar === cast.b.header.scalar;
  if (!endsEarlier) return same ? 'The runs are the same' : 'No body is apart';
  return `${same ? 'The same' : 'No body is apart'} up to step ${endsEarlier.step}, where ${endsEarlier.letter} ends`;
}
