// The three axes in a corner; a click on one looks along it.
import { element } from './elements.js';

const SIZE = 84;
const REACH = 27;
const AXES = [['x', [1, 0, 0]], ['y', [0, 1, 0]], ['z', [0, 0, 1]]];
const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {import('./player.js').Player} player
 * @returns {HTMLElement}
 */
export function gizmo(player) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Axes x, y, z');
  const drawn = AXES.map(([name, axis]) => {
    const group = document.createElementNS(SVG, 'g');
    group.setAttribute('class', `axis axis-${name}`);
    const line = document.createElementNS(SVG, 'line');
    const disc = document.createElementNS(SVG, 'circle');
    disc.setAttribute('r', '9');
    const text = document.createElementNS(SVG, 'text');
    text.textContent = name;
    const title = document.createElementNS(SVG, 'title');
    title.textContent = `Look along ${name}`;
    group.append(title, line, disc, text);
    group.addEventListener('click', () => lookAlong(player, axis));
    svg.append(group);
    return { axis, group, line, disc, text };
  });
  player.onFrame(() => {
    const { elements } = player.stage.camera.matrixWorldInverse;
    for (const { axis, group, line, disc, text } of drawn) {
      const c = axis.indexOf(1);
      const [x, y, depth] = [elements[c * 4] * REACH, -elements[c * 4 + 1] * REACH, elements[c * 4 + 2]];
      line.setAttribute('x2', x.toFixed(2));
      line.setAttribute('y2', y.toFixed(2));
      disc.setAttribute('cx', x.toFixed(2));
      disc.setAttribute('cy', y.toFixed(2));
      text.setAttribute('x', x.toFixed(2));
      text.setAttribute('y', y.toFixed(2));
      group.style.opacity = String(0.62 + 0.38 * depth);
    }
  });
  return element('div.gizmo', { title: 'Axes' }, svg);
}

/** Looks at the subject from the positive end of an axis; from the other end if it is seen from there already. */
function lookAlong(player, axis) {
  const { right, up, front } = player.axes;
  const parts = [right, up, front].map((of) => of[0] * axis[0] + of[1] * axis[1] + of[2] * axis[2]);
  const most = parts.reduce((best, part, k) => (Math.abs(part) > Math.abs(parts[best]) ? k : best), 0);
  const names = [['side', 'left'], ['top', 'bottom'], ['front', 'back']][most];
  const wanted = names[parts[most] > 0 ? 0 : 1];
  player.rig.goTo(player.rig.preset === wanted ? names[parts[most] > 0 ? 1 : 0] : wanted);
}
