// The list of bodies with a search field. Only the rows in sight exist, however many bodies there are.
import { element, icon, setText } from './elements.js';

const ROW = 28;
const naturally = new Intl.Collator('en', { numeric: true });

/**
 * @param {import('./pairs.js').Cast} cast
 * @param {import('./store.js').Store} store
 * @param {(place: number) => string} colourOf style colour of a body
 * @returns {{node: HTMLElement, search: HTMLInputElement, refresh: () => void}}
 */
export function bodyList(cast, store, colourOf) {
  const search = element('input.search', { type: 'search', placeholder: 'Search bodies', 'aria-label': 'Search bodies', title: 'Search bodies (/)', spellcheck: 'false', autocomplete: 'off' });
  const count = element('span.count', { role: 'status' });
  const filler = element('div.filler');
  const rows = element('div.rows', { role: 'listbox', tabindex: '0', 'aria-label': 'Bodies' }, filler);
  const lowered = cast.pairs.map(({ name }) => name.toLowerCase());
  // box[2] before box[10].
  const order = cast.pairs.map((_, place) => place).sort((x, y) => naturally.compare(cast.pairs[x].name, cast.pairs[y].name));
  let found = order;

  const refresh = () => {
    filler.style.height = `${found.length * ROW}px`;
    setText(count, found.length === cast.pairs.length ? `${found.length}` : `${found.length} of ${cast.pairs.length}`);
    const first = Math.max(0, Math.floor(rows.scrollTop / ROW) - 2);
    const last = Math.min(found.length, first + Math.ceil((rows.clientHeight || 300) / ROW) + 4);
    const made = [];
    for (let row = first; row < last; row++) made.push(rowOf(found[row], row));
    filler.replaceChildren(...made);
    const place = found.indexOf(store.get('picked'));
    if (place >= first && place < last) rows.setAttribute('aria-activedescendant', `body-${found[place]}`);
    else rows.removeAttribute('aria-activedescendant');
  };

  const rowOf = (place, row) => {
    const pair = cast.pairs[place];
    const dot = element('i.dot');
    dot.style.background = colourOf(place);
    const only = cast.b && (pair.a < 0 || pair.b < 0) ? element('span.only', { text: pair.a < 0 ? 'only in B' : 'only in A' }) : null;
    const node = element('div.row', {
      role: 'option', id: `body-${place}`, 'aria-selected': String(store.get('picked') === place), title: pair.name, 'data-place': place,
    }, dot, element('span.name', { text: pair.name || '(no name)' }), only, store.get('follow') === place ? icon('follow') : null);
    node.style.top = `${row * ROW}px`;
    return node;
  };

  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    found = order.filter((place) => lowered[place].includes(wanted));
    rows.scrollTop = 0;
    refresh();
  };
  const choose = (row) => {
    if (found.length === 0) return;
    const at = Math.min(Math.max(row, 0), found.length - 1);
    store.set('picked', found[at]);
    reveal(at);
  };
  const reveal = (at) => {
    if (at < 0) return;
    if (at * ROW < rows.scrollTop) rows.scrollTop = at * ROW;
    if ((at + 1) * ROW > rows.scrollTop + rows.clientHeight) rows.scrollTop = (at + 1) * ROW - rows.clientHeight;
    refresh();
  };

  search.addEventListener('input', filter);
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    rows.focus();
    choose(Math.max(found.indexOf(store.get('picked')), 0));
  });
  rows.addEventListener('scroll', refresh);
  rows.addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (row) store.set('picked', Number(row.dataset.place));
  });
  rows.addEventListener('mousemove', (event) => {
    const row = event.target.closest('.row');
    store.set('hovered', row ? Number(row.dataset.place) : -1);
  });
  rows.addEventListener('mouseleave', () => store.set('hovered', -1));
  rows.addEventListener('keydown', (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    choose(found.indexOf(store.get('picked')) + move);
  });
  store.on(['picked', 'follow'], () => reveal(found.indexOf(store.get('picked'))));
  store.on(['picked', 'follow', 'colour', 'panel'], refresh);
  new ResizeObserver(refresh).observe(rows);
  filter();
  return { node: element('section.list', { 'aria-label': 'Bodies' }, element('div.find', {}, search, count), rows), search, refresh };
}
