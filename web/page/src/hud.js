// SPDX-License-Identifier: MIT
// Panels over the picture. All numbers are of the same frames and change every quarter of a second.

import { budgets } from './settings.js';
import { cssColour, depthNames, lengthText, msText, pairColours, pairLetters, timeText } from './words.js';
import { markWords } from './show.js';

const $ = (id) => document.getElementById(id);
const lateFrame = 25000; // microseconds: longer than a frame of 60 a second with some of the next
const every = 250;

/** Sets text only if it changed, so that nothing is laid out again. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Hud {
  #since = 0;
  #sums = { frames: 0, interval: 0, render: 0, motion: 0, detect: 0 };
  #tags = [];
  #noteTimer = 0;

  constructor() {
    const list = $('levels').querySelector('ol');
    this.rows = [5, 4, 3, 2, 1].map((depth) => {
      const row = document.createElement('li');
      row.className = `level${depth}`;
      row.innerHTML = `<b>${depth === 5 ? 'triangles' : `level ${depth}`}</b><i></i><span>0</span>`;
      list.append(row);
      return { depth, row, bar: row.querySelector('i'), count: row.querySelector('span') };
    });
    const facts = $('levels').querySelector('dl');
    this.facts = Object.fromEntries(
      ['worst gap', 'touching now', 'postponed', 'tests of spheres', 'tests of triangles'].map((name) => {
        const line = document.createElement('div');
        line.innerHTML = `<dt>${name}</dt><dd>–</dd>`;
        facts.append(line);
        return [name, line.querySelector('dd')];
      }),
    );
    $('note').querySelector('button').addEventListener('click', () => ($('note').hidden = true));
  }

  /** A sentence about something that failed; the page goes on. */
  note(sentence) {
    clearTimeout(this.#noteTimer);
    $('note').hidden = false;
    put($('note').querySelector('p'), sentence);
    this.#noteTimer = setTimeout(() => ($('note').hidden = true), 12000);
  }

  /** Adds a frame; times in microseconds. */
  add(interval, render, show) {
    const s = show.statistics, sums = this.#sums;
    sums.frames += 1;
    sums.interval += interval;
    sums.render += render;
    sums.motion += s.motion + s.response;
    sums.detect += s.broad + s.narrow;
    sums.spheres = (sums.spheres ?? 0) + s.sphereTests;
    sums.triangles = (sums.triangles ?? 0) + s.triangleTests;
    sums.postponed = (sums.postponed ?? 0) + s.postponed;
    sums.worst = Math.max(sums.worst ?? 0, s.worstBound);
  }

  /** Shows the frames since the last time, every quarter of a second. */
  update(now, show, settings) {
    if (now - this.#since < every || !this.#sums.frames) return;
    this.#since = now;
    const { frames, interval, render, motion, detect, spheres, triangles, postponed } = this.#sums;
    const mean = (sum) => sum / frames;
    const whole = Math.max(mean(interval), 1), busy = mean(render) + mean(motion) + mean(detect);
    const slack = Math.max(whole - busy, 0);
    put($('frame-ms'), `${msText(whole)}, ${(1e6 / whole).toFixed(0)} a second`);
    const shown = { render: mean(render) + mean(motion), detect: mean(detect), slack };
    for (const [name, us] of Object.entries(shown)) {
      put($(`${name}-ms`), msText(us));
      $('frame').querySelector(`.time .${name}`).style.width = `${Math.min(100, (100 * us) / Math.max(whole, busy))}%`;
    }
    // Of a late frame no time is left: the graphics processor took it
    put($('slack-name'), whole > lateFrame ? 'GPU' : 'slack');
    const counts = show.recent();
    const most = Math.max(1, ...counts);
    for (const { depth, bar, count } of this.rows) {
      bar.style.setProperty('--share', counts[depth] / most);
      put(count, `${counts[depth]}`);
    }
    const bounds = show.marks.filter((mark) => !mark.proven && Number.isFinite(mark.bound)).map((mark) => mark.bound);
    put(this.facts['worst gap'], show.marks.length === 0 ? '–' : bounds.length ? `≤ ${lengthText(Math.max(...bounds))}` : 'none: proven');
    put(this.facts['touching now'], `${show.statistics.touching}`);
    put(this.facts.postponed, `${mean(postponed ?? 0).toFixed(postponed ? 1 : 0)} pairs a frame`);
    put(this.facts['tests of spheres'], `${mean(spheres).toFixed(0)} a frame`);
    put(this.facts['tests of triangles'], `${mean(triangles).toFixed(0)} a frame`);
    this.#tell(show, settings);
    this.#sums = { frames: 0, interval: 0, render: 0, motion: 0, detect: 0 };
  }

  /** One sentence that says what can be seen. */
  #tell(show, settings) {
    const budget = budgets[settings.budget];
    const last = show.marks.at(-1);
    const time = budget === Infinity ? 'Detection had no limit' : `Detection had ${timeText(budget)} a frame`;
    const parts = [];
    if (settings.method === 'bsp') {
      parts.push('BSP trees cannot stop early: ', last ? 'every hit is exact, however long it takes.' : 'no ships touch.');
    } else if (!last) {
      parts.push(`${time}; `, 'no ships touch.');
    } else if (last.proven) {
      parts.push(`${time}: the last hit was proven `, last.depth === 5 ? 'by triangles' : `at ${depthNames[last.depth]}`,
        last.depth === 5 ? '.' : ', by spheres inside both ships.');
    } else {
      parts.push(`${time}: the last hit was decided at `, depthNames[last.depth],
        Number.isFinite(last.bound) ? `; the ships are at most ${lengthText(last.bound)} apart.` : '.');
    }
    const [before, strong, after = ''] = parts;
    const story = $('story'), text = before + strong + after;
    if (story.textContent === text) return;
    const bold = document.createElement('b');
    bold.textContent = strong;
    story.replaceChildren(before, bold, after);
  }

  /** Labels of recent hits, `views` of { show, place }. */
  tags(views) {
    let used = 0;
    const taken = [];
    for (const { show, view } of views) {
      for (let i = show.marks.length - 1; i >= 0; --i) {
        const mark = show.marks[i];
        const at = view.camera.project(...mark.place, view.place);
        if (!at || at.x < 0 || at.y < 30 || at.x > view.place.width - 190 || at.y > view.place.height - 60) continue;
        const x = Math.round(at.x + view.place.x), y = Math.round(at.y + view.place.y);
        if (taken.some((other) => Math.abs(other.y - y) < 24 && Math.abs(other.x - x) < 230)) continue;
        taken.push({ x, y });
        const tag = this.#tags[used] ?? this.#newTag();
        ++used;
        const { level, gap } = markWords(mark, lengthText);
        const colour = cssColour(pairColours[mark.slot % pairColours.length]);
        const age = show.time - mark.born;
        tag.root.style.display = '';
        tag.root.style.transform = `translate(${x}px, ${y - 10}px)`;
        tag.root.style.color = colour;
        tag.root.style.opacity = Math.min(1, Math.max(0, (2.6 - age) / 0.5)).toFixed(2);
        put(tag.letter, pairLetters[mark.slot]);
        tag.letter.style.background = colour;
        put(tag.level, level);
        tag.level.className = `level${mark.depth}`;
        put(tag.gap, gap);
        if (used >= 8) break;
      }
    }
    for (let i = used; i < this.#tags.length; ++i) this.#tags[i].root.style.display = 'none';
  }

  #newTag() {
    const root = document.createElement('div');
    root.className = 'tag';
    root.innerHTML = '<b class="letter" style="color:#0b0d11"></b><b></b><span style="color:#e8eaed"></span>';
    const [letter, level, gap] = root.children;
    $('tags').append(root);
    this.#tags.push({ root, letter, level, gap });
    return this.#tags.at(-1);
  }
}
