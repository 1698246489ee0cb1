// SPDX-License-Identifier: MIT
// Bundles the page into dist/: node build.mjs [--data FOLDER] [--module FILE] [--out FOLDER]

import { build } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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
const { metafile } = await build({
  entryPoints: { page: join(here, 'src/page.js') },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  loader: { '.glsl': 'text' },
  metafile: true,
  logLevel: 'warning',
});
await copyFile(values.module, join(out, 'nearmiss_page.wasm'));
for (const name of await readdir(values.data))
  await writeFile(join(out, 'data', `${name}.gz`), gzipSync(await readFile(join(values.data, name)), { level: 9 }));

// Their licences ask for these texts in every copy
const licences = [['Nearmiss', join(here, '../../LICENSE')], ...['three', 'fzstd'].map((name) => [name, join(here, 'node_modules', name, 'LICENSE')])];
const texts = await Promise.all(licences.map(async ([name, file]) => `${name}\n\n${await readFile(file, 'utf8')}`));
await writeFile(join(out, 'licences.txt'), texts.join('\n\n'));

// What the first flight loads, compressed as a server would; the page asks for it before its scripts run
const page = JSON.parse(await readFile(join(values.data, 'page.json')));
const lamps = page.scenes.find((scene) => scene.name === 'lamps');
const files = ['page.json', 'hull.light', 'lamp.draw', ...lamps.shapes.filter(({ model }) => model === 'lamp.glb').map(({ shape }) => shape)];
const html = await readFile(join(here, 'index.html'), 'utf8');
const preloads = files.map((name) => `<link rel="preload" href="data/${name}.gz" as="fetch" crossorigin>`);
await writeFile(join(out, 'index.html'), html.replace('<link rel="stylesheet"', `${preloads.join('\n')}\n<link rel="stylesheet"`));
let bytes = 0;
const outputs = new Map(Object.entries(metafile.outputs).map(([file, about]) => [basename(file), about]));
const scripts = new Set(['page.js']);
for (const name of scripts)
  for (const { path, kind } of outputs.get(name).imports) if (kind === 'import-statement') scripts.add(basename(path));
for (const name of ['index.html', 'page.css', 'nearmiss_page.wasm', ...scripts])
  bytes += gzipSync(await readFile(join(out, name)), { level: 9 }).length;
for (const name of files) bytes += (await readFile(join(out, 'data', `${name}.gz`))).length;
console.log(`${out}: the first flight loads ${bytes.toLocaleString('en')} bytes with gzip`);
