// SPDX-License-Identifier: MIT
// Drives the page at random for minutes and prints what it found: node drive.mjs [MINUTES] [EVENTS] [SEED]
// Fails on any word on the console, and if the heap grows by a twentieth in the second half.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../serve.mjs';
import { Browser } from './browser.mjs';

const [minutes = 5, events = 10000, seed = 1] = process.argv.slice(2).map(Number);
const server = await serve(process.env.NEARMISS_PAGE ?? join(dirname(fileURLToPath(import.meta.url)), '../dist'), 0);
const browser = await Browser.open({ width: 320, height: 260 });

let state = seed;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const pick = (all) => all[Math.floor(random() * all.length)];

const page = 'globalThis.nearmissPage';
const keys = [['KeyW', 'w'], ['KeyS', 's'], ['KeyA', 'a'], ['KeyD', 'd'], ['ArrowUp', 'ArrowUp'], ['ArrowDown', 'ArrowDown'],
  ['KeyQ', 'q'], ['KeyE', 'e'], ['KeyX', 'x'], ['KeyB', 'b'], ['KeyL', 'l'], ['KeyC', 'c'], ['KeyY', 'y'], ['Minus', '-'], ['Equal', '='],
  ['Digit1', '1'], ['Digit3', '3'], ['Digit0', '0'], ['Space', ' '], ['KeyG', 'g'], ['KeyR', 'r']];
const modes = ['fly', 'fly', 'split', 'tour', 'bench', 'replay'];
const scenes = ['lamps', 'mixed', 'joints', 'chase'];

/** One event of a visitor. */
async function act() {
  const kind = random();
  if (kind < 0.62) return browser.key(...pick(keys));
  if (kind < 0.9) {
    const [x, y] = [20 + 280 * random(), 100 + 120 * random()];
    await browser.mouse('mousePressed', x, y);
    await browser.mouse('mouseMoved', x + 80 * (random() - 0.5), y + 80 * (random() - 0.5));
    return browser.mouse('mouseReleased', x, y);
  }
  if (kind < 0.96) return browser.page('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 160, y: 150, deltaX: 0, deltaY: random() < 0.5 ? 100 : -100 });
  if (kind < 0.985) return browser.evaluate(`void ${page}.change({ ...${page}.settings, scene: '${pick(scenes)}' })`);
  return browser.evaluate(`void ${page}.change({ ...${page}.settings, mode: '${pick(modes)}' })`);
}

/** Bytes after a collection: of scripts, and of the module. */
async function heap() {
  await browser.evaluate(`(async () => { ${page}.paused = true; await ${page}.change({ ...${page}.settings, mode: 'fly', scene: 'lamps' }); })()`);
  await browser.until(`${page}.mode?.name === 'fly'`);
  await new Promise((done) => setTimeout(done, 1500));
  for (let i = 0; i < 3; ++i) await browser.page('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.page('Runtime.getHeapUsage');
  return { scripts: usedSize, module: await browser.evaluate(`${page}.engine.memoryBytes`), geometries: await browser.evaluate(`${page}.stage.renderer.info.memory.geometries`) };
}

await browser.go(`http://localhost:${server.address().port}/`);
await browser.until(`${page}.frames > 2`);
// Every mode and scene once, so that all that is kept is there
for (const mode of ['split', 'tour', 'bench', 'replay', 'fly']) await browser.evaluate(`${page}.change({ ...${page}.settings, mode: '${mode}' })`);
for (const scene of scenes) await browser.evaluate(`${page}.change({ ...${page}.settings, scene: '${scene}' })`);
const heaps = [];
async function look(done) {
  const now = await heap();
  heaps.push(now);
  console.log(`${done} events: heap ${(now.scripts / 1e6).toFixed(2)} MB, module ${(now.module / 1e6).toFixed(1)} MB, ${now.geometries} geometries, ` +
    `${await browser.evaluate(`${page}.frames`)} frames, ${browser.errors.length} words on the console`);
}
await look(0);
const start = Date.now(), pause = (60000 * minutes) / events;
// Events do not wait for each other, as those of a visitor do not wait for frames
const pending = new Set();
let refused = 0;
for (let i = 0; i < events; ++i) {
  // The browser refuses a press while another mouse button is down
  const acting = act().catch(() => (refused += 1)).finally(() => pending.delete(acting));
  pending.add(acting);
  while (pending.size > 40) await Promise.race(pending);
  const early = start + pause * (i + 1) - Date.now();
  if (early > 0) await new Promise((done) => setTimeout(done, early));
  if ((i + 1) % Math.ceil(events / 5) === 0) {
    await Promise.all(pending);
    await look(i + 1);
  }
}
const seconds = (Date.now() - start) / 1000;
console.log(`${events} events in ${seconds.toFixed(0)} s, ${refused} refused by the browser`);
for (const error of browser.errors.slice(0, 10)) console.log(error);
// The first half fills the caches of scripts and modes
const grown = heaps.at(-1).scripts / heaps.at(heaps.length >> 1).scripts;
await browser.close();
server.close();
process.exit(browser.errors.length > 0 || grown > 1.05 ? 1 : 0);
