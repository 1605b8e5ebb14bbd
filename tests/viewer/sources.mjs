// What holds for the files themselves: the vendored ones are what their README says, every module comes after what it imports.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const ASSETS = new URL('../../assets/viewer/', import.meta.url);
const read = (name) => readFileSync(new URL(name, ASSETS));

export const SOURCES = {
  'vendored files are unmodified': () => {
    const readme = read('vendor/three/README.md').toString();
    for (const name of readdirSync(new URL('vendor/three/', ASSETS))) {
      if (name === 'README.md') continue;
      const sum = createHash('sha256').update(read(`vendor/three/${name}`)).digest('hex');
      assert.ok(readme.includes(`| \`${sum}\` |`), `${name} has the sum ${sum}`);
    }
  },
  'modules.txt lists every module after those it imports': () => {
    const lines = read('modules.txt').toString().trim().split('\n').map((line) => line.split(' '));
    const seen = new Set();
    for (const [name, path] of lines) {
      const code = read(path).toString().replace(/\/\*[^]*?\*\//g, '');
      if (!path.startsWith('vendor/')) {
        for (const [, wanted] of code.matchAll(/from '([^']+)'/g)) assert.ok(seen.has(wanted), `${name} imports ${wanted}, which is not before it`);
      }
      seen.add(name);
    }
    const listed = new Set(lines.map(([, path]) => path));
    for (const file of readdirSync(ASSETS)) if (file.endsWith('.js')) assert.ok(listed.has(file), `${file} is not listed`);
  },
  'decoding knows no page; drawing knows no panels': () => {
    for (const name of ['columns', 'film', 'pairs', 'rotation', 'measure', 'palette', 'clock', 'store', 'framing', 'ray', 'pieces', 'colours', 'series']) {
      assert.doesNotMatch(read(`${name}.js`).toString().replace(/\/\*[^]*?\*\/|\/\/.*/g, ''), /\b(document|window)\b/, `${name}.js knows the page`);
    }
    for (const name of ['bodies', 'ground', 'contacts', 'trail', 'stage', 'camera', 'player']) {
      assert.doesNotMatch(read(`${name}.js`).toString(), /\bdocument\b|elements\.js/, `${name}.js knows panels`);
    }
  },
  'numbers are plain as long as they are short': async () => {
    const { short } = await import(new URL('measure.js', ASSETS));
    assert.deepEqual([1000, 9500, 20000, 0.25, 1e7].map((value) => short(value, 3)), ['1000', '9500', '20000', '0.25', '1e7']);
  },
  'no markup is ever made from text, no file is long': () => {
    for (const file of readdirSync(ASSETS)) {
      if (!file.endsWith('.js')) continue;
      const code = read(file).toString();
      assert.doesNotMatch(code, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/, file);
      assert.ok(code.split('\n').length <= 300, `${file} has more than 300 lines`);
    }
  },
};
