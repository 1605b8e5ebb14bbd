// One page of the viewer in a tab, with everything noted that must not happen.
import assert from 'node:assert/strict';
import { addressOf } from './browser.mjs';

/** What the driver of the software renderer says of itself. */
const NOT_OURS = /GL Driver Message|Automatic fallback to software WebGL/;

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} path of a page
 * @param {object} options of the browser context; `before` runs in the page before its scripts
 */
export async function open(browser, path, { before = null, expectFailure = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 640 }, deviceScaleFactor: 0.5, reducedMotion: 'reduce', ...options });
  const faults = [];
  context.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith('blob:') && address.split('#')[0] !== addressOf(path).split('#')[0]) faults.push(`asked for ${address.slice(0, 200)}`);
  });
  const page = await context.newPage();
  // The processor draws, perhaps among many other things.
  page.setDefaultTimeout(120000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !NOT_OURS.test(message.text())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.stack}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  if (before) await page.addInitScript(before);
  await page.goto(addressOf(path));
  const ready = await page.evaluate(() => window.physim.ready.then(() => '', (error) => error.message));
  if (!expectFailure) assert.equal(ready, '', 'the page did not start');
  return new Tab(context, page, faults);
}

export class Tab {
  constructor(context, page, faults) {
    Object.assign(this, { context, page, faults });
  }

  /** Fails where the page complained, asked for something or ran a script from a name. */
  async judge() {
    assert.equal(await this.page.evaluate(() => window.__pwned ?? null), null, 'a name ran as a script');
    assert.deepEqual(this.faults, [], 'the page complained or asked for something');
  }

  /** Brings the page back to how it was opened. */
  async reset() {
    await this.page.mouse.move(1, 1);
    await this.page.evaluate(() => {
      window.physim.reset();
      const search = document.querySelector('.search');
      search.value = '';
      search.dispatchEvent(new Event('input'));
      document.querySelector('canvas.picture').focus();
    });
    await this.settle();
  }

  close() {
    return this.context.close();
  }

  /** Calls window.physim. */
  ask(name, ...values) {
    return this.page.evaluate(([method, given]) => window.physim[method](...given.map((value) => value ?? undefined)), [name, values]);
  }

  /** Waits until the page has drawn what was asked for. */
  settle() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  click(selector) {
    return this.page.click(selector, { timeout: 120000 });
  }

  async key(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.settle();
  }

  text(selector) {
    return this.page.textContent(selector);
  }

  visible(selector) {
    return this.page.isVisible(selector);
  }

  /** The picture, small: 192 x 128 pixels of red, green, blue, alpha. */
  pixels() {
    return this.page.evaluate(() => {
      window.physim.draw();
      const small = document.createElement('canvas');
      small.width = 192;
      small.height = 128;
      const pen = small.getContext('2d', { willReadFrequently: true });
      pen.drawImage(document.querySelector('canvas.picture'), 0, 0, 192, 128);
      return [...pen.getImageData(0, 0, 192, 128).data];
    });
  }

  /** How many pixels of the small picture two pictures differ in, plainly. */
  static changed(one, other) {
    let count = 0;
    for (let k = 0; k < one.length; k += 4) {
      const most = Math.max(...[0, 1, 2, 3].map((c) => Math.abs(one[k + c] - other[k + c])));
      if (most > 12) count++;
    }
    return count;
  }
}

/** @param {Promise<boolean>} [condition] */
export async function eventually(condition, message, milliseconds = 60000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) assert.fail(`not within ${milliseconds / 1000} s: ${message}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}

/** @param {number[]} a @param {number[]} b @param {number} within */
export function near(a, b, within, message) {
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) <= within, `${message}: ${a} is not ${b} within ${within}`));
}
