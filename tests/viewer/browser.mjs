// A headless Chromium that draws with the processor and talks to nobody.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--mute-audio',
];

/** Why the pages cannot be tried here; empty where they can. */
export function missing() {
  if (!existsSync(chromium())) return `${chromium()} is not here (set CHROMIUM to a browser)`;
  try {
    load();
  } catch {
    return 'playwright-core is not installed (npm ci in tests/viewer, or set NODE_PATH)';
  }
  return '';
}

function chromium() {
  return process.env.CHROMIUM ?? '/usr/bin/chromium';
}

function load() {
  return createRequire(import.meta.url)('playwright-core');
}

/** @returns {Promise<import('playwright-core').Browser>} each one with a profile of its own */
export function launch() {
  return load().chromium.launch({ executablePath: chromium(), headless: true, args: FLAGS });
}

/** @param {string} path of a page; `#…` may follow */
export function addressOf(path) {
  const [file, ...hash] = path.split('#');
  return pathToFileURL(resolve(file)).href + (hash.length > 0 ? `#${hash.join('#')}` : '');
}
