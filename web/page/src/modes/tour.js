// SPDX-License-Identifier: MIT
// The whole idea in a minute, by one pair of lamps. All numbers come from the library.

import * as THREE from 'three';
import { lengthText, timeText } from '../words.js';
import { Hand } from './hand.js';

const $ = (id) => document.getElementById(id);
const seconds = 10;

/** What each step says and shows. `gap(t)` is how far the lamps are moved apart from where they
    touch, metres, t from 0 to 1. */
const steps = [
  {
    title: 'Do they touch?',
    text: 'Two lamps drift past each other. A game asks sixty times a second whether they touch, and each has hundreds of triangles.',
    level: () => -1, gap: (t) => 0.7 - 0.4 * t, exact: true,
  },
  {
    title: 'One sphere each',
    text: 'Put a sphere around each. While the spheres are apart, so are the lamps: one cheap test. Now they overlap, and nobody knows yet.',
    level: () => 0, gap: (t) => 1.5 - 1.4 * t,
  },
  {
    title: 'Finer, level by level',
    text: 'Where spheres overlap (white rings), look at the smaller ones inside. Each level is closer to the truth, and costs more.',
    level: (t) => Math.min(4, 1 + Math.floor(4 * t)), gap: () => 0.012,
  },
  {
    title: 'An answer at every level',
    text: 'Each level also proves how wrong it can be: the lamps are at most this far apart. The white line is the true distance.',
    level: (t) => [1, 2, 3, 4][Math.min(3, Math.floor(4 * t))], gap: () => 0.012, bound: true,
  },
  {
    title: 'Stop when time is up',
    text: 'So detection may stop at any moment, with the best answer so far. Move the slider: less time, coarser spheres, a wider bound.',
    level: () => 5, gap: () => 0.006, bound: true, slider: true,
  },
  {
    title: 'With time left: exact',
    text: 'With enough time the triangles decide, and nothing is in doubt. Now fly, and take time away with the slider.',
    level: () => 5, gap: (t) => 0.05 - 0.2 * t, exact: true, last: true,
  },
];

export class TourMode {
  name = 'tour';

  constructor(page) {
    this.page = page;
    this.step = 0;
    this.time = 0;
    this.budget = 2.5;
  }

  async open() {
    this.hand = new Hand(this.page);
    for (let i = 0; i < 2; ++i) {
      const { name, shape, model } = await this.hand.addModel('lamp');
      this.hand.add(name, shape, model);
    }
    this.hand.reach = 4;
    // Where they begin to touch
    let [low, high] = [0, 3];
    for (let i = 0; i < 40; ++i) {
      const gap = (low + high) / 2;
      this.#place(gap, 0);
      if (this.hand.compare(5, Infinity).upper > 1e-5) high = gap;
      else low = gap;
    }
    this.touching = high;
  }

  /** Moves the lamps apart, and turns them a little. */
  #place(gap, phase) {
    const [a, b] = this.hand.bodies;
    a.place.set(-gap / 2, 0, 0);
    b.place.set(gap / 2, 0.05, 0);
    a.turn.setFromEuler(new THREE.Euler(0.1, 0.5 + phase, 0.1));
    b.turn.setFromEuler(new THREE.Euler(-0.2, 2.4 - phase, 0.25));
  }

  begin() {
    $('invite').classList.add('gone');
    this.#build();
    $('mode-panel').hidden = false;
    $('mode-panel').querySelector('button.next').focus({ preventScroll: true });
  }

  close() {
    $('mode-panel').hidden = true;
    this.hand.close();
  }

  #build() {
    const panel = $('mode-panel');
    panel.setAttribute('aria-label', 'Tour');
    panel.innerHTML = `<h2><span class="title"></span><small class="count"></small></h2><p class="lead"></p>
      <dl><div><dt>answer</dt><dd class="verdict">–</dd></div><div><dt>the lamps are at most</dt><dd class="bound">–</dd></div>
      <div><dt>true distance</dt><dd class="truth">–</dd></div><div><dt>work so far</dt><dd class="work">–</dd></div></dl>
      <label class="slider" hidden>Time <output></output><input type="range" min="0" max="100" value="60"></label>
      <div class="row"><button type="button" class="back">Back</button><button type="button" class="next">Next</button>
      <span class="steps" aria-hidden="true">${'<i></i>'.repeat(steps.length)}</span></div>`;
    this.words = Object.fromEntries(['title', 'count', 'lead', 'verdict', 'bound', 'truth', 'work', 'slider'].map((name) => [name, panel.querySelector(`.${name}`)]));
    panel.querySelector('.back').addEventListener('click', () => this.#go(this.step - 1));
    panel.querySelector('.next').addEventListener('click', () => this.#go(this.step + 1));
    const slider = panel.querySelector('input');
    const set = () => {
      // From a tenth of a microsecond to a hundred
      this.budget = 10 ** (slider.value / 33.3 - 1);
      panel.querySelector('output').textContent = timeText(this.budget);
    };
    slider.addEventListener('input', () => {
      set();
      this.held = true;
    });
    set();
    this.#go(0);
  }

  #go(step) {
    if (step >= steps.length) return this.page.change({ ...this.page.settings, mode: 'fly', budget: 3 });
    this.step = Math.max(step, 0);
    this.time = 0;
    this.held = false;
    const { words } = this, of = steps[this.step];
    words.title.textContent = of.title;
    words.count.textContent = `${this.step + 1} of ${steps.length}`;
    words.lead.textContent = of.text;
    words.slider.hidden = !of.slider;
    const panel = $('mode-panel');
    panel.querySelector('.next').textContent = of.last ? 'Fly' : 'Next';
    panel.querySelector('.back').disabled = this.step === 0;
    panel.querySelectorAll('.steps i').forEach((mark, i) => mark.classList.toggle('on', i <= this.step));
  }

  orbits() {
    return true;
  }

  orbit(dx, dy) {
    const { orbit } = this.hand.view.camera;
    orbit.yaw -= 0.006 * dx;
    orbit.pitch = Math.min(Math.max(orbit.pitch + 0.006 * dy, -1.4), 1.4);
    this.held = true;
  }

  zoom(notches) {
    this.hand.reach = Math.min(Math.max(this.hand.reach * 0.9 ** notches, 2), 12);
  }

  frame(dt, interval, now) {
    const { hand, page } = this, of = steps[this.step];
    page.input.read();
    if (!page.paused) this.time += dt;
    const t = Math.min(this.time / seconds, 1);
    if (this.time > seconds + 1 && !this.held && !of.last) this.#go(this.step + 1);
    const ease = t * t * (3 - 2 * t);
    const gap = steps[this.step].gap(ease);
    this.#place(this.touching + gap, gap > 0.1 ? 0.12 * Math.sin(0.7 * this.time) * Math.min(1, 2 * (gap - 0.1)) : 0);
    if (!this.held) hand.view.camera.orbit.yaw += 0.05 * dt;
    const level = steps[this.step].level(t);
    const found = hand.compare(Math.max(level, of.exact ? 5 : 0), of.slider ? this.budget : Infinity);
    const drawn = of.exact ? -1 : of.slider ? (found.depth >= 5 ? -1 : found.depth) : level;
    hand.draw({ level: drawn, nearest: of.bound || of.exact });
    page.stage.draw([hand.view]);
    page.hud.tags([]);
    if (now - (this.shownAt ?? 0) > 120) this.#numbers(found, now);
  }

  #numbers(found, now) {
    this.shownAt = now;
    const { words } = this;
    const verdicts = ['apart, proven', 'perhaps in contact', 'in contact, proven'];
    words.verdict.textContent = `${verdicts[found.verdict]}${found.verdict === 1 ? ` (level ${found.level})` : ''}`;
    words.bound.textContent = found.verdict === 2 ? '0 mm apart' : Number.isFinite(found.bound) && found.verdict === 1 ? `${lengthText(found.bound)} apart` : '–';
    words.truth.textContent = found.upper > 0 ? lengthText(found.upper) : 'they touch';
    words.work.textContent = `${timeText(found.work)}: ${found.sphereTests} spheres, ${found.triangleTests} triangles`;
  }
}
