// window.physim: for tests, and for people in the console.

/**
 * @param {import('./player.js').Player} player
 * @param {import('./store.js').Store} store
 * @returns {object}
 */
export function api(player, store) {
  const { cast, clock, rig } = player;
  const place = (name) => {
    const found = cast.byName.get(name);
    if (found === undefined) throw new Error(`no body is called ${JSON.stringify(name)}`);
    return found;
  };
  const filmOf = (run) => {
    const film = run === 'b' ? cast.b : cast.a;
    if (!film) throw new Error('this page shows one run');
    return film;
  };
  return {
    /** The header of a run ('a' or 'b'): names, shapes, energies, notes. */
    film: (run = 'a') => filmOf(run).header,
    /** The first difference between two runs, or null. */
    difference: () => cast.first,
    /** Names of all bodies. */
    names: () => cast.pairs.map(({ name }) => name),
    /** The step that is shown. */
    step: () => clock.stop,
    /** Every step that can be shown. */
    steps: () => [...clock.stops],
    /** Shows the stored step nearest to this one. */
    seek: (step) => clock.seek(step),
    play: () => clock.play(),
    pause: () => clock.pause(),
    playing: () => clock.playing,
    /** Sets or tells the speed, as a multiple of real time. */
    speed: (value) => (value === undefined ? clock.speed : clock.setSpeed(value)),
    loop: (on) => (on === undefined ? clock.loop : clock.setLoop(on)),
    /** State of a body at a stored step of its run: position (m), orientation (w, x, y, z), velocities (m/s, rad/s); null where it does not exist. */
    positions(name, given, run = 'a') {
      const film = filmOf(run);
      const step = given ?? clock.stop * film.pace;
      const index = film.bodies.findIndex((body) => body.name === name);
      const frame = (step - film.first) / film.stride;
      const pose = new Float64Array(7);
      if (index < 0 || !Number.isInteger(frame) || !film.pose(index, frame, pose)) return null;
      const [linear, angular] = [new Float64Array(3), new Float64Array(3)];
      film.velocity(index, frame, linear);
      film.spin(index, frame, angular);
      return { position: [...pose.slice(0, 3)], orientation: [...pose.slice(3)], linear_velocity: [...linear], angular_velocity: [...angular] };
    },
    /** Contacts at a stored step: names, point (m), normal from a to b, impulse (N s), depth (m). */
    contacts(given, run = 'a') {
      const film = filmOf(run);
      const { from, to } = film.contactsAt(film.frameAt(given === undefined ? clock.stop : given / film.pace));
      return Array.from({ length: to - from }, (_, k) => {
        const n = [...film.contacts.numbers.slice((from + k) * 8, (from + k) * 8 + 8)];
        return {
          a: film.bodies[film.contacts.a[from + k]].name, b: film.bodies[film.contacts.b[from + k]].name,
          point: n.slice(0, 3), normal: n.slice(3, 6), impulse: n[6], depth: n[7],
        };
      });
    },
    /** Tells where the camera is; or sends it to a preset, or to {position, target}. */
    camera(view) {
      if (typeof view === 'string') rig.goTo(view, true);
      else if (view) rig.set(view);
      return { ...rig.get(), preset: rig.preset, gliding: rig.glide !== null };
    },
    /** Sets or tells a choice: colour, runs, contacts, grid, trail, bodies, theme, ui, panel, help, chart. */
    choose: (key, value) => (value === undefined ? store.get(key) : store.set(key, value)),
    colourBy: (mode) => store.set('colour', mode),
    theme: (name) => (name === undefined ? player.theme : store.set('theme', name)),
    showContacts: (on) => store.set('contacts', on),
    pick: (name) => store.set('picked', name === null ? -1 : place(name)),
    picked: () => cast.pairs[store.get('picked')]?.name ?? null,
    hovered: () => cast.pairs[store.get('hovered')]?.name ?? null,
    follow: (name) => store.set('follow', name === null ? -1 : place(name)),
    followed: () => cast.pairs[store.get('follow')]?.name ?? null,
    /** Where a body is on the screen, in CSS pixels of the window; null where it is not in sight. */
    onScreen(name) {
      const at = player.placeOf(place(name));
      const spot = at ? player.onScreen(at) : null;
      const corner = player.canvas.getBoundingClientRect();
      return spot?.visible ? { x: spot.x + corner.left, y: spot.y + corner.top } : null;
    },
    /** The linear colour of a body as it is drawn. */
    colourOf(name, run = 'a') {
      const { a, b } = cast.pairs[place(name)];
      return player.layers[run === 'b' ? 1 : 0]?.bodies.colourOf(run === 'b' ? b : a) ?? null;
    },
    /** How many arrows are drawn. */
    arrows: () => player.arrows.reduce((sum, { group, points }) => sum + (group.visible ? points.count : 0), 0),
    /** Everything as it was when the page was opened. */
    reset() {
      clock.pause();
      clock.setSpeed(1);
      clock.setLoop(false);
      clock.seek(clock.first);
      store.reset();
      rig.goTo('iso', true);
    },
    /** Draws at once; `update` does all of it but the drawing. */
    draw: () => player.draw(),
    update: () => player.update(),
  };
}
