// The bar of time: buttons, the slider with its mark, speed, and the time itself.
import { SPEEDS } from './clock.js';
import { choice, element, icon, iconButton, segments, setText } from './elements.js';
import { fixed } from './measure.js';

/**
 * @param {import('./clock.js').Clock} clock
 * @param {import('./pairs.js').Cast} cast
 * @param {import('./store.js').Store} store
 * @returns {HTMLElement}
 */
export function transport(clock, cast, store) {
  const play = iconButton('play', 'Play', 'Space', () => clock.toggle());
  play.classList.add('play');
  const [playIcon, pauseIcon] = [icon('play'), icon('pause')];
  const loop = iconButton('loop', 'Repeat', 'L', () => clock.setLoop(!clock.loop));
  loop.classList.add('loop');
  const speed = choice('Speed', SPEEDS.map((value) => ({ value: String(value), text: value === 1 ? '1× real time' : `${value}×` })), (value) => clock.setSpeed(Number(value)));
  speed.classList.add('speed');
  const bar = element('input.time', { type: 'range', min: clock.first, max: clock.last, step: 'any', value: clock.step, 'aria-label': 'Time', title: 'Time' });
  bar.addEventListener('input', () => clock.seek(Number(bar.value)));
  const stepText = element('span.step');
  const secondsText = element('span.seconds');
  const marks = element('div.marks', { 'aria-hidden': 'true' });
  if (cast.first) marks.append(mark(clock, cast.first.step));
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(clock.dt || 1)) + 1, 1), 6);

  const show = () => {
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
    play.title = `${clock.playing ? 'Pause' : 'Play'} (Space)`;
    const wanted = clock.playing ? pauseIcon : playIcon;
    if (play.firstChild !== wanted) play.replaceChildren(wanted);
    loop.setAttribute('aria-pressed', String(clock.loop));
    const known = SPEEDS.includes(clock.speed);
    if (known && speed.value !== String(clock.speed)) speed.value = String(clock.speed);
    bar.value = String(clock.step);
    const part = clock.last > clock.first ? (clock.step - clock.first) / (clock.last - clock.first) : 0;
    bar.style.setProperty('--part', String(part));
    setText(stepText, `step ${clock.stop} / ${clock.last}${cast.byTime ? ' of A' : ''}`);
    setText(secondsText, `${fixed(clock.stop * clock.dt, decimals)} s`);
    bar.setAttribute('aria-valuetext', `step ${clock.stop}, ${fixed(clock.stop * clock.dt, decimals)} seconds`);
  };
  clock.on(show);
  show();

  const runs = cast.b ? runButtons(store) : null;
  return element('div.transport', {},
    element('div.buttons', {},
      iconButton('first', 'To the beginning', 'Home', () => clock.seek(clock.first)),
      iconButton('back', 'One step back', '←', () => clock.move(-1)),
      play,
      iconButton('on', 'One step on', '→', () => clock.move(1)),
      iconButton('last', 'To the end', 'End', () => clock.seek(clock.last)),
      loop, speed, runs,
      element('span.grow'),
      element('div.clock', { role: 'status', 'aria-live': 'off' }, stepText, secondsText)),
    element('div.bar', {}, bar, marks));
}

function mark(clock, step) {
  const node = element('div.mark');
  node.style.left = `${clock.last > clock.first ? (100 * (step - clock.first)) / (clock.last - clock.first) : 0}%`;
  return node;
}

function runButtons(store) {
  const { node, show } = segments('Runs', [
    { value: 'both', text: 'Both', title: 'Both runs, the second over the first (R)' },
    { value: 'a', text: 'A', title: 'The first run (R)' },
    { value: 'b', text: 'B', title: 'The second run (R)' },
    { value: 'blink', text: 'Blink', title: 'The two in turn (R)' },
  ], (value) => store.set('runs', value));
  node.classList.add('runs');
  store.on(['runs'], show);
  show(store.get('runs'));
  return node;
}
