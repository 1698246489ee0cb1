// SPDX-License-Identifier: MIT
// The page in a headless Chromium: keys, slider, drops, replay, pixels, and what it does when something fails.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from '../serve.mjs';
import { Browser, decodePng } from './browser.mjs';

const dist = process.env.NEARMISS_PAGE ?? join(dirname(fileURLToPath(import.meta.url)), '../dist');
/** Sessions that web/page/build.sh has recorded, and their last states. */
const sessions = process.env.NEARMISS_SESSIONS ?? join(dirname(fileURLToPath(import.meta.url)), '../../../build-wasm/sessions');
let server, browser, address;

before(async () => {
  server = await serve(dist, 0);
  address = `http://localhost:${server.address().port}/`;
  browser = await Browser.open({ width: 820, height: 480 });
});

after(async () => {
  await browser?.close();
  server?.close();
});

const page = 'globalThis.nearmissPage';
const show = `${page}.mode.show`;

/** Opens the page afresh and waits for its first frames. */
async function open(hash = '', frames = 2) {
  await browser.go('about:blank');
  browser.errors.length = 0;
  browser.requests.length = 0;
  await browser.go(`${address}?${Math.random()}${hash ? `#${hash}` : ''}`);
  await browser.until(`${page}.frames >= ${frames}`);
}

beforeEach(() => browser.resize(820, 480));

/** Nothing may have been said on the console. */
const quiet = () => assert.deepEqual(browser.errors, []);

const settings = () => browser.evaluate(`${page}.settings`);

/** The share of pixels of a rectangle that are lighter than the sky. */
async function lightShare({ x, y, width, height }) {
  const picture = decodePng(await browser.picture());
  let light = 0;
  for (let j = y; j < y + height; j += 2)
    for (let i = x; i < x + width; i += 2) if (Math.max(...picture.at(i, j)) > 90) ++light;
  return (4 * light) / (width * height);
}

test('the first frame shows ships, and nobody else is asked', async () => {
  await open('', 5);
  quiet();
  assert.ok(browser.requests.length >= 6);
  for (const url of browser.requests) assert.ok(/^(data|blob):/.test(url) || url === 'about:blank' || url.startsWith(address), url);
  assert.equal(await browser.evaluate(`${show}.flight.about.ships`), 10);
  const light = await lightShare({ x: 150, y: 130, width: 460, height: 230 });
  assert.ok(light > 0.005 && light < 0.7, `${light} of the pixels are light`);
  assert.equal(await browser.evaluate('crossOriginIsolated'), true);
});

test('keys steer, and the ship answers', async () => {
  await open();
  const before = await browser.evaluate(`[...${show}.user().place.toArray(), ${show}.time]`);
  await browser.page('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyW', key: 'w' });
  await browser.until(`${show}.time > ${before[3] + 0.6}`);
  assert.equal(await browser.evaluate(`${page}.input.read().thrust`), 1);
  await browser.page('Input.dispatchKeyEvent', { type: 'keyUp', code: 'KeyW', key: 'w' });
  const place = await browser.evaluate(`${show}.user().place.toArray()`);
  assert.ok(Math.hypot(...place.map((p, k) => p - before[k])) > 0.3);
  await browser.key('KeyB', 'b');
  await browser.until(`${page}.settings.method === 'bsp'`);
  assert.equal(await browser.evaluate(`document.querySelector('#method input:checked').value`), 'bsp');
  await browser.key('Digit2', '2');
  assert.equal((await settings()).level, 2);
  await browser.key('Space', ' ');
  const time = await browser.evaluate(`${show}.time`);
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(await browser.evaluate(`${show}.time`), time);
  quiet();
});

test('less time gives coarser answers: the slider, down to 1996', async () => {
  await open();
  const hits = `${show}.totals.reduce((sum, count) => sum + count, 0)`;
  await browser.evaluate(`${page}.paused = true`);
  const fly = (frames) => browser.evaluate(`(() => { for (let i = 0; i < ${frames}; ++i) {
    ${show}.flight.set({ thrust: Math.sin(i / 90), yaw: Math.cos(i / 70), pitch: Math.sin(i / 50) });
    ${show}.step(1 / 60, ${page}.budget); } return [...${show}.totals]; })()`);
  // The same flight with all the time, and with that of 1996
  const exact = await fly(2400);
  assert.ok(exact[4] + exact[5] > 5 && exact.slice(0, 4).every((count) => count === 0), exact.join());
  await browser.evaluate(`document.getElementById('budget').focus()`);
  await browser.key('Home', 'Home');
  await browser.until(`${page}.settings.budget === 0`);
  assert.match(await browser.evaluate(`document.getElementById('budget-text').textContent`), /^1996/);
  await browser.evaluate(`${show}.totals.fill(0)`);
  const coarse = await fly(2400);
  assert.ok(coarse[1] + coarse[2] + coarse[3] > 5 && coarse[5] === 0, coarse.join());
  assert.ok((await browser.evaluate(hits)) > 5);
  quiet();
});

test('a link brings the same settings', async () => {
  await open('scene=mixed&method=bsp&budget=4&spheres=all&seed=7');
  const now = await settings();
  assert.deepEqual([now.scene, now.method, now.budget, now.shells, now.seed], ['mixed', 'bsp', 4, 'all', 7]);
  assert.equal(await browser.evaluate(`${show}.flight.about.seed`), 7);
  assert.equal(await browser.evaluate(`${show}.flight.about.narrow === 'bsp' || ${page}.settings.method`), 'bsp');
  await open('scene=nowhere&level=99&mode=%00');
  assert.equal((await settings()).scene, 'lamps');
  quiet();
});

test('spheres of a level are drawn', async () => {
  await open('spheres=none');
  await browser.key('Space', ' ');
  const at = { x: 150, y: 130, width: 460, height: 230 };
  const without = await lightShare(at);
  await browser.evaluate(`${page}.change({ ...${page}.settings, shells: 'all', level: 1 })`);
  await new Promise((done) => setTimeout(done, 400));
  assert.ok((await browser.evaluate(`${page}.mode.view.shells.rows.count`)) >= 10);
  assert.notEqual(await lightShare(at), without);
  quiet();
});

test('split view: both halves fly, spheres in time', async () => {
  await open('mode=split&budget=0', 30);
  await browser.until(`${page}.mode.time > 2`);
  const [bsp, spheres] = await browser.evaluate(`${page}.mode.halves.map((half) => half.cost)`);
  assert.ok(bsp >= 0 && spheres >= 0);
  assert.equal(await browser.evaluate(`document.querySelectorAll('.half').length`), 2);
  quiet();
});

test('the tour tells of one pair, and ends in a flight', async () => {
  await open('mode=tour');
  for (let step = 1; step <= 6; ++step) {
    await browser.until(`document.querySelector('#mode-panel .count').textContent === '${step} of 6'`);
    await browser.until(`document.querySelector('#mode-panel .truth').textContent !== '–'`);
    const { bound, upper, verdict } = await browser.evaluate(`(({ bound, upper, verdict }) => ({ bound: bound ?? 1e9, upper, verdict }))(${page}.mode.hand.found)`);
    if (verdict === 1) assert.ok(bound >= upper * (1 - 1e-9), `${bound} is a bound on ${upper}`);
    await browser.click('#mode-panel .next');
  }
  await browser.until(`${page}.mode.name === 'fly'`);
  quiet();
});

test('sessions of the native program end in the recorded states, all built-in scenes', async () => {
  await open('mode=replay');
  const recorded = JSON.parse(await readFile(join(sessions, 'states.json'), 'utf8'));
  assert.equal(Object.keys(recorded).length, 15);
  // A busy machine takes minutes to load some scenes and to fly them to their end
  const patience = 600;
  await browser.evaluate(`(() => {
    const { engine } = ${page}, replay = engine.replay.bind(engine);
    globalThis.tries = 0;
    engine.replay = (bytes) => ((globalThis.tries += 1), replay(bytes));
  })()`);
  for (const [scene, state] of Object.entries(recorded)) {
    const bytes = await readFile(join(sessions, `${scene}.session`));
    await browser.drop(`${scene}.session`, `Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))`);
    await browser.until(`document.querySelector('#mode-panel .file')?.textContent === '${scene}.session' && ${show}.flight.about.scene === '${scene}'`, patience);
    await browser.click('#mode-panel .end');
    await browser.until(`document.querySelector('#mode-panel .verdict').textContent.startsWith('Every ship')`, patience);
    assert.equal(await browser.evaluate(`document.querySelector('#mode-panel .hash').textContent`), state, scene);
    // The parts of a scene with joints are fetched together
    if (scene === 'joints') assert.ok(await browser.evaluate('globalThis.tries') <= 2, 'one after the other');
    await browser.evaluate('globalThis.tries = 0');
  }
  // Back and forth is the same flight
  const hash = await browser.evaluate(`${show}.flight.hash()`);
  await browser.evaluate(`${show}.flight.seek(20), ${show}.flight.seek(${show}.flight.about.frames)`);
  assert.equal(await browser.evaluate(`${show}.flight.hash()`), hash);
  quiet();
});

test('a damaged session is told from a whole one', async () => {
  await open('mode=replay');
  const bytes = await readFile(join(sessions, 'lamps.session'));
  bytes[bytes.length >> 1] ^= 4;
  await browser.drop('lamps.session', `Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))`);
  await browser.until(`/damaged/.test(document.querySelector('#note p').textContent)`);
  const frames = await browser.evaluate(`${page}.frames`);
  await browser.until(`${page}.frames > ${frames + 2}`);
  quiet();
});

test('damaged sessions and models get a sentence, and the page goes on', async () => {
  await open();
  const told = (words) => browser.until(`!document.getElementById('note').hidden && ${words}.test(document.querySelector('#note p').textContent)`);
  await browser.drop('noise.session', `new Uint8Array(5000).map((_, i) => i * 37)`);
  await told('/not a recorded session/');
  await browser.drop('cut.stl', `new Uint8Array(100)`);
  await told('/cut.stl/');
  await browser.drop('words.txt', `'hello'`);
  await told('/STL, OBJ, PLY and glTF/');
  // Ten million triangles, by the header of a file whose pages are not there
  await browser.drop('huge.ply', `'ply\\nformat ascii 1.0\\nelement vertex 5000000\\nproperty float x\\nelement face 10000000\\nend_header\\n'`);
  await told('/10,000,000 triangles/');
  const frames = await browser.evaluate(`${page}.frames`);
  await browser.until(`${page}.frames > ${frames + 3}`);
  quiet();
});

test('a dropped model is built and compared', async () => {
  await open('mode=bench');
  const cube = `(() => { const v = []; for (let i = 0; i < 8; ++i) v.push('v ' + (i & 1) + ' ' + (i >> 1 & 1) + ' ' + (i >> 2));
    const f = [[1,3,4,2],[5,6,8,7],[1,2,6,5],[3,7,8,4],[1,5,7,3],[2,4,8,6]].map((q) => 'f ' + q.join(' ')); return v.concat(f).join('\\n'); })()`;
  await browser.drop('cube.obj', cube);
  await browser.until(`/12 triangles, built/.test(document.querySelector('#mode-panel .said').textContent)`);
  const distance = `${page}.mode.hand.found.upper`;
  await browser.evaluate(`${page}.mode.hand.bodies[1].place.set(0, 0, 0)`);
  await browser.until(`${distance} === 0 && ${page}.mode.hand.found.verdict === 2`);
  await browser.evaluate(`${page}.mode.hand.bodies[1].place.set(4, 0, 0)`);
  await browser.until(`${distance} > 1.5 && ${page}.mode.hand.found.verdict === 0`);
  quiet();
});

test('lost graphics come back', async () => {
  await open();
  await browser.evaluate(`(() => { const gl = document.getElementById('canvas').getContext('webgl2');
    globalThis.lost = gl.getExtension('WEBGL_lose_context'); lost.loseContext(); })()`);
  await browser.until(`${page}.lost && !document.getElementById('note').hidden`);
  await browser.evaluate('lost.restoreContext()');
  await browser.until(`!${page}.lost`);
  const frames = await browser.evaluate(`${page}.frames`);
  await browser.until(`${page}.frames > ${frames + 5}`);
  assert.ok((await lightShare({ x: 150, y: 130, width: 460, height: 230 })) > 0.002);
});

test('a telephone: panels fit, touch steers', async () => {
  await browser.resize(360, 640, { touch: true });
  await open();
  const outside = await browser.evaluate(`[...document.querySelectorAll('button, .panel, select, #story')].filter((e) => {
    const b = e.getBoundingClientRect(); return b.width && getComputedStyle(e).display !== 'none' && (b.left < -1 || b.right > 361 || b.bottom > 641); }).map((e) => e.id || e.className || e.textContent)`);
  assert.deepEqual(outside, []);
  const touch = (type, x, y) => browser.page('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  await touch('touchStart', 180, 260);
  await touch('touchMove', 230, 260);
  await browser.until(`${page}.input.read().yaw < -0.5`);
  await touch('touchEnd');
  await browser.until(`${page}.input.read().yaw === 0`);
  quiet();
});

test('everything can be reached by keyboard, in order, with a name', async () => {
  await open();
  await browser.evaluate(`document.activeElement.blur()`);
  const seen = [];
  for (let i = 0; i < 24; ++i) {
    await browser.key('Tab', 'Tab');
    seen.push(await browser.evaluate(`document.activeElement.id || document.activeElement.name || document.activeElement.textContent.trim()`));
  }
  for (const name of ['Fly', 'scene', 'link', 'help', 'canvas', 'method', 'level', 'budget']) assert.ok(seen.includes(name), `${name} in ${seen.join()}`);
  const nameless = await browser.evaluate(`[...document.querySelectorAll('button, input, select')].filter((e) => !e.textContent.trim() && !e.labels?.length &&
    !e.getAttribute('aria-label') && e.type !== 'file').length`);
  assert.equal(nameless, 0);
  quiet();
});

test('a browser without vectors is told so', async () => {
  const { identifier } = await browser.page('Page.addScriptToEvaluateOnNewDocument', { source: 'WebAssembly.validate = () => false' });
  await browser.go(`${address}?old`);
  await browser.until(`/update/.test(document.querySelector('.fatal[role=alert]')?.textContent)`);
  await browser.page('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  quiet();
});

test('a browser without WebGL 2 is told so', async () => {
  const { identifier } = await browser.page('Page.addScriptToEvaluateOnNewDocument', { source: 'HTMLCanvasElement.prototype.getContext = () => null' });
  await browser.go(`${address}?plain`);
  await browser.until(`/WebGL 2/.test(document.querySelector('.fatal[role=alert]')?.textContent)`);
  await browser.page('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  quiet();
});

test('a simulator that has stopped is replaced by a fresh one', async () => {
  await open();
  await browser.evaluate(`(() => { globalThis.stopped = ${page}.engine;
    ${show}.step = () => { throw new WebAssembly.RuntimeError('unreachable'); }; })()`);
  await browser.until(`${page}.engine !== stopped && ${page}.mode?.name === 'fly'`);
  assert.match(await browser.evaluate(`document.querySelector('#note p').textContent`), /starts again/);
  const time = await browser.evaluate(`${show}.time`);
  await browser.until(`${show}.time > ${time}`);
  quiet();
});

test('the sources name no other host', async () => {
  const text = (await readFile(join(dist, 'index.html'), 'utf8')) + (await readFile(join(dist, 'page.css'), 'utf8'));
  assert.doesNotMatch(text, /(src|href)="https?:|url\(["']?https?:|@import/);
});
