// A picture of a page: node picture.mjs PAGE 'step=120&theme=dark&ui=off' OUT.png [WIDTH HEIGHT]
import { addressOf, launch, missing } from './browser.mjs';

const [page, hash, out, width = '1280', height = '800'] = process.argv.slice(2);
if (!out) {
  console.error("usage: node picture.mjs PAGE 'HASH' OUT.png [WIDTH HEIGHT]");
  process.exit(2);
}
if (missing()) {
  console.error(`no picture: ${missing()}`);
  process.exit(1);
}
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: Number(width), height: Number(height) }, reducedMotion: 'reduce' });
  const tab = await context.newPage();
  tab.on('console', (message) => console.error(`${message.type()}: ${message.text()}`));
  await tab.goto(addressOf(`${page}#${hash.replace(/^#/, '')}`));
  await tab.evaluate(() => window.physim.ready);
  // Two pictures after the last change, so that nothing is on its way any more.
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await tab.screenshot({ path: out });
} finally {
  await browser.close();
}
