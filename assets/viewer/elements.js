// Making elements. Text is only ever set as text, so no name of a body can become markup.

/**
 * @param {string} tag such as `div` or `button.primary`
 * @param {Record<string, any>} options attributes; `text` for its text, `on…` for listeners
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function element(tag, options = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(options)) {
    if (key === 'text') made.textContent = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const ICONS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  back: 'M17 5v14L8.5 12zM6 5h2v14H6z',
  on: 'M7 5v14l8.5-7zM16 5h2v14h-2z',
  first: 'M19 5v14l-7-7zM12 5v14l-7-7zM3.5 5h1.6v14H3.5z',
  last: 'M5 5v14l7-7zM12 5v14l7-7zM18.9 5h1.6v14h-1.6z',
  loop: 'M7 7h9v3l4.5-4L16 2v3H5v6h2zm10 10H8v-3l-4.5 4L8 22v-3h11v-6h-2z',
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11 1.5h2v3.5h-2zM11 19h2v3.5h-2zM1.5 11H5v2H1.5zM19 11h3.5v2H19zM4.2 5.6l1.4-1.4 2.5 2.5-1.4 1.4zM15.9 17.3l1.4-1.4 2.5 2.5-1.4 1.4zM15.9 6.7l2.5-2.5 1.4 1.4-2.5 2.5zM4.2 18.4l2.5-2.5 1.4 1.4-2.5 2.5z',
  moon: 'M20.5 14.6A8.7 8.7 0 0 1 9.4 3.5 8.8 8.8 0 1 0 20.5 14.6z',
  panel: 'M3 4h18v16H3zm2 2v12h8V6zm10 0v12h4V6z',
  contacts: 'M11 21v-9.2L7.4 15.4 6 14l6-6 6 6-1.4 1.4-3.6-3.6V21zM5 3h14v2H5z',
  help: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 16h-2v-2h2zm1.9-7.2-.9.9c-.7.7-1 1.3-1 2.3h-2v-.5c0-1.1.4-2.1 1.1-2.8l1.2-1.3c.4-.3.6-.8.6-1.4a2 2 0 0 0-4 0H8a4 4 0 0 1 8 0c0 .9-.4 1.7-1.1 2.8z',
  close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12 5 6.4z',
  follow: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM3 3h6v2H5v4H3zm12 0h6v6h-2V5h-4zM3 15h2v4h4v2H3zm16 0h2v6h-6v-2h4z',
};

/**
 * @param {keyof typeof ICONS} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/**
 * A button with an icon.
 * @param {keyof typeof ICONS} name
 * @param {string} label for those who cannot see it
 * @param {string} key that does the same; shown in the tooltip
 * @param {() => void} act
 */
export function iconButton(name, label, key, act) {
  return element('button.icon', { type: 'button', 'aria-label': label, title: key ? `${label} (${key})` : label, onclick: act }, icon(name));
}

/**
 * Buttons of which one is on.
 * @param {string} label of the group
 * @param {{value: string, text: string, title?: string}[]} options
 * @param {(value: string) => void} choose
 * @returns {{node: HTMLElement, show: (value: string) => void}}
 */
export function segments(label, options, choose) {
  const buttons = options.map(({ value, text, title }) =>
    element('button', { type: 'button', text, title: title ?? text, 'data-value': value, onclick: () => choose(value) }));
  const node = element('div.segments', { role: 'group', 'aria-label': label }, ...buttons);
  const show = (value) => buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.value === value)));
  return { node, show };
}

/**
 * A drop-down list.
 * @param {string} label
 * @param {{value: string, text: string}[]} options
 * @param {(value: string) => void} choose
 * @returns {HTMLSelectElement}
 */
export function choice(label, options, choose) {
  const node = element('select', { 'aria-label': label, title: label }, ...options.map(({ value, text }) => element('option', { value, text })));
  let byPointer = false;
  node.addEventListener('pointerdown', () => (byPointer = true));
  node.addEventListener('keydown', () => (byPointer = false));
  node.addEventListener('change', () => {
    choose(node.value);
    // Chosen with the mouse, it gives the keys back to the player.
    if (byPointer) node.blur();
  });
  return node;
}

/** Sets text only where it changed: each change costs a layout. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
