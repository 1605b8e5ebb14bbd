// The program: reads the data, puts the page together, starts the player.
import { api } from './api.js';
import { obey } from './address.js';
import { banner } from './banner.js';
import { chart } from './chart.js';
import { Clock } from './clock.js';
import { readData } from './data.js';
import { element } from './elements.js';
import { Film } from './film.js';
import { freeRectangles } from './framing.js';
import { gizmo } from './gizmo.js';
import { help } from './help.js';
import { keyTable, listenToKeys } from './keyboard.js';
import { legend } from './legend.js';
import { bodyList } from './list.js';
import { Cast } from './pairs.js';
import { details } from './panel.js';
import { Player } from './player.js';
import { graphs } from './series.js';
import { Store } from './store.js';
import { pointing, tags } from './tags.js';
import { toolbar } from './toolbar.js';
import { transport } from './transport.js';

const NARROW = 760;

const { films, difference } = await readData(document);
const [a, b] = films.map(({ header, blob }) => new Film(header, blob));
const cast = new Cast(a, b ?? null, difference);
const clock = new Clock(cast.stops, a.dt);
const curves = graphs(cast);
const store = new Store({
  colour: cast.first ? 'difference' : 'body', runs: cast.b ? 'both' : 'a', contacts: false, grid: true, trail: true, bodies: true, theme: 'auto', ui: true,
  panel: window.innerWidth > NARROW, help: false, chart: curves[0]?.id ?? '', picked: -1, hovered: -1, follow: -1,
});

const app = document.getElementById('app');
const canvas = element('canvas.picture', { tabindex: '0', role: 'img', 'aria-label': `The bodies of ${a.header.scene || 'the run'} in three dimensions; press ? for the keys` });
const view = element('div.view', {}, canvas);
app.append(view);

const calmly = window.matchMedia('(prefers-reduced-motion: reduce)');
const player = new Player(canvas, cast, clock, store, () => calmly.matches);
const key = legend(player, store);
const tools = toolbar(player, store);
const list = bodyList(cast, store, (place) => cssColour(player, place));
const state = details(player, store);
const graph = curves.length > 0 ? chart(curves, clock, cast, store) : null;
const keys = keyTable(player, store, curves, () => {
  store.set('panel', true);
  list.search.focus();
});
const side = element('aside.panel', { 'aria-label': 'Bodies' }, state.node, list.node);
const overlay = help(keys, store);
const names = banner(player, store);
view.append(tags(player, store), element('div.top', {}, names, tools), key.node, gizmo(player));
player.rig.free = () => freeRectangles([names, tools, key.node].filter((card) => card.checkVisibility()).map(partOfPicture));
// What the address asks for and the page does not have; a click lets it go.
const remark = element('div.remark', { role: 'status', hidden: true, title: 'Click to close', onclick: () => (remark.hidden = true) });
view.append(remark);
app.append(side, element('footer', {}, transport(clock, cast, store), ...(graph ? [graph.node] : [])), overlay);
listenToKeys(keys, store);
// A click on a button leaves the focus where it was, so that Space still plays; Tab reaches buttons all the same.
app.addEventListener('mousedown', (event) => event.target.closest('button') && event.preventDefault());
pointing(canvas, player, store);

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const dress = () => {
  const chosen = store.get('theme');
  const theme = chosen === 'auto' ? (dark.matches ? 'dark' : 'light') : chosen;
  document.documentElement.dataset.theme = theme;
  player.setTheme(theme);
  player.update();
  tools.showTheme();
  key.refresh();
  list.refresh();
  graph?.redraw();
};
const arrange = () => {
  app.classList.toggle('bare', !store.get('ui'));
  app.classList.toggle('with-panel', store.get('panel') && store.get('ui'));
  player.resize();
};
dark.addEventListener('change', dress);
store.on(['theme'], dress);
store.on(['ui', 'panel'], arrange);
store.on(['colour'], () => {
  player.update();
  list.refresh();
});
new ResizeObserver(() => player.resize()).observe(canvas);

arrange();
player.lookOver();
dress();
const heed = () => {
  const problems = obey(window.location.hash, player, store, curves.map(({ id }) => id));
  remark.hidden = problems.length === 0;
  remark.replaceChildren(...problems.map((text) => element('p', { text })));
};
heed();
window.addEventListener('hashchange', heed);
document.title = cast.b ? `${a.header.label} and ${cast.b.header.label} – physim` : `${a.header.scene || a.header.label} – physim`;
player.draw();
player.start();
document.documentElement.classList.add('ready');
Object.assign(window.physim, api(player, store));

/** Where a card lies over the picture, as parts of its width and height. */
function partOfPicture(card) {
  const [picture, over] = [canvas, card].map((node) => node.getBoundingClientRect());
  const [x, y] = [(at) => (at - picture.left) / picture.width, (at) => (at - picture.top) / picture.height];
  return { left: x(over.left), right: x(over.right), top: y(over.top), bottom: y(over.bottom) };
}

/** The colour of a body now, for the list. */
function cssColour({ layers }, place) {
  const pair = cast.pairs[place];
  const linear = (pair.a >= 0 ? layers[0].bodies.colourOf(pair.a) : layers[1].bodies.colourOf(pair.b)) ?? [0.4, 0.4, 0.4];
  const levels = linear.map((value) => Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)));
  return `rgb(${levels.join(' ')})`;
}
