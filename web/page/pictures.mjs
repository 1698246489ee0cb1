// SPDX-License-Identifier: MIT
// Makes the pictures of docs/web.md by a headless Chromium: node pictures.mjs FLIGHT.png TOUR.png

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 as crcOf, deflateSync } from 'node:zlib';
import { serve } from './serve.mjs';
import { Browser, decodePng } from './test/browser.mjs';

const [flight, tour] = process.argv.slice(2);
if (!flight || !tour) {
  console.error('pictures.mjs: expected two file names');
  process.exit(2);
}
const server = await serve(join(dirname(fileURLToPath(import.meta.url)), 'dist'), 0);
const browser = await Browser.open({ width: 1280, height: 720 });

/** The checksum of PNG; node has it from version 22 on. */
const crc32 = crcOf ?? ((bytes) => {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; ++k) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
});

/** A PNG of 256 colours, by median cut; a picture of the page keeps its look at a third of the size. */
function packed({ width, height, at }) {
  const keys = new Map();
  const keyOf = ([r, g, b]) => ((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2);
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const pixel = at(x, y), key = keyOf(pixel), known = keys.get(key);
      if (known) {
        for (let k = 0; k < 3; ++k) known.sum[k] += pixel[k];
        ++known.count;
      } else keys.set(key, { sum: [...pixel], count: 1, key });
    }
  for (const each of keys.values()) each.mean = each.sum.map((s) => s / each.count);
  let boxes = [[...keys.values()]];
  const spread = (box, k) => Math.max(...box.map(({ mean }) => mean[k])) - Math.min(...box.map(({ mean }) => mean[k]));
  const weight = (box) => box.length < 2 ? 0 : Math.max(0, spread(box, 0), spread(box, 1), spread(box, 2)) * Math.sqrt(box.reduce((s, { count }) => s + count, 0)) ;
  let weighed = boxes.map((box) => ({ box, weight: weight(box) }));
  while (weighed.length < 256) {
    const widest = weighed.reduce((best, each) => (each.weight > best.weight ? each : best));
    if (!(widest.weight > 0)) break;
    const axis = [0, 1, 2].reduce((best, k) => (spread(widest.box, k) > spread(widest.box, best) ? k : best), 0);
    widest.box.sort((a, b) => a.mean[axis] - b.mean[axis]);
    const half = widest.box.reduce((s, { count }) => s + count, 0) / 2;
    let cut = 1;
    for (let sum = widest.box[0].count; cut < widest.box.length - 1 && sum < half; ++cut) sum += widest.box[cut].count;
    const parts = [widest.box.slice(0, cut), widest.box.slice(cut)];
    weighed = weighed.filter((each) => each !== widest).concat(parts.map((box) => ({ box, weight: weight(box) })));
  }
  boxes = weighed.map(({ box }) => box);
  const index = new Map();
  const palette = Buffer.alloc(3 * boxes.length);
  boxes.forEach((box, i) => {
    const count = box.reduce((s, each) => s + each.count, 0);
    for (let k = 0; k < 3; ++k) palette[3 * i + k] = Math.round(box.reduce((s, each) => s + each.sum[k], 0) / count);
    for (const { key } of box) index.set(key, i);
  });
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = index.get(keyOf(at(x, y)));
  const chunk = (kind, data) => {
    const named = Buffer.concat([Buffer.from(kind), data]), size = Buffer.alloc(4), sum = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

/** Flies frame by frame until a hit can be seen, so that the picture does not depend on the machine. */
const flyToHit = `(async () => {
  const page = nearmissPage;
  page.paused = true;
  page.input.touched = true;
  document.getElementById('invite').classList.add('gone');
  const { show } = page.mode;
  const seen = ({ place, born, depth }) => {
    const at = show.view.camera.project(...place, { width: 1280, height: 676 });
    return depth < 4 && show.time - born > 0.12 && show.time - born < 0.3 && at && at.x > 420 && at.x < 780 && at.y > 160 && at.y < 400;
  };
  for (let i = 0; i < 6000 && !(i > 900 && show.marks.some(seen)); ++i) {
    show.flight.set({ ...page.mode.autopilot(i / 60), levelCap: 1000 });
    show.step(1 / 60, page.budget);
    const user = show.user();
    show.view.camera.follow(user.place, user.rotation, user.velocity, user.radius, 1 / 60);
    show.view.camera.lens(1280 / 676);
  }
})()`;

async function picture(name, hash, act, { width = 1280, height = 720, touch = false } = {}) {
  await browser.resize(width, height, { touch });
  await browser.go('about:blank');
  await browser.go(`http://localhost:${server.address().port}/#${hash}`);
  await browser.until('nearmissPage.frames > 3');
  await browser.evaluate(act);
  await browser.evaluate('nearmissPage.stage.quality = 1, void (nearmissPage.paced = -1e6)');
  await new Promise((done) => setTimeout(done, 2500));
  await writeFile(name, packed(decodePng(await browser.picture())));
}

await picture(flight, 'scene=mixed&budget=1', flyToHit);
await picture(tour, 'mode=tour', `(() => {
  for (let i = 0; i < 3; ++i) document.querySelector('#mode-panel .next').click();
  nearmissPage.mode.time = 3.4;
  nearmissPage.paused = true;
})()`, { width: 900, height: 540 });
await browser.close();
server.close();
