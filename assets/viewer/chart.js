// Curves over time on a small canvas, with a cursor where the clock is. A click goes there.
import { element, segments, setText } from './elements.js';
import { short, ticks, withUnit } from './measure.js';
import { valueAt } from './series.js';

const LEFT = 58;
const BOTTOM = 16;
const TOP = 6;

/**
 * @param {import('./series.js').Graph[]} graphs
 * @param {import('./clock.js').Clock} clock
 * @param {import('./pairs.js').Cast} cast
 * @param {import('./store.js').Store} store
 * @returns {{node: HTMLElement, redraw: () => void}}
 */
export function chart(graphs, clock, cast, store) {
  const canvas = element('canvas.curves', { role: 'img', 'aria-label': 'Curves over time; click to go to a time', title: 'Click to go there' });
  const values = element('div.values');
  const tabs = segments('Curves', graphs.map(({ id, title, about = title }) => ({ value: id, text: title, title: `${about} (E)` })), (id) => store.set('chart', id));
  const node = element('div.chart', {}, element('div.head', {}, tabs.node, values), canvas);
  const still = document.createElement('canvas');
  const hidden = new Set(graphs.flatMap(({ curves }) => curves.filter((curve) => curve.hidden).map(({ name }) => name)));
  let graph = graphs[0];
  let labels = [];

  const redraw = () => {
    if (!graph || canvas.clientWidth === 0) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    for (const each of [canvas, still]) {
      each.width = Math.round(canvas.clientWidth * ratio);
      each.height = Math.round(canvas.clientHeight * ratio);
    }
    paint(still, ratio, { ...graph, curves: graph.curves.filter(({ name }) => !hidden.has(name)) }, clock, cast, getComputedStyle(node));
    cursor();
  };
  const cursor = () => {
    if (!graph || canvas.width === 0) return;
    const ratio = canvas.width / Math.max(canvas.clientWidth, 1);
    const pen = canvas.getContext('2d');
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(still, 0, 0);
    const x = LEFT + partOf(clock, clock.step) * (canvas.clientWidth - LEFT - 8);
    pen.fillStyle = getComputedStyle(node).getPropertyValue('--accent');
    pen.fillRect(Math.round(x * ratio) - ratio * 0.75, 0, ratio * 1.5, canvas.height - BOTTOM * ratio);
    labels.forEach(({ curve, text }) => setText(text, withUnit(valueAt(curve, clock.step), graph.unit, 4)));
  };
  const choose = (id) => {
    graph = graphs.find((each) => each.id === id) ?? graphs[0];
    tabs.show(graph?.id);
    labels = (graph?.curves ?? []).map((curve) => ({ curve, text: element('b') }));
    values.replaceChildren(...labels.map(({ curve, text }) => {
      const swatch = element(curve.second ? 'i.dashed' : 'i');
      swatch.style.color = curve.colour;
      const button = element('button', { type: 'button', 'aria-pressed': String(!hidden.has(curve.name)), title: `Show or hide ${curve.name}` }, swatch, curve.name, text);
      button.addEventListener('click', () => {
        if (!hidden.delete(curve.name)) hidden.add(curve.name);
        button.setAttribute('aria-pressed', String(!hidden.has(curve.name)));
        redraw();
      });
      return button;
    }));
    redraw();
  };

  const seek = (event) => {
    const width = canvas.clientWidth - LEFT - 8;
    const part = Math.min(Math.max((event.offsetX - LEFT) / Math.max(width, 1), 0), 1);
    clock.seek(clock.first + part * (clock.last - clock.first));
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    seek(event);
  });
  canvas.addEventListener('pointermove', (event) => event.buttons > 0 && seek(event));
  clock.on(cursor);
  store.on(['chart'], choose);
  new ResizeObserver(redraw).observe(canvas);
  choose(store.get('chart'));
  return { node, redraw };
}

function partOf(clock, step) {
  return clock.last > clock.first ? (step - clock.first) / (clock.last - clock.first) : 0;
}

/** The curves, the axes and the mark of the first difference: all that stays while time goes on. */
function paint(canvas, ratio, graph, clock, cast, style) {
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const width = canvas.width / ratio - LEFT - 8;
  const height = canvas.height / ratio - TOP - BOTTOM;
  const { from, to, map, marks } = scaleOf(graph);
  const x = (step) => LEFT + partOf(clock, step) * width;
  const y = (value) => TOP + height * (1 - (map(value) - from) / (to - from));
  pen.font = `11px ${style.fontFamily}`;
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  for (const mark of marks) {
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.beginPath();
    pen.moveTo(LEFT, Math.round(y(mark)) + 0.5);
    pen.lineTo(LEFT + width, Math.round(y(mark)) + 0.5);
    pen.stroke();
    pen.fillStyle = style.getPropertyValue('--muted');
    pen.textAlign = 'right';
    pen.fillText(graph.logarithmic ? withUnit(mark, graph.unit, 1) : withUnit(mark, graph.unit, 3), LEFT - 6, y(mark));
  }
  const seconds = ticks(clock.first * clock.dt, clock.last * clock.dt, Math.max(2, Math.floor(width / 110)));
  pen.textBaseline = 'bottom';
  seconds.forEach((time, k) => {
    const at = x(time / (clock.dt || 1));
    pen.textAlign = k === 0 && at < LEFT + 8 ? 'left' : at > LEFT + width - 14 ? 'right' : 'center';
    pen.fillText(`${short(time, 3)} s`, at, canvas.height / ratio - 1);
  });
  if (cast.first) {
    pen.fillStyle = style.getPropertyValue('--second');
    pen.fillRect(Math.round(x(cast.first.step)) - 0.5, TOP, 1, height);
  }
  pen.lineJoin = 'round';
  for (const curve of graph.curves) {
    pen.strokeStyle = curve.colour;
    pen.lineWidth = 1.6;
    pen.setLineDash(curve.second ? [4, 3] : []);
    pen.beginPath();
    let drawing = false;
    for (let k = 0; k < curve.steps.length; k++) {
      const value = curve.values[k];
      if (!Number.isFinite(value) || (graph.logarithmic && value <= 0)) {
        drawing = false;
        continue;
      }
      if (drawing) pen.lineTo(x(curve.steps[k]), y(value));
      else pen.moveTo(x(curve.steps[k]), y(value));
      drawing = true;
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** The range of a graph and the values worth a line across. */
function scaleOf({ curves, logarithmic }) {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of curves) {
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      if (!Number.isFinite(value) || (logarithmic && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) [low, high] = logarithmic ? [1e-3, 1] : [0, 1];
  if (logarithmic) {
    const [from, to] = [Math.floor(Math.log10(low)), Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 1)];
    const every = Math.max(1, Math.ceil((to - from) / 4));
    const marks = [];
    for (let power = from; power <= to; power += every) marks.push(10 ** power);
    return { from, to, map: Math.log10, marks };
  }
  // Nought belongs to energies and counts, unless everything is far from it.
  if (low > 0 && low < 0.7 * high) low = 0;
  if (high < 0 && high > 0.7 * low) high = 0;
  if (low === high) [low, high] = [low - Math.max(Math.abs(low) * 0.5, 0.5), high + Math.max(Math.abs(high) * 0.5, 0.5)];
  const room = (high - low) * 0.04;
  return { from: low === 0 ? low : low - room, to: high + room, map: (value) => value, marks: ticks(low, high, 3) };
}
