// Holds glTF files to the specification with Khronos's validator: node validate_gltf.mjs FILE.glb...
// PHYSIM_NODE_MODULES names the folder in which gltf-validator is installed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.env.PHYSIM_NODE_MODULES;
const require = createRequire(folder ? join(folder, 'x.js') : import.meta.url);
const validator = require('gltf-validator');
let failed = false;
for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, numHints } = report.issues;
  console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  if (numErrors + numWarnings > 0) {
    failed = true;
    console.log(JSON.stringify(report.issues.messages, null, 1));
  }
}
process.exit(failed ? 1 : 0);
