// Pages of odd runs, and browsers that cannot show any.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { NASTY } from './sample.mjs';

/** What to look at on the page of each sample, beyond what holds for all. */
export const EDGES = {
  break: async (tab) => {
    await tab.ask('seek', 5);
    await tab.settle();
    assert.ok(await tab.ask('onScreen', 'cue'), 'the one that comes from afar is in the picture');
  },
  leaver: async (tab) => {
    const [one, two] = [await tab.ask('onScreen', 'ball[0]'), await tab.ask('onScreen', 'ball[3]')];
    assert.ok(one && two && Math.hypot(one.x - two.x, one.y - two.y) > 60, 'the one that leaves makes the others small');
  },
  empty: async (tab) => {
    assert.match(await tab.text('.notes'), /there are no bodies/);
    await tab.key(' ', 'n', 'f', 'e', 'c', '1', 'ArrowRight');
  },
  none: async (tab) => tab.key(' ', 'End', 'n', 'c', '4'),
  one: async (tab) => {
    await tab.ask('pick', 'alone');
    await tab.ask('seek', 30);
    await tab.settle();
    assert.match(await tab.text('.details'), /from positions/);
    const { angular_velocity: spin } = await tab.ask('positions', 'alone', 30);
    assert.ok(Math.abs(spin[1] - 3) < 0.02, `2 / 40 rad a step at 60 steps a second is 3 rad/s, not ${spin[1]}`);
    assert.match(await tab.text('.touching'), /not recorded/);
    assert.equal(await tab.visible('.chart'), false);
  },
  frame: async (tab) => {
    await tab.key(' ');
    const playing = await tab.page.evaluate(() => (window.physim.play(), window.physim.playing()));
    assert.equal(playing, false, 'one frame cannot be played');
    await tab.ask('pick', 'alone');
    await tab.settle();
  },
  names: async (tab) => {
    const rows = await tab.page.locator('.row .name').allTextContents();
    assert.deepEqual(rows.sort(), NASTY.map((name) => name || '(no name)').sort());
    for (const name of NASTY) {
      await tab.ask('pick', name);
      await tab.settle();
      assert.equal(await tab.text('.details h2'), name || '(no name)');
      assert.equal(await tab.text('.tag.picked'), name || '(no name)');
    }
    assert.equal(await tab.page.locator('h1').first().textContent(), NASTY[1]);
    assert.match(await tab.text('.notes'), /shows every 2nd step/);
    assert.equal(await tab.page.locator('#app img').count(), 0);
    assert.equal(await tab.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'a long name makes the page wider');
  },
  far: async (tab) => {
    const [one, two] = [await tab.ask('onScreen', 'far'), await tab.ask('onScreen', 'farther')];
    assert.ok(one && two && Math.hypot(one.x - two.x, one.y - two.y) > 50, 'bodies far from zero are in the picture');
    await tab.ask('camera', 'top');
    const { position, target } = await tab.ask('camera');
    assert.ok(position[2] - target[2] > 1, 'up is against gravity');
  },
  late: async (tab) => {
    await tab.ask('seek', 30 + 3 * 45);
    await tab.settle();
    assert.equal(await tab.ask('onScreen', 'early'), null, 'it has gone');
    assert.equal(await tab.ask('onScreen', 'late'), null, 'it is not there yet');
    await tab.ask('seek', 327);
    await tab.settle();
    assert.ok(await tab.ask('onScreen', 'late'));
    await tab.key('ArrowLeft');
    assert.equal(await tab.ask('step'), 324, 'a step back is to the last stored one');
    await tab.ask('seek', 100);
    assert.equal(await tab.ask('step'), 99);
    assert.match(await tab.text('.notes'), /positions to 0.1 mm/);
  },
  thousand: async (tab) => {
    assert.ok((await tab.page.locator('.row').count()) < 60, 'only rows in sight exist');
    const milliseconds = await tab.page.evaluate(() => {
      const times = [];
      for (let step = 0; step < 200; step++) {
        window.physim.seek(step);
        const start = performance.now();
        window.physim.update();
        times.push(performance.now() - start);
      }
      return times.sort((x, y) => x - y)[100];
    });
    console.log(`      1,000 bodies: ${milliseconds.toFixed(2)} ms of scripts a picture (median of 200)`);
  },
};

/** Pages and browsers that cannot work; each must say so. */
export const FAILURES = {
  'no WebGL': {
    before: () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest);
      };
    },
    says: /needs WebGL 2/,
  },
  'no DecompressionStream': { before: () => delete window.DecompressionStream, says: /needs DecompressionStream/ },
  'a blob cut short': { damage: (page) => replaceBlob(page, (blob) => blob.subarray(0, blob.length - 40)), says: /cannot be shown.*data end too early/ },
  'a blob with too much': { damage: (page) => replaceBlob(page, (blob) => Buffer.concat([blob, blob])), says: /cannot be shown.*left over/ },
  'a blob that is no gzip': { damage: (page) => page.replace(/(data-film-blob="a">)[^<]*/, '$1aGVsbG8='), says: /cannot be shown/ },
  'no data': { damage: (page) => page.replace(/data-film="a"/, 'data-film="z"'), says: /holds no data/ },
  'a schema from the future': { damage: (page) => page.replace('{"schema":1', '{"schema":2'), says: /schema 2/ },
};

function replaceBlob(page, change) {
  const [, text] = /data-film-blob="a">([^<]*)/.exec(page);
  return page.replace(text, () => gzipSync(change(gunzipSync(Buffer.from(text, 'base64')))).toString('base64'));
}

/** Writes a damaged copy of a page. */
export function damaged(from, to, damage) {
  writeFileSync(to, damage(readFileSync(from, 'utf8')));
  return to;
}
