// SPDX-License-Identifier: MIT
// The same flight twice, on two machines of one speed: BSP trees take as long as they take, spheres stop in time.

import { autopilot } from '../input.js';
import { budgets } from '../settings.js';
import { msText } from '../words.js';
import { FlyMode } from './fly.js';

const $ = (id) => document.getElementById(id);

/** What detection may take in a frame of these machines, microseconds. */
const allowance = 12000;
const restOfFrame = 4600;
const longestFrame = 1.5;

/** A flight on a machine that is so much slower: while it computes, its picture stands still. */
class Machine {
  constructor(flown, name) {
    this.flown = flown;
    this.name = name;
    this.busyUntil = 0;
    this.behind = 0;
    this.frames = [];
    this.costs = [];
    this.cost = 0;
    this.label = document.createElement('div');
    this.label.className = 'half';
    this.label.innerHTML = '<b></b><span></span>';
    this.label.firstChild.textContent = name;
  }

  /** Runs a frame if the machine has finished the one before. */
  run(now, slowness, budget, input) {
    if (this.last === undefined) this.last = now - 0.016;
    if (now < this.busyUntil) return;
    const { show } = this.flown;
    const dt = Math.min(now - this.last, longestFrame);
    this.last = now;
    show.flight.set(input(show));
    show.step(dt, budget);
    this.cost = show.statistics.spent * slowness;
    this.costs.push({ now, cost: this.cost });
    while (this.costs[0].now < now - 3) this.costs.shift();
    this.busyUntil = now + Math.min((this.cost + restOfFrame) / 1e6, longestFrame);
    this.frames.push(now);
    while (this.frames[0] < now - 2) this.frames.shift();
  }
}

export class SplitMode {
  name = 'split';

  constructor(page) {
    this.page = page;
  }

  async open() {
    const { page } = this;
    this.halves = [];
    for (const [method, name] of [['bsp', 'BSP trees: exact, however long'], ['sphere-tree', 'Spheres: stop in time']]) {
      const flown = new FlyMode({ ...page, settings: { ...page.settings, method }, newView: () => page.newView() });
      await flown.open();
      this.halves.push(new Machine(flown, name));
    }
    this.time = 0;
    this.shownAt = 0;
  }

  begin() {
    $('halves').replaceChildren(...this.halves.map((half) => half.label));
    $('halves').hidden = false;
    $('invite').classList.add('gone');
    for (const radio of $('method').querySelectorAll('input')) radio.disabled = true;
  }

  close() {
    $('halves').hidden = true;
    for (const radio of $('method').querySelectorAll('input')) radio.disabled = false;
    for (const half of this.halves ?? []) half.flown.close();
  }

  orbits() {
    return this.halves[0].flown.view.camera.mode === 'orbit';
  }

  orbit(dx, dy) {
    for (const half of this.halves) half.flown.orbit(dx, dy);
  }

  zoom(notches) {
    for (const half of this.halves) half.flown.zoom(notches);
  }

  nextCamera() {
    for (const half of this.halves) half.flown.nextCamera();
  }

  frame(dt, interval, now) {
    const { page } = this;
    const { settings } = page;
    const budget = budgets[settings.budget];
    const slowness = Number.isFinite(budget) ? allowance / budget : 1;
    if (!page.paused) this.time += dt;
    const sticks = page.input.read();
    const levelCap = settings.level >= 5 ? 1000 : settings.level;
    if (!page.paused)
      for (const [i, half] of this.halves.entries())
        half.run(this.time, slowness, i === 0 ? Infinity : budget, ({ flight }) => ({
          ...(page.input.touched ? sticks : autopilot(flight.bodies(), flight.columns.bodies, flight.about.user, this.time)),
          levelCap: i === 0 ? 1000 : levelCap,
        }));
    const shown = this.halves.map(({ flown: { show, view } }) => ({ show, view }));
    for (const { show } of shown) show.present({ shells: settings.shells, level: settings.level, seconds: dt, gentle: page.gentle });
    const start = performance.now();
    page.stage.draw(shown.map(({ view }) => view));
    page.hud.tags(shown);
    page.hud.add(interval, 1000 * (performance.now() - start), shown[1].show);
    page.hud.update(now, shown[1].show, settings);
    if (now - this.shownAt > 250) this.#label(now, slowness);
  }

  #label(now, slowness) {
    this.shownAt = now;
    const slow = slowness > 1.5 ? `a machine ${slowness.toFixed(0)} times slower` : 'this machine';
    for (const half of this.halves) {
      const rate = half.frames.length / Math.max(Math.min(this.time, 2), 0.1);
      const { x, y, width } = half.flown.view.place ?? { x: 0, y: 0, width: 300 };
      const worst = Math.max(0, ...half.costs.map(({ cost }) => cost));
      half.label.style.translate = `${x + 12}px ${y + 12}px`;
      half.label.style.maxWidth = `${width - 24}px`;
      half.label.classList.toggle('behind', worst > allowance * 1.2);
      half.label.lastChild.textContent = `${rate.toFixed(0)} frames a second on ${slow}; detection took up to ${msText(worst)}`;
    }
  }
}
