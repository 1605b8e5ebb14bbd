// The overlay with all keys.
import { element, iconButton } from './elements.js';

/**
 * @param {import('./keyboard.js').Key[]} table
 * @param {import('./store.js').Store} store
 * @returns {HTMLElement}
 */
export function help(table, store) {
  const groups = [...new Set(table.map(({ group }) => group))];
  const close = iconButton('close', 'Close help', 'Esc', () => store.set('help', false));
  const card = element('div.card', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Help' },
    element('header', {}, element('h2', { text: 'Keys and mouse' }), close),
    element('p', { text: 'Drag to orbit, drag with the right button (or two fingers) to pan, turn the wheel or pinch to zoom. Click a body to pick it, double-click to follow it.' }),
    element('div.groups', {}, ...groups.map((group) => element('section', {}, element('h3', { text: group }), element('dl', {}, ...table
      .filter((entry) => entry.group === group)
      .flatMap(({ shown, text }) => [element('dt', {}, element('kbd', { text: shown })), element('dd', { text })]))))),
    element('p.foot', { text: 'Made by physim. For scripts: window.physim, and #step=120&camera=top&theme=dark&colour=speed&contacts=on&follow=NAME&ui=off.' }));
  const node = element('div.help', { hidden: true }, card);
  node.addEventListener('click', (event) => event.target === node && store.set('help', false));
  let before = null;
  store.on(['help'], (open) => {
    node.hidden = !open;
    if (open) {
      before = document.activeElement;
      close.focus();
    } else if (before instanceof HTMLElement) before.focus();
  });
  card.addEventListener('keydown', (event) => {
    // The close button is all that can have the focus in here.
    if (event.key === 'Tab') event.preventDefault();
  });
  return node;
}
