// The data that stand in the page, unpacked.

/**
 * @param {Document} page
 * @returns {Promise<{films: {header: object, blob: Uint8Array}[], difference: object | null}>}
 */
export async function readData(page) {
  const films = [];
  for (const run of ['a', 'b']) {
    const header = page.querySelector(`script[data-film="${run}"]`);
    if (!header) continue;
    const blob = page.querySelector(`script[data-film-blob="${run}"]`);
    if (!blob) throw new Error(`the data of run ${run} are missing`);
    films.push({ header: JSON.parse(header.textContent), blob: await inflate(blob.textContent) });
  }
  if (films.length === 0) throw new Error('this page holds no data');
  const difference = page.querySelector('script[data-difference]');
  return { films, difference: difference ? JSON.parse(difference.textContent) : null };
}

/**
 * @param {string} text gzip as base64
 * @returns {Promise<Uint8Array>}
 */
async function inflate(text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
