// What the colours, the grid and the arrows mean, in a corner of the picture.
import { element, setText } from './elements.js';
import { short, withUnit } from './measure.js';
import { gradient } from './palette.js';

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {{node: HTMLElement, refresh: () => void}}
 */
export function legend(player, store) {
  const colours = element('div.colours');
  const grid = element('div.scale', { title: 'Size of a cell of the grid' }, element('i.cell'), element('span'));
  const arrow = element('div.scale', { title: 'Contacts: the arrow shows the impulse on the body that it pushes, its length how large it is' }, element('i.arrow'), element('span'));
  const node = element('div.legend', { 'aria-label': 'Legend' }, colours, element('div.scales', {}, grid, arrow));

  const refresh = () => {
    const { title, scale, items } = player.colours.legend();
    colours.replaceChildren(element('h3', { text: title }), ...(scale ? [scaleOf(scale)] : []), ...(items ?? []).map(itemOf));
  };
  const measures = () => {
    grid.hidden = !store.get('grid');
    setText(grid.lastChild, withUnit(player.ground.cell, 'm'));
    arrow.hidden = !store.get('contacts');
    const { size, strong, film } = player.arrows[player.front];
    setText(arrow.lastChild, film.contacts ? `${withUnit(strong, 'N s')} ≙ ${withUnit(size, 'm', 2)}` : 'contacts were not recorded');
  };
  store.on(['colour'], refresh);
  store.on(['grid', 'contacts'], measures);
  player.onFrame(measures);
  refresh();
  measures();
  return { node, refresh };
}

function scaleOf({ stops, from, middle, to, unit, andAbove }) {
  const bar = element('div.gradient');
  bar.style.background = gradient(stops);
  const text = (value) => element('span', { text: `${short(value, 6)}` });
  return element('div.map', {}, bar, element('div.ends', {}, text(from), Number.isFinite(middle) ? text(middle) : null, element('span', { text: `${andAbove ? '≥ ' : ''}${unit ? `${short(to, 4)} ${unit}` : short(to, 6)}` })));
}

function itemOf({ colour, colours = [colour], text }) {
  const dots = colours.map((each) => {
    const dot = element('i.dot');
    dot.style.background = each;
    return dot;
  });
  return element('div.item', {}, element('span.dots', {}, ...dots), element('span', { text }));
}
