// The row of choices above the picture.
import { MODES } from './colours.js';
import { choice, element, iconButton } from './elements.js';

const CAMERAS = [
  ['iso', 'Overview', '1'], ['front', 'Front', '2'], ['side', 'Side', '3'], ['top', 'Top', '4'], ['fit', 'Fit', '0'],
];

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {HTMLElement}
 */
export function toolbar(player, store) {
  const modes = MODES.filter((mode) => mode !== 'difference' || player.cast.b);
  const colour = choice('Colour by', modes.map((mode) => ({ value: mode, text: `Colour: ${mode}` })), (mode) => store.set('colour', mode));
  colour.classList.add('colour');
  const showColour = (mode) => (colour.value = mode);
  store.on(['colour'], showColour);
  showColour(store.get('colour'));

  const cameras = element('div.segments.cameras', { role: 'group', 'aria-label': 'Camera' }, ...CAMERAS.map(([name, text, key]) =>
    element('button', { type: 'button', text, title: `${text} (${key})`, 'data-camera': name, onclick: () => player.rig.goTo(name) })));
  const contacts = toggle('contacts', 'Contacts', 'C', 'contacts', store);
  const panel = toggle('panel', 'Bodies', 'P', 'panel', store);
  const help = toggle('help', 'Help', '?', 'help', store);
  const theme = element('span.theme');
  const showTheme = () => {
    const dark = player.theme === 'dark';
    theme.replaceChildren(iconButton(dark ? 'sun' : 'moon', dark ? 'Light colours' : 'Dark colours', 'T', () => store.set('theme', dark ? 'light' : 'dark')));
  };
  showTheme();
  return Object.assign(element('div.toolbar', { role: 'toolbar', 'aria-label': 'View' }, colour, cameras, element('div.icons', {}, contacts, theme, panel, help)), { showTheme });
}

function toggle(name, label, key, choiceName, store) {
  const button = iconButton(name, label, key, () => store.toggle(choiceName));
  button.classList.add(`toggle-${choiceName}`);
  const show = (on) => button.setAttribute('aria-pressed', String(on));
  store.on([choiceName], show);
  show(store.get(choiceName));
  return button;
}
