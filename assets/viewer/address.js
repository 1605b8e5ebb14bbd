// Choices in the address, so that a picture can be asked for: #step=120&camera=top&theme=dark&ui=off

/**
 * @param {string} hash with or without its #
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 */
export function obey(hash, player, store) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ''));
  const { cast, clock, rig } = player;
  const flag = (text) => !['off', '0', 'false', 'no'].includes(text);
  const place = (name) => cast.byName.get(name) ?? -1;
  const actions = {
    theme: (text) => ['light', 'dark', 'auto'].includes(text) && store.set('theme', text),
    colour: (text) => ['body', 'kind', 'speed', ...(cast.b ? ['difference'] : [])].includes(text) && store.set('colour', text),
    runs: (text) => cast.b && ['both', 'a', 'b', 'blink'].includes(text) && store.set('runs', text),
    contacts: (text) => store.set('contacts', flag(text)),
    grid: (text) => store.set('grid', flag(text)),
    trail: (text) => store.set('trail', flag(text)),
    ui: (text) => {
      store.set('ui', flag(text));
      // The picture has another shape now.
      if (rig.preset) rig.goTo(rig.preset, true);
    },
    panel: (text) => store.set('panel', flag(text)),
    chart: (text) => store.set('chart', text),
    step: (text) => clock.seek(Number(text)),
    pick: (text) => store.set('picked', place(text)),
    camera: (text) => lookFrom(text, rig),
    zoom: (text) => Number(text) > 0 && rig.nudge({ nearer: 1 / Number(text) }),
    follow: (text) => store.set('follow', place(text)),
    speed: (text) => clock.setSpeed(Number(text)),
    loop: (text) => clock.setLoop(flag(text)),
    play: (text) => flag(text) && clock.play(),
  };
  for (const [key, act] of Object.entries(actions)) if (wanted.has(key)) act(wanted.get(key));
}

/** A preset, or six numbers: where the camera stands and where it looks. */
function lookFrom(text, rig) {
  const numbers = text.split(',').map(Number);
  if (numbers.length === 6 && numbers.every(Number.isFinite)) rig.set({ position: numbers.slice(0, 3), target: numbers.slice(3) });
  else rig.goTo(text, true);
}
