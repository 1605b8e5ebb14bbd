// Every control of a page with two runs, and what it shows of their difference.
import assert from 'node:assert/strict';
import { eventually, near, Tab } from './tab.mjs';

const spreadOf = (tab) => tab.page.evaluate(() => JSON.parse(document.querySelector('[data-difference]').textContent));
/** The plainest colour of a map: red, green and blue far apart. */
const colourful = ([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 0.15;

/** Whether a body is out of the picture, or a card lies over its middle. */
export async function isCovered(tab, name) {
  await tab.settle();
  const spot = await tab.ask('onScreen', name);
  return !spot || (await tab.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('.banner, .toolbar, .legend') !== null || [...document.querySelectorAll('.banner, .toolbar, .legend')].some((card) => {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    return x > left && x < right && y > top && y < bottom;
  }), spot));
}

export const TWO_RUNS = {
  'the banner says where the runs first differ': async (tab) => {
    const { first } = await spreadOf(tab);
    const text = await tab.page.locator('.difference').innerText();
    for (const part of [`step ${first.step}`, first.stage, first.object, first.field, first.a, first.b]) assert.ok(text.includes(part), `${part} is not in the banner`);
  },
  'the time bar marks the first difference': async (tab) => {
    const { first } = await spreadOf(tab);
    const [bar, mark] = [await tab.page.locator('.marks').boundingBox(), await tab.page.locator('.mark').boundingBox()];
    assert.ok(Math.abs((mark.x + mark.width / 2 - bar.x) / bar.width - first.step / 359) < 0.01);
  },
  'the button goes to the first difference and picks its object': async (tab) => {
    const { first } = await spreadOf(tab);
    await tab.click('.difference .primary');
    await tab.settle();
    assert.equal(await tab.ask('step'), first.step);
    assert.equal(await tab.ask('picked'), first.object);
    await tab.ask('seek', 0);
    await tab.key('x');
    assert.equal(await tab.ask('step'), first.step);
  },
  'going to the first difference brings its object into sight, in the same direction, where it was not': async (tab) => {
    const { first } = await spreadOf(tab);
    const away = async () => {
      const { position, target } = await tab.ask('camera');
      const way = position.map((value, k) => value - target[k]);
      return way.map((value) => value / Math.hypot(...way));
    };
    // To one side of the body, so that it is out of the picture; then so that it is behind the card.
    await tab.ask('seek', first.step);
    const { position: at } = await tab.ask('positions', first.object);
    for (const side of [-30, -3.2]) {
      await tab.ask('camera', { position: [at[0] - side, at[1] - 2.2, at[2] + 12], target: [at[0] - side, at[1] - 2.2, at[2]] });
      const before = await away();
      await tab.key('x');
      near(await away(), before, 1e-6, 'direction');
      assert.equal(await isCovered(tab, first.object), false, `at ${side}`);
    }
    const still = await tab.ask('camera');
    await tab.key('x');
    near((await tab.ask('camera')).position, still.position, 1e-9, 'the camera moves without need');
  },
  'the object of the first difference is marked from its step on': async (tab) => {
    const { first } = await spreadOf(tab);
    await tab.ask('seek', first.step - 1);
    await tab.settle();
    assert.equal(await tab.visible('.tag.first'), false);
    await tab.ask('seek', first.step);
    await tab.settle();
    assert.equal(await tab.text('.tag.first'), first.object);
    assert.equal(await tab.visible('.tag.first'), true);
  },
  'colours tell how the difference spread': async (tab) => {
    const { bodies, first } = await spreadOf(tab);
    const late = bodies.reduce((most, each) => (each.step > most.step ? each : most));
    assert.ok(late.step > first.step);
    assert.equal(await tab.ask('choose', 'colour'), 'difference');
    await tab.ask('seek', first.step);
    await tab.settle();
    assert.ok(colourful(await tab.ask('colourOf', first.object)), 'the first has its colour at once');
    assert.ok(!colourful(await tab.ask('colourOf', late.name)), 'the last is still neutral');
    await tab.ask('seek', late.step);
    await tab.settle();
    assert.ok(colourful(await tab.ask('colourOf', late.name)), 'the last has its colour in the end');
    assert.notDeepEqual(await tab.ask('colourOf', late.name), await tab.ask('colourOf', first.object));
    assert.match(await tab.text('.legend'), /First differs at step.*not yet different/);
  },
  'both, A, B and blink each show what they say': async (tab) => {
    await tab.ask('colourBy', 'body');
    await tab.ask('seek', 250);
    const seen = {};
    for (const runs of ['both', 'a', 'b']) {
      await tab.click(`.runs [data-value="${runs}"]`);
      seen[runs] = await tab.pixels();
    }
    assert.ok(Tab.changed(seen.both, seen.a) > 5, 'both is as A');
    assert.ok(Tab.changed(seen.both, seen.b) > 5, 'both is as B');
    // More than the rim and the tag of one body.
    assert.ok(Tab.changed(seen.a, seen.b) > 50, 'A is as B');
    await tab.click('.runs [data-value="blink"]');
    const like = async (runs) => Tab.changed(await tab.pixels(), seen[runs]) < 3;
    await eventually(() => like('b'), 'B comes');
    await eventually(() => like('a'), 'A comes back');
    await tab.page.focus('canvas.picture');
    await tab.key('r');
    assert.equal(await tab.ask('choose', 'runs'), 'both');
  },
  'before the first difference both look like one': async (tab) => {
    await tab.ask('colourBy', 'body');
    await tab.ask('seek', 20);
    const both = await tab.pixels();
    await tab.ask('choose', 'runs', 'a');
    assert.ok(Tab.changed(both, await tab.pixels()) < 3);
  },
  'the panel tells the distance between the two': async (tab) => {
    const { first } = await spreadOf(tab);
    await tab.ask('pick', first.object);
    await tab.ask('seek', 300);
    await tab.settle();
    const [a, b] = [await tab.ask('positions', first.object, 300, 'a'), await tab.ask('positions', first.object, 300, 'b')];
    const distance = Math.hypot(...a.position.map((value, k) => value - b.position[k]));
    assert.ok(distance > 1e-3);
    const text = await tab.page.locator('.details dd >> nth=5').textContent();
    const [number, unit] = text.split(' ');
    near([Number(number) * { m: 1, mm: 1e-3, µm: 1e-6 }[unit]], [distance], distance * 1e-3, 'distance');
    assert.equal(await tab.page.locator('.details dd >> nth=6').textContent(), `at step ${first.step}`);
  },
  'the panel shows the run in front': async (tab) => {
    const { first } = await spreadOf(tab);
    await tab.ask('pick', first.object);
    await tab.ask('seek', 300);
    await tab.settle();
    const position = () => tab.page.locator('.details dd >> nth=0').textContent();
    const one = await position();
    await tab.ask('choose', 'runs', 'b');
    await tab.settle();
    assert.notEqual(await position(), one);
  },
  'the curve of the distance is there': async (tab) => {
    await tab.ask('choose', 'chart', 'distance');
    await tab.ask('seek', 300);
    assert.match(await tab.text('.values'), /largest of all bodies[\d.]+ .?m/);
  },
};

/** Two runs that are the same, and two that hardly fit together. */
export const ODD_PAIRS = {
  same: async (tab) => {
    assert.match(await tab.text('.difference'), /The runs are the same/);
    assert.equal(await tab.page.locator('.difference button').count(), 0);
    await tab.key('x');
    assert.equal(await tab.ask('step'), 0);
  },
  paces: async (tab) => {
    const table = await tab.page.locator('.settings').innerText();
    for (const part of [/scalar\s+fixed\s+f64/, /dt\s+0.015625 s\s+0.0078125 s/, /solver.iterations\s+10\s+20/]) assert.match(table, part);
    assert.doesNotMatch(table, /scene/);
    assert.match(await tab.text('.notes'), /by time/);
    await tab.ask('seek', 32);
    await tab.ask('pick', 'mover');
    await tab.settle();
    assert.equal(await tab.text('.clock .step'), 'step 32 / 60 of A');
    assert.equal(await tab.page.locator('.details dd >> nth=5').textContent(), '0 m', 'the two are apart');
    const at = await tab.page.evaluate(() => window.physim.positions('mover', undefined, 'b').position);
    near(at, [1, 1, 0], 1e-6, 'B at the time of A');
    assert.equal(await tab.page.locator('.chart .segments button[data-value="distance"]').count(), 0, 'no curve of a distance that is none');
    assert.doesNotMatch(await tab.text('.notes'), /stands still/);
    await tab.ask('choose', 'chart', 'change');
    await tab.settle();
    assert.match(await tab.text('.values'), /Δ total A500 mJ.*Δ total B500 mJ/);
  },
  unlike: async (tab) => {
    assert.match(await tab.text('.notes'), /B ends at step 38/);
    assert.match(await tab.text('.list'), /only here.*only in A.*only there.*only in B/);
    await tab.ask('pick', 'only there');
    await tab.ask('seek', 20);
    await tab.settle();
    assert.match(await tab.text('.details'), /only in B/);
    assert.equal(await tab.ask('positions', 'only there', 11, 'b'), null, 'no state between two stored steps');
    await tab.ask('seek', 0);
    await tab.settle();
    assert.match(await tab.text('.details'), /not there/);
  },
};
