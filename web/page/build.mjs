// SPDX-License-Identifier: MIT
// Bundles the page into dist/: node build.mjs [--data FOLDER] [--module FILE] [--out FOLDER]

import { build } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(here, '../../build-wasm/page-data') },
    module: { type: 'string', default: join(here, '../../build-wasm/nearmiss_page.wasm') },
    out: { type: 'string', default: join(here, 'dist') },
  },
});
const out = resolve(values.out);

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'data'), { recursive: true });
await build({
  entryPoints: { page: join(here, 'src/page.js') },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  loader: { '.glsl': 'text' },
  logLevel: 'warning',
});
await copyFile(join(here, 'index.html'), join(out, 'index.html'));
await copyFile(values.module, join(out, 'nearmiss_page.wasm'));
for (const name of await readdir(values.data))
  await writeFile(join(out, 'data', `${name}.gz`), gzipSync(await readFile(join(values.data, name)), { level: 9 }));

// What the first flight loads, compressed as a server would
const first = ['index.html', 'page.js', 'page.css', 'nearmiss_page.wasm'];
const chunks = (await readdir(out)).filter((name) => name.startsWith('chunk-'));
let bytes = 0;
for (const name of [...first, ...chunks]) bytes += gzipSync(await readFile(join(out, name)), { level: 9 }).length;
const page = JSON.parse(await readFile(join(values.data, 'page.json')));
const lamps = page.scenes.find((scene) => scene.name === 'lamps');
const files = ['page.json', 'hull.light', 'lamp.draw', ...lamps.shapes.filter(({ model }) => model === 'lamp.glb').map(({ shape }) => shape)];
for (const name of files) bytes += (await readFile(join(out, 'data', `${name}.gz`))).length;
console.log(`${out}: the first flight loads ${bytes.toLocaleString('en')} bytes with gzip`);
