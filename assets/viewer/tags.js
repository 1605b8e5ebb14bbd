// Names in the picture: of the body under the pointer, of the picked one, of the first to differ.
import { element, setText } from './elements.js';

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {HTMLElement}
 */
export function tags(player, store) {
  const { cast } = player;
  const hovered = element('div.tag.hovered', { role: 'tooltip', hidden: true });
  const picked = element('div.tag.picked', { hidden: true });
  const first = element('div.tag.first', { hidden: true });
  const place = (tag, at) => {
    const pair = cast.pairs[at];
    const centre = pair ? player.placeOf(at) : null;
    const spot = centre ? player.onScreen(centre) : null;
    tag.hidden = !spot?.visible;
    if (tag.hidden) return;
    setText(tag, pair.name || '(no name)');
    tag.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px) translate(-50%, calc(-100% - 14px))`;
  };
  const show = () => {
    place(picked, store.get('picked'));
    place(hovered, store.get('hovered') === store.get('picked') ? -1 : store.get('hovered'));
    const differs = cast.first && player.clock.step >= cast.first.step && cast.firstObject !== store.get('picked');
    place(first, differs ? cast.firstObject : -1);
  };
  player.onFrame(show);
  return element('div.tags', { 'aria-hidden': 'true' }, first, hovered, picked);
}

/**
 * Hovering and picking with the pointer.
 * @param {HTMLCanvasElement} canvas
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 */
export function pointing(canvas, player, store) {
  let down = null;
  let waiting = null;
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons > 0 || event.pointerType === 'touch') return;
    // One ray a picture is enough, however fast the pointer tells of itself.
    if (!waiting) requestAnimationFrame(() => {
      if (waiting) store.set('hovered', player.bodyAt(waiting.x, waiting.y));
      waiting = null;
      canvas.classList.toggle('over', store.get('hovered') >= 0);
    });
    waiting = { x: event.offsetX, y: event.offsetY };
  });
  canvas.addEventListener('pointerleave', () => {
    waiting = null;
    store.set('hovered', -1);
  });
  canvas.addEventListener('pointerdown', (event) => (down = { x: event.offsetX, y: event.offsetY }));
  canvas.addEventListener('pointerup', (event) => {
    const still = down && Math.hypot(event.offsetX - down.x, event.offsetY - down.y) < 5;
    down = null;
    if (still && event.button === 0) store.set('picked', player.bodyAt(event.offsetX, event.offsetY));
  });
  canvas.addEventListener('dblclick', (event) => {
    const place = player.bodyAt(event.offsetX, event.offsetY);
    if (place < 0) return;
    store.set('follow', place);
  });
}
