// What holds for every page, whatever run it shows.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { near, Tab } from './tab.mjs';

/** Checks one open page; `path` tells where its expected positions are. */
export async function checkAnyPage(tab, path) {
  await positions(tab, path.replace(/\.html$/, '.expected.json'));
  await noNonsense(tab);
  await picture(tab);
}

/** Positions read back from the page are those of the run. */
async function positions(tab, file) {
  if (!existsSync(file)) return;
  const list = JSON.parse(readFileSync(file, 'utf8'));
  const found = await tab.page.evaluate((wanted) => wanted.map(({ step, body, run }) => window.physim.positions(body, step, run ?? 'a')), list);
  const quantum = { a: await tab.page.evaluate(() => window.physim.film('a').quantum) };
  quantum.b = await tab.page.evaluate(() => (document.querySelector('[data-film="b"]') ? window.physim.film('b').quantum : null));
  list.forEach(({ step, body, run, position, orientation }, k) => {
    const what = `${body} at step ${step}`;
    assert.ok(found[k], `${what} is not in the page`);
    const { position: size, orientation: turn } = quantum[run ?? 'a'];
    near(found[k].position, position, size * 0.501 + 1e-12 * Math.max(...position.map(Math.abs)), `position of ${what}`);
    if (orientation) near(found[k].orientation, orientation, turn * 2, `orientation of ${what}`);
  });
  return list.length;
}

/** No NaN, undefined or object on the screen, at the beginning, in between and at the end. */
async function noNonsense(tab) {
  const steps = await tab.ask('steps');
  for (const step of [steps[0], steps[steps.length >> 1], steps.at(-1)]) {
    await tab.ask('seek', step);
    await tab.settle();
    const text = await tab.page.evaluate(() => document.querySelector('#app').innerText);
    assert.doesNotMatch(text, /NaN|undefined|\[object|Infinity/, 'nonsense on the screen');
  }
  await tab.ask('seek', steps[steps.length >> 1]);
}

/** The canvas is not empty, and bodies are what fills it. */
async function picture(tab) {
  const drawn = await tab.pixels();
  const colours = new Set();
  for (let k = 0; k < drawn.length; k += 4) colours.add(drawn.slice(k, k + 4).join());
  const bodies = await tab.page.evaluate(() => window.physim.names().filter((name) => window.physim.onScreen(name)).length);
  if (bodies === 0) return;
  assert.ok(colours.size > 40, `only ${colours.size} colours in the picture`);
  await tab.ask('choose', 'bodies', false);
  const bare = await tab.pixels();
  await tab.ask('choose', 'bodies', true);
  assert.ok(Tab.changed(drawn, bare) > 3, 'the picture is the same without bodies');
}
