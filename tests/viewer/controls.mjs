// Every control of a page with one run, one test each.
import assert from 'node:assert/strict';
import { eventually, near, Tab } from './tab.mjs';

const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
const clickAt = async (tab, name, times = 1) => {
  const spot = await tab.ask('onScreen', name);
  await tab.page.mouse.click(spot.x, spot.y, { clickCount: times });
  await tab.settle();
};
const pressed = (tab, selector) => tab.page.getAttribute(selector, 'aria-pressed');
/** A body that is alone in front: the ray through its centre meets it first. */
const ALONE = 'ball[2]';

async function preset(tab, button, key) {
  await tab.ask('camera', { position: [3, 9, 20], target: [0, 1, 0] });
  const before = await tab.ask('camera');
  await tab.click(`[data-camera="${button}"]`);
  await tab.settle();
  const clicked = await tab.ask('camera');
  assert.ok(distance(before.position, clicked.position) > 0.1, 'the camera did not move');
  await tab.ask('camera', { position: [3, 9, 20], target: [0, 1, 0] });
  await tab.key(key);
  const keyed = await tab.ask('camera');
  near(keyed.position, clicked.position, 1e-6, 'key and button lead to different places');
  const away = keyed.position.map((value, k) => value - keyed.target[k]);
  return away.map((value) => value / Math.hypot(...away));
}

export const CONTROLS = {
  'play goes on and pause stops at a stored step': async (tab) => {
    await tab.click('[aria-label="Play"]');
    assert.equal(await tab.ask('playing'), true);
    await eventually(async () => (await tab.ask('step')) > 3, 'the step grows');
    await tab.click('[aria-label="Pause"]');
    const step = await tab.ask('step');
    await tab.settle();
    assert.equal(await tab.ask('step'), step);
    assert.ok(Number.isInteger(step));
  },
  'space plays and pauses': async (tab) => {
    await tab.click('[data-camera="top"]');
    await tab.key(' ');
    assert.equal(await tab.ask('playing'), true, 'a button that was clicked does not take Space for itself');
    await tab.key(' ');
    assert.equal(await tab.ask('playing'), false);
  },
  'playing moves the bodies in the picture': async (tab) => {
    const before = await tab.pixels();
    await tab.ask('seek', 100);
    assert.ok(Tab.changed(before, await tab.pixels()) > 10);
  },
  'one step on and back, by button and by key': async (tab) => {
    await tab.ask('seek', 50);
    await tab.click('[aria-label="One step on"]');
    assert.equal(await tab.ask('step'), 51);
    await tab.click('[aria-label="One step back"]');
    await tab.click('[aria-label="One step back"]');
    assert.equal(await tab.ask('step'), 49);
    await tab.key('ArrowRight', 'Shift+ArrowRight');
    assert.equal(await tab.ask('step'), 60);
    await tab.key('ArrowLeft', 'Shift+ArrowLeft');
    assert.equal(await tab.ask('step'), 49);
  },
  'home and end': async (tab) => {
    await tab.click('[aria-label="To the end"]');
    assert.equal(await tab.ask('step'), 359);
    await tab.key('Home');
    assert.equal(await tab.ask('step'), 0);
    await tab.key('End');
    assert.equal(await tab.ask('step'), 359);
    await tab.click('[aria-label="To the beginning"]');
    assert.equal(await tab.ask('step'), 0);
    await tab.key('ArrowLeft');
    assert.equal(await tab.ask('step'), 0, 'there is nothing before the first step');
  },
  'the slider scrubs, and the text says step and seconds': async (tab) => {
    const box = await tab.page.locator('input.time').boundingBox();
    await tab.page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
    const step = await tab.ask('step');
    assert.ok(Math.abs(step - 179.5) < 6, `half of the slider is step ${step}`);
    assert.equal(await tab.text('.clock .step'), `step ${step} / 359`);
    assert.equal(await tab.text('.clock .seconds'), `${(step / 60).toFixed(3)} s`);
    await tab.key('ArrowRight');
    assert.equal(await tab.ask('step'), step + 1, 'arrows work while the slider has the focus');
  },
  'speed by list and by key': async (tab) => {
    await tab.page.selectOption('select.speed', '0.25');
    assert.equal(await tab.ask('speed'), 0.25);
    await tab.page.focus('canvas.picture');
    await tab.key(']', ']', ']');
    assert.equal(await tab.ask('speed'), 2);
    await tab.key('[');
    assert.equal(await tab.ask('speed'), 1);
    assert.equal(await tab.page.inputValue('select.speed'), '1');
  },
  'a higher speed covers more steps': async (tab) => {
    const covered = async (speed) => {
      await tab.ask('seek', 0);
      await tab.ask('speed', speed);
      return tab.page.evaluate(async () => {
        const next = () => new Promise((done) => requestAnimationFrame(done));
        window.physim.play();
        await next();
        const from = [performance.now(), window.physim.step()];
        for (let k = 0; k < 8; k++) await next();
        const to = [performance.now(), window.physim.step()];
        window.physim.pause();
        return (to[1] - from[1]) / (to[0] - from[0]);
      });
    };
    assert.ok((await covered(2)) > 3 * (await covered(0.1)));
  },
  'repeat starts again at the end; without it the run stops there': async (tab) => {
    await tab.ask('speed', 8);
    await tab.ask('seek', 355);
    await tab.ask('play');
    await eventually(async () => !(await tab.ask('playing')), 'it stops at the end');
    assert.equal(await tab.ask('step'), 359);
    await tab.click('button.loop');
    assert.equal(await pressed(tab, 'button.loop'), 'true');
    await tab.ask('seek', 355);
    await tab.ask('play');
    await eventually(async () => (await tab.ask('step')) < 300, 'it starts again');
    assert.equal(await tab.ask('playing'), true);
    await tab.key('l');
    assert.equal(await tab.ask('loop'), false);
  },
  'play at the end starts from the beginning': async (tab) => {
    await tab.ask('seek', 359);
    await tab.click('[aria-label="Play"]');
    assert.equal(await tab.ask('playing'), true);
    assert.ok((await tab.ask('step')) < 300);
  },
  'a click on the curves goes there': async (tab) => {
    const box = await tab.page.locator('canvas.curves').boundingBox();
    await tab.page.mouse.click(box.x + 58 + (box.width - 66) * 0.25, box.y + 30);
    assert.ok(Math.abs((await tab.ask('step')) - 90) <= 1);
  },
  'the curves show energies of the step; tabs change them; a curve can be hidden': async (tab) => {
    const image = () => tab.page.evaluate(() => document.querySelector('canvas.curves').toDataURL());
    await tab.ask('seek', 0);
    const values = await tab.text('.values');
    const { energy } = await tab.ask('film');
    assert.match(values, new RegExp(`total${(energy.total[0] / 1000).toPrecision(4).replace(/\.?0+$/, '')} kJ`));
    const before = await image();
    await tab.click('.values button >> nth=0');
    assert.notEqual(await image(), before, 'hiding a curve changes nothing');
    await tab.click('.chart .segments button[data-value="contacts"]');
    assert.equal(await tab.ask('choose', 'chart'), 'contacts');
    assert.match(await tab.text('.values'), /contacts/);
    await tab.page.focus('canvas.picture');
    await tab.key('e');
    assert.equal(await tab.ask('choose', 'chart'), 'overlap');
  },
  'the cursor on the curves moves with the step': async (tab) => {
    const image = () => tab.page.evaluate(() => document.querySelector('canvas.curves').toDataURL());
    const before = await image();
    await tab.ask('seek', 200);
    assert.notEqual(await image(), before);
  },
  'preset front looks along front': async (tab) => near(await preset(tab, 'front', '2'), [0, 0, 1], 1e-3, 'direction'),
  'preset side looks from the right': async (tab) => near(await preset(tab, 'side', '3'), [1, 0, 0], 1e-3, 'direction'),
  'preset top looks down': async (tab) => near(await preset(tab, 'top', '4'), [0, 1, 0], 1e-3, 'direction'),
  'preset overview looks from above': async (tab) => assert.ok((await preset(tab, 'iso', '1'))[1] > 0.3),
  'fit keeps the direction': async (tab) => near(await preset(tab, 'fit', '0'), [3, 8, 20].map((value) => value / Math.hypot(3, 8, 20)), 1e-3, 'direction'),
  'the first view has most bodies in sight': async (tab) => {
    for (const step of [0, 180, 359]) {
      await tab.ask('seek', step);
      const names = await tab.ask('names');
      const seen = await tab.page.evaluate(() => window.physim.names().filter((name) => window.physim.onScreen(name)).length);
      assert.ok(seen > names.length * 0.8, `${seen} of ${names.length} at step ${step}`);
    }
  },
  'dragging orbits, the wheel zooms, the right button pans': async (tab) => {
    const start = await tab.ask('camera');
    const drag = async (button) => {
      await tab.page.mouse.move(400, 200);
      await tab.page.mouse.down({ button });
      await tab.page.mouse.move(460, 230, { steps: 3 });
      await tab.page.mouse.up({ button });
      await tab.settle();
      return tab.ask('camera');
    };
    const orbited = await drag('left');
    assert.ok(distance(orbited.position, start.position) > 0.1);
    near(orbited.target, start.target, 1e-6, 'orbiting keeps the target');
    const panned = await drag('right');
    assert.ok(distance(panned.target, orbited.target) > 0.01);
    const away = ({ position, target }) => distance(position, target);
    await tab.page.mouse.wheel(0, -400);
    await eventually(async () => away(await tab.ask('camera')) < 0.95 * away(panned), 'the wheel zooms');
  },
  'keys turn the camera and bring it nearer': async (tab) => {
    for (const key of ['a', 'd', 'w', 's', '+', '-']) {
      const before = await tab.ask('camera');
      await tab.key(key);
      const after = await tab.ask('camera');
      assert.ok(distance(before.position, after.position) > 0.05, `${key} does nothing`);
      near(after.target, before.target, 1e-6, `${key} moves the target`);
    }
  },
  'an axis of the gizmo looks along it': async (tab) => {
    await tab.page.locator('.axis-y circle').dispatchEvent('click');
    await tab.settle();
    const { position, target } = await tab.ask('camera');
    assert.ok(position[1] - target[1] > 5 && Math.abs(position[0] - target[0]) < 0.1);
  },
  'colour by kind, speed and body changes the bodies': async (tab) => {
    await tab.ask('seek', 60);
    const seen = new Map();
    for (const mode of ['body', 'kind', 'speed']) {
      await tab.page.selectOption('select.colour', mode);
      await tab.settle();
      seen.set(mode, { pixels: await tab.pixels(), ball: await tab.ask('colourOf', 'ball[4]') });
    }
    assert.notDeepEqual(seen.get('body').ball, seen.get('kind').ball);
    assert.notDeepEqual(seen.get('kind').ball, seen.get('speed').ball);
    assert.ok(Tab.changed(seen.get('body').pixels, seen.get('speed').pixels) > 10);
    await tab.page.focus('canvas.picture');
    await tab.key('o');
    assert.equal(await tab.ask('choose', 'colour'), 'body');
  },
  'colour by speed follows the speed': async (tab) => {
    await tab.ask('colourBy', 'speed');
    await tab.ask('seek', 0);
    await tab.settle();
    const slow = await tab.ask('colourOf', 'dumbbell');
    await tab.ask('seek', 55);
    await tab.settle();
    assert.notDeepEqual(await tab.ask('colourOf', 'dumbbell'), slow);
  },
  'the legend says what the colours mean': async (tab) => {
    await tab.ask('colourBy', 'speed');
    assert.match(await tab.text('.legend'), /Speed0.*≥ [\d.]+ m\/s/);
    await tab.ask('colourBy', 'body');
    assert.match(await tab.text('.legend'), /8 colours in turn/);
    assert.equal(await tab.page.locator('.legend .dots >> nth=0 >> .dot').count(), 8);
    await tab.ask('colourBy', 'kind');
    assert.match(await tab.text('.legend'), /dynamickinematicstatic/);
  },
  'the grid can be hidden, and its cell adapts': async (tab) => {
    const shown = await tab.pixels();
    const cell = await tab.text('.scale >> nth=0');
    await tab.ask('camera', { position: [0, 300, 300], target: [0, 0, 0] });
    await tab.settle();
    assert.notEqual(await tab.text('.scale >> nth=0'), cell);
    await tab.ask('camera', 'iso');
    await tab.key('g');
    assert.ok(Tab.changed(shown, await tab.pixels()) > 20);
    assert.equal(await tab.visible('.scale >> nth=0'), false);
  },
  'contacts are drawn as arrows when asked for': async (tab) => {
    await tab.ask('seek', 150);
    assert.equal(await tab.ask('arrows'), 0);
    const before = await tab.pixels();
    await tab.click('.toggle-contacts');
    await tab.settle();
    const contacts = await tab.ask('contacts');
    assert.ok(contacts.length > 0);
    assert.equal(await tab.ask('arrows'), contacts.length);
    assert.ok(Tab.changed(before, await tab.pixels()) > 2);
    await tab.key('c');
    assert.equal(await tab.ask('arrows'), 0);
  },
  'the theme changes page and picture': async (tab) => {
    assert.equal(await tab.ask('theme'), 'light');
    const [before, paper] = [await tab.pixels(), await tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor)];
    await tab.click('[aria-label="Dark colours"]');
    await tab.settle();
    assert.equal(await tab.ask('theme'), 'dark');
    assert.notEqual(await tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor), paper);
    assert.ok(Tab.changed(before, await tab.pixels()) > 1000);
    await tab.page.focus('canvas.picture');
    await tab.key('t');
    assert.equal(await tab.ask('theme'), 'light');
  },
  'a click picks the body there, a click beside lets go': async (tab) => {
    await tab.ask('seek', 359);
    await tab.settle();
    await clickAt(tab, ALONE);
    assert.equal(await tab.ask('picked'), ALONE);
    assert.equal(await tab.text('.details h2'), ALONE);
    assert.equal(await tab.visible('.tag.picked'), true);
    await tab.page.mouse.click(330, 130);
    await tab.settle();
    assert.equal(await tab.ask('picked'), null, 'the floor is not a body to pick');
    await clickAt(tab, ALONE);
    await tab.key('Escape');
    assert.equal(await tab.ask('picked'), null);
    assert.equal(await tab.visible('.details'), false);
  },
  'the panel shows the state of the picked body': async (tab) => {
    await tab.ask('pick', ALONE);
    await tab.ask('seek', 200);
    await tab.settle();
    const { position, linear_velocity: velocity } = await tab.ask('positions', ALONE, 200);
    const values = await tab.page.locator('.details dd').allTextContents();
    near(values[0].replaceAll('−', '-').split('  ').map(Number), position, 6e-5, 'position');
    near(values[2].replaceAll('−', '-').split('  ').map(Number), velocity, 6e-5, 'velocity');
    assert.ok(Math.abs(Number(values[3]) - Math.hypot(...velocity)) < 1e-3);
    const touching = (await tab.ask('contacts')).filter(({ a, b }) => a === ALONE || b === ALONE);
    assert.match(await tab.text('.touching'), touching.length === 0 ? /No contacts/ : new RegExp(`^${touching.length} contact`));
  },
  'the trail of the picked body is drawn, and can be hidden': async (tab) => {
    await tab.ask('seek', 200);
    const before = await tab.pixels();
    await tab.ask('pick', 'dumbbell');
    const shown = await tab.pixels();
    assert.ok(Tab.changed(before, shown) > 20);
    await tab.key('y');
    assert.ok(Tab.changed(shown, await tab.pixels()) > 10);
  },
  'hovering shows the name': async (tab) => {
    await tab.ask('seek', 359);
    await tab.settle();
    const spot = await tab.ask('onScreen', ALONE);
    await tab.page.mouse.move(spot.x, spot.y);
    await eventually(async () => (await tab.ask('hovered')) === ALONE, 'the body under the pointer is known');
    await tab.settle();
    assert.equal(await tab.text('.tag.hovered'), ALONE);
    assert.equal(await tab.visible('.tag.hovered'), true);
  },
  'following keeps the body where it is on the screen': async (tab) => {
    await tab.ask('seek', 100);
    await tab.ask('pick', ALONE);
    await tab.key('f');
    assert.equal(await tab.ask('followed'), ALONE);
    const one = await tab.ask('onScreen', ALONE);
    await tab.ask('seek', 250);
    await tab.settle();
    const two = await tab.ask('onScreen', ALONE);
    near([one.x, one.y], [two.x, two.y], 1.5, 'place on the screen');
    near((await tab.ask('camera')).target, (await tab.ask('positions', ALONE, 250)).position, 1e-3, 'target');
    await tab.click('button.follow');
    assert.equal(await tab.ask('followed'), null);
    const free = await tab.ask('camera');
    await tab.ask('seek', 50);
    await tab.settle();
    near((await tab.ask('camera')).target, free.target, 1e-6, 'target once free');
  },
  'a double click follows': async (tab) => {
    await tab.ask('seek', 359);
    await tab.settle();
    await clickAt(tab, ALONE, 2);
    assert.equal(await tab.ask('followed'), ALONE);
  },
  'the list searches, and picks by click and by key': async (tab) => {
    await tab.key('/');
    await tab.page.keyboard.type('BALL[');
    assert.equal(await tab.text('.count'), '9 of 31');
    assert.deepEqual(await tab.page.locator('.row .name').allTextContents(), Array.from({ length: 9 }, (_, k) => `ball[${k}]`));
    await tab.click('.row >> nth=3');
    assert.equal(await tab.ask('picked'), 'ball[3]');
    await tab.page.focus('.search');
    await tab.key('ArrowDown', 'ArrowDown');
    assert.equal(await tab.ask('picked'), 'ball[4]');
    await tab.page.fill('.search', 'no such body');
    assert.equal(await tab.page.locator('.row').count(), 0);
  },
  'typing in the search does not press keys of the player': async (tab) => {
    await tab.key('/');
    await tab.page.keyboard.type('tc h');
    assert.equal(await tab.ask('theme'), 'light');
    assert.equal(await tab.ask('choose', 'contacts'), false);
    assert.equal(await tab.ask('playing'), false);
  },
  'n picks the next body, N the one before': async (tab) => {
    await tab.key('n', 'n');
    assert.equal(await tab.ask('picked'), 'box[0]');
    await tab.key('Shift+N');
    assert.equal(await tab.ask('picked'), 'ball[0]');
  },
  'the panel can be hidden': async (tab) => {
    assert.equal(await tab.visible('aside.panel'), true);
    await tab.click('.toggle-panel');
    assert.equal(await tab.visible('aside.panel'), false);
    await tab.key('p');
    assert.equal(await tab.visible('aside.panel'), true);
  },
  'h leaves the picture alone': async (tab) => {
    await tab.key('h');
    for (const part of ['footer', '.toolbar', '.legend', 'aside.panel', '.gizmo']) assert.equal(await tab.visible(part), false, part);
    await tab.key('h');
    assert.equal(await tab.visible('footer'), true);
  },
  'help opens and closes': async (tab) => {
    await tab.key('?');
    assert.equal(await tab.visible('.help .card'), true);
    assert.ok((await tab.page.locator('.help kbd').count()) > 20);
    await tab.key(' ');
    assert.equal(await tab.ask('playing'), false, 'keys wait while help is open');
    await tab.key('Escape');
    assert.equal(await tab.visible('.help .card'), false);
    await tab.click('.toggle-help');
    assert.equal(await tab.visible('.help .card'), true);
    await tab.click('[aria-label="Close help"]');
    assert.equal(await tab.visible('.help .card'), false);
  },
  'every control has a name, and the keyboard reaches it': async (tab) => {
    const nameless = await tab.page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas')]
      .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim()) || (node.tagName !== 'CANVAS' && node.tabIndex < 0)).map((node) => node.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
    await tab.page.focus('canvas.picture');
    await tab.page.keyboard.press('Tab');
    const outline = await tab.page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid', 'the focus cannot be seen');
  },
};

/** Choices in the address: the page is opened with each. */
export const ADDRESSES = {
  'step=120&camera=top&theme=dark&colour=speed&ui=off&contacts=on&follow=ball[1]': async (tab) => {
    assert.equal(await tab.ask('step'), 120);
    assert.equal(await tab.ask('theme'), 'dark');
    assert.equal(await tab.ask('choose', 'colour'), 'speed');
    assert.equal(await tab.ask('choose', 'contacts'), true);
    assert.equal(await tab.ask('followed'), 'ball[1]');
    assert.equal(await tab.visible('footer'), false);
    assert.equal(await tab.visible('.remark'), false);
    const { position, target } = await tab.ask('camera');
    assert.ok(position[1] - target[1] > 3 && Math.abs(position[0] - target[0]) < 0.1, 'not from the top');
  },
  'camera=1,2,3,0,0.5,0&pick=dumbbell&speed=0.1&loop=on&grid=off&panel=off&chart=contacts': async (tab) => {
    near((await tab.ask('camera')).position, [1, 2, 3], 1e-6, 'camera');
    assert.equal(await tab.ask('picked'), 'dumbbell');
    assert.equal(await tab.ask('speed'), 0.1);
    assert.equal(await tab.ask('loop'), true);
    assert.equal(await tab.ask('choose', 'grid'), false);
    assert.equal(await tab.visible('aside.panel'), false);
    assert.equal(await tab.ask('choose', 'chart'), 'contacts');
  },
  'step=nonsense&camera=nowhere&theme=mauve&colour=taste&follow=nobody&pick=__proto__&speed=-1&chart=x&what=1': async (tab) => {
    assert.deepEqual(await tab.page.locator('.remark p').allTextContents(), [
      '#what: there is no such choice', '#theme: mauve is not possible', '#colour: taste is not possible', '#chart: x is not possible', '#step: nonsense is not possible',
      '#pick: there is no body __proto__', '#camera: nowhere is not possible', '#follow: there is no body nobody', '#speed: -1 is not possible',
    ]);
    await tab.click('.remark');
    assert.equal(await tab.visible('.remark'), false);
    assert.equal(await tab.ask('step'), 0);
    assert.equal(await tab.ask('theme'), 'light');
    assert.equal(await tab.ask('picked'), null);
    assert.equal(await tab.ask('choose', 'colour'), 'body');
    assert.equal(await tab.ask('speed'), 1);
  },
};
