// Opens pages of `physim view` in a headless browser and tries every control.
//
//   node run.mjs                 all tests, on sample pages made for them
//   node run.mjs --only WORD     those whose name contains it
//   node run.mjs PAGE...         what holds for every page, on pages made by physim; PAGE.expected.json beside a page.html
//                                is a list of {step, body, position: [x, y, z]} (and run: 'a' or 'b', orientation: [w, x, y, z])
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAnyPage } from './any_page.mjs';
import { launch, missing } from './browser.mjs';
import { ADDRESSES, CONTROLS } from './controls.mjs';
import { damaged, EDGES, FAILURES } from './edges.mjs';
import { writeSample } from './sample.mjs';
import { SOURCES } from './sources.mjs';
import { open } from './tab.mjs';
import { isCovered, ODD_PAIRS, TWO_RUNS } from './two_runs.mjs';

if (missing()) {
  console.log(`!!! SKIPPED: the pages of physim view were not tested: ${missing()}`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'physim-view-'));
let browser = await launch();
const tests = [];
const made = new Map();
const sample = (name) => {
  if (!made.has(name)) made.set(name, writeSample(name, folder));
  return made.get(name);
};
/** A test on a fresh tab. */
const test = (name, path, act, options) => tests.push({ name, run: () => onTab(null, path, act, options) });
/** A test on a tab that others of its group have used: opening pages is what takes long. */
const shared = new Map();
const testShared = (group, name, path, act) => tests.push({ name, run: () => onTab(group, path, act) });

/** Whatever the page complains of while a test runs fails it. */
async function onTab(group, path, act, options) {
  const tab = shared.get(group) ?? (await open(browser, path(), options));
  shared.delete(group);
  try {
    if (group) await tab.reset();
    await act(tab);
    await tab.judge();
  } catch (error) {
    error.message += tab.faults.length > 0 ? `\n(the page: ${tab.faults.join('; ')})` : '';
    await tab.close();
    throw error;
  }
  if (group) shared.set(group, tab);
  else await tab.close();
}

function ownTests() {
  for (const [name, run] of Object.entries(SOURCES)) tests.push({ name: `sources: ${name}`, run });
  for (const name of ['pile', 'two', ...Object.keys(ODD_PAIRS), ...Object.keys(EDGES)]) {
    test(`page ${name}`, () => sample(name), async (tab) => {
      await checkAnyPage(tab, sample(name));
      await tab.ask('seek', -1);
      await (ODD_PAIRS[name] ?? EDGES[name])?.(tab);
    });
  }
  for (const [name, act] of Object.entries(CONTROLS)) testShared('pile', name, () => sample('pile'), act);
  for (const [name, act] of Object.entries(TWO_RUNS)) testShared('two', `two runs: ${name}`, () => sample('two'), act);
  for (const [hash, act] of Object.entries(ADDRESSES)) test(`address ${hash}`, () => `${sample('pile')}#${hash}`, act);
  for (const [width, height] of [[1600, 900], [700, 900], [360, 640]]) {
    test(`nothing sticks out at ${width} x ${height}`, () => sample('two'), nothingSticksOut, { viewport: { width, height } });
  }
  for (const name of ['two', 'break', 'leaver']) {
    test(`no card hides a body: ${name}`, () => sample(name), nothingIsCovered, { viewport: { width: 1280, height: 800 } });
  }
  test('the card of the first difference opens', () => sample('two'), cardOpens, { viewport: { width: 600, height: 900 } });
  test('the theme of the system is the first one', () => sample('pile'), async (tab) => assert.equal(await tab.ask('theme'), 'dark'), { colorScheme: 'dark' });
  test('presets glide, unless less motion is wanted', () => sample('pile'), async (tab) => {
    await tab.click('[data-camera="top"]');
    assert.equal((await tab.ask('camera')).gliding, true);
  }, { reducedMotion: 'no-preference' });
  for (const [name, { before, damage, says }] of Object.entries(FAILURES)) {
    test(`says so: ${name}`, () => (damage ? damaged(sample('pile'), join(folder, 'damaged.html'), damage) : sample('pile')), async (tab) => {
      assert.match(await tab.page.locator('#message').innerText().then((text) => text.replace(/\s+/g, ' ')), says);
      assert.equal(await tab.visible('#message'), true);
    }, { before, expectFailure: true });
  }
}

/** At the start, and wherever a preset leads, no card hides a body that has not fallen out of the picture. */
async function nothingIsCovered(tab) {
  for (const camera of ['', 'front', 'side', 'top', 'iso']) {
    if (camera) await tab.ask('camera', camera);
    const names = (await tab.ask('names')).filter((name) => name !== 'ground');
    for (const name of names) assert.equal(await isCovered(tab, name), false, `${name}, ${camera || 'at the start'}`);
  }
}

/** On a narrow window the card is one line that opens. */
async function cardOpens(tab) {
  assert.ok((await tab.page.locator('.difference').boundingBox()).height < 45);
  assert.equal(await tab.visible('.difference .primary'), false);
  await tab.click('.fold');
  assert.equal(await tab.visible('.difference .primary'), true);
}

/** Every control that is shown lies within the window. */
async function nothingSticksOut(tab) {
  await tab.ask('pick', 'dumbbell');
  await tab.settle();
  const out = await tab.page.evaluate(() => [...document.querySelectorAll('button, select, input, .legend, .banner, .clock')].filter((node) => {
    if (!node.checkVisibility() || node.closest('.rows, .details')) return false;
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map((node) => node.outerHTML.slice(0, 90)));
  assert.deepEqual(out, []);
}

const given = process.argv.slice(2);
const only = given[0] === '--only' ? given[1] : '';
if (given.length > 0 && !only) for (const path of given) test(`page ${path}`, () => path, (tab) => checkAnyPage(tab, path));
else ownTests();

const chosen = tests.filter(({ name }) => name.includes(only));
let failed = 0;
for (const { name, run } of chosen) {
  const start = performance.now();
  try {
    // One that broke must not fail those after it.
    if (!browser.isConnected()) {
      browser = await launch();
      shared.clear();
    }
    await run();
    console.log(`ok    ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n      ${error.stack.split('\n').slice(0, 24).join('\n      ')}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${chosen.length - failed} of ${chosen.length} passed`);
process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0;
