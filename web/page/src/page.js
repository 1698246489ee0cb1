// SPDX-License-Identifier: MIT
// The page: loads, then runs one mode at a time.

import './page.css';
import { fetchBytes, PageData } from './data.js';
import { Engine, runsHere } from './engine.js';
import { Hud } from './hud.js';
import { Input } from './input.js';
import { Stage, View } from './render/stage.js';
import { budgets, fromHash, methods, modes, shellKinds, toHash } from './settings.js';
import { timeText } from './words.js';
import { FlyMode } from './modes/fly.js';

const $ = (id) => document.getElementById(id);

/** The modes that are fetched when they are first used. */
const laterModes = {
  split: () => import('./modes/split.js').then((module) => module.SplitMode),
  tour: () => import('./modes/tour.js').then((module) => module.TourMode),
  bench: () => import('./modes/bench.js').then((module) => module.BenchMode),
  replay: () => import('./modes/replay.js').then((module) => module.ReplayMode),
};

function fatal(sentence) {
  const text = document.createElement('p');
  text.className = 'fatal';
  text.setAttribute('role', 'alert');
  text.textContent = sentence;
  document.body.append(text);
  $('loading').classList.add('done');
}

export class Page {
  constructor(data, engine) {
    this.data = data;
    this.engine = engine;
    this.scenes = data.page.scenes.map((scene) => scene.name);
    this.settings = fromHash(location.hash, this.scenes);
    this.hud = new Hud();
    this.paused = false;
    this.gentle = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.frames = 0;
    this.paced = 0;
    this.mode = null;
    this.lost = false;
  }

  /** Microseconds of counted work that detection may take in a frame. */
  get budget() {
    return budgets[this.settings.budget];
  }

  makeStage() {
    if (!document.createElement('canvas').getContext('webgl2')) throw new Error('no WebGL 2');
    this.stage = new Stage($('canvas'), this.data);
    this.stage.prepare();
    fetchBytes('data/hull.light.gz').then(
      (bytes) => this.stage.setHull(bytes, this.data.page.hull),
      (fault) => this.hud.note(fault.message),
    );
    const canvas = $('canvas');
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
      this.hud.note('The browser has taken the graphics away. The flight goes on when it gives them back.');
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      this.stage.prepare();
      this.hud.note('The graphics are back.');
    });
  }

  newView() {
    return new View(this.stage);
  }

  connect() {
    this.#connectControls();
    this.input = new Input({
      canvas: $('canvas'), stick: $('stick'), thrust: $('thrust'), commands: this.#commands(),
      orbits: () => this.mode?.orbits?.() ?? false,
      orbit: (dx, dy, event) => this.mode?.orbit?.(dx, dy, event),
      orbitEnds: () => this.mode?.dragEnds?.(),
      zoom: (notches) => this.mode?.zoom?.(notches),
    });
    addEventListener('hashchange', () => this.change(fromHash(location.hash, this.scenes)));
    document.addEventListener('visibilitychange', () => (this.then = 0));
    this.#connectDrops();
  }

  #connectDrops() {
    const drag = (on) => (event) => {
      event.preventDefault();
      document.body.classList.toggle('dragging', on);
    };
    addEventListener('dragover', drag(true));
    addEventListener('dragleave', drag(false));
    addEventListener('drop', async (event) => {
      drag(false)(event);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) await this.take(file);
    });
  }

  /** Takes a file that a visitor dropped or chose: a session, or a model for the bench. */
  async take(file) {
    try {
      const session = /\.session$/i.test(file.name);
      await this.change({ ...this.settings, mode: session ? 'replay' : 'bench' });
      await this.mode.takeFile(file);
    } catch (fault) {
      this.fail(fault);
    }
  }

  #connectControls() {
    const select = $('scene');
    for (const name of this.scenes) select.append(new Option(name, name));
    select.addEventListener('change', () => this.change({ ...this.settings, scene: select.value }));
    for (const [id, of] of [['method', (v) => v], ['level', Number], ['shells', (v) => v]])
      $(id).addEventListener('change', (event) => this.change({ ...this.settings, [id]: of(event.target.value) }));
    $('budget').max = budgets.length - 1;
    $('budget').addEventListener('input', () => this.change({ ...this.settings, budget: Number($('budget').value) }));
    for (const button of document.querySelectorAll('[data-mode-button]'))
      button.addEventListener('click', () => this.change({ ...this.settings, mode: button.dataset.modeButton }));
    $('link').addEventListener('click', () => this.#copyLink());
    $('help').addEventListener('click', () => $('keys').showModal());
    $('fold').addEventListener('click', () => {
      const open = $('fold').getAttribute('aria-expanded') !== 'true';
      $('fold').setAttribute('aria-expanded', open);
    });
    if (matchMedia('(max-width: 760px)').matches) $('fold').setAttribute('aria-expanded', 'false');
  }

  async #copyLink() {
    const address = `${location.origin}${location.pathname}#${toHash(this.settings)}`;
    try {
      await navigator.clipboard.writeText(address);
      $('link').textContent = 'Copied';
    } catch {
      this.hud.note(`This is the link: ${address}`);
    }
    setTimeout(() => ($('link').textContent = 'Link'), 1500);
  }

  #commands() {
    const set = (values) => () => this.change({ ...this.settings, ...values() });
    const level = (value) => set(() => ({ level: value }));
    const cycled = (all, now) => all[(all.indexOf(now) + 1) % all.length];
    const commands = {
      Space: () => (this.paused = !this.paused),
      KeyB: set(() => ({ method: cycled(methods, this.settings.method) })),
      KeyL: set(() => ({ shells: cycled(shellKinds, this.settings.shells) })),
      KeyC: () => this.mode?.nextCamera?.(),
      KeyR: () => this.restart(),
      Minus: set(() => ({ budget: Math.max(0, this.settings.budget - 1) })),
      Equal: set(() => ({ budget: Math.min(budgets.length - 1, this.settings.budget + 1) })),
      Digit0: level(5), Digit1: level(1), Digit2: level(2), Digit3: level(3), Digit4: level(4), Digit5: level(5),
      KeyY: set(() => ({ budget: this.settings.budget === 0 ? budgets.length - 1 : 0 })),
      KeyG: () => (this.gentle = !this.gentle),
      Help: () => $('keys').showModal(),
    };
    const meanings = [
      ['W, S', 'thrust forward, back'], ['A, D or ←, →', 'turn left, right'], ['↑, ↓', 'nose up, down'], ['Q, E', 'roll'],
      ['X', 'stop the ship'], ['Space', 'pause'], ['B', 'spheres or BSP trees'], ['1 to 5, 0', 'finest level; 5 and 0 are the triangles'],
      ['− and =', 'less or more time for detection'], ['Y', 'the time of 1996'], ['L', 'spheres drawn'], ['C', 'camera'],
      ['R', 'restart'], ['G', 'gentle lights'], ['?', 'these keys'],
    ];
    for (const [key, meaning] of meanings) {
      const row = $('keys').querySelector('tbody').insertRow();
      const kbd = document.createElement('kbd');
      kbd.textContent = key;
      row.insertCell().append(kbd);
      row.insertCell().textContent = meaning;
    }
    return commands;
  }

  /** Applies settings, entering another mode or scene where they ask for it. */
  async change(settings) {
    const before = this.settings;
    this.settings = settings;
    this.#showSettings();
    const asked = toHash(settings);
    history.replaceState(null, '', asked ? `#${asked}` : location.pathname + location.search);
    if (!this.mode || before.mode !== settings.mode) await this.enter(settings.mode);
    else if (before.scene !== settings.scene || before.seed !== settings.seed) await this.restart();
    else this.mode.changed?.(before);
  }

  #showSettings() {
    const { settings } = this;
    document.body.dataset.mode = settings.mode;
    $('scene').value = settings.scene;
    for (const id of ['method', 'level', 'shells'])
      for (const radio of $(id).querySelectorAll('input')) radio.checked = radio.value === String(settings[id]);
    for (const radio of $('level').querySelectorAll('input')) radio.disabled = settings.method === 'bsp';
    $('budget').value = settings.budget;
    const text = `${settings.budget === 0 ? '1996: ' : ''}${timeText(budgets[settings.budget])}`;
    $('budget-text').textContent = text;
    $('budget').setAttribute('aria-valuetext', text);
    for (const button of document.querySelectorAll('[data-mode-button]'))
      button.setAttribute('aria-pressed', button.dataset.modeButton === settings.mode);
  }

  async enter(name) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    $('canvas').setAttribute('aria-busy', 'true');
    try {
      const Mode = name === 'fly' ? FlyMode : await laterModes[name]();
      const mode = new Mode(this);
      await mode.open();
      if (turn !== this.turn) return mode.close();
      this.mode?.close();
      this.mode = mode;
      mode.begin?.();
      this.paused = false;
    } catch (fault) {
      if (turn !== this.turn) return;
      if (!this.mode && name === 'fly') throw fault;
      this.fail(fault);
      this.settings = { ...this.settings, mode: this.mode?.name ?? 'fly' };
      this.#showSettings();
    } finally {
      $('canvas').removeAttribute('aria-busy');
    }
  }

  restart() {
    return this.enter(this.settings.mode);
  }

  /** Says what failed. A module that has stopped is replaced by a fresh one. */
  async fail(fault) {
    const stopped = fault instanceof WebAssembly.RuntimeError;
    if (!stopped && !(fault instanceof Error)) console.error(fault);
    this.hud.note(stopped ? 'The simulator ran out of memory and starts again.' : fault.message);
    if (!stopped || this.reloading) return;
    this.reloading = true;
    try {
      this.mode = null;
      this.engine = await loadEngine();
      await this.enter('fly');
    } finally {
      this.reloading = false;
    }
  }

  /** Draws fewer pixels where frames take long, and more again where there is time. */
  #adapt(elapsed) {
    if (!this.stage || elapsed > 1000) return;
    this.pace = (this.pace ?? elapsed) + 0.04 * (elapsed - (this.pace ?? elapsed));
    if (++this.paced < 45) return;
    this.paced = 0;
    const { quality } = this.stage;
    if (this.pace > 30) this.stage.quality = Math.max(0.5, 0.8 * quality);
    else if (this.pace < 18) this.stage.quality = Math.min(1, 1.1 * quality);
  }

  /** Runs a frame and asks for the next. */
  tick = (now) => {
    requestAnimationFrame(this.tick);
    const elapsed = this.then ? now - this.then : 16.7;
    this.then = now;
    this.#adapt(elapsed);
    if (!this.mode || this.lost) return;
    try {
      this.mode.frame(Math.min(elapsed, 50) / 1000, 1000 * elapsed, now);
      ++this.frames;
      if (this.frames === 1) {
        $('loading').classList.add('done');
        performance.mark('first-frame');
      }
    } catch (fault) {
      this.fail(fault);
    }
  };
}

async function loadEngine() {
  const response = await fetch(new URL('nearmiss_page.wasm', document.baseURI));
  if (!response.ok) throw new Error(`The page could not load the simulator: the server answered ${response.status}.`);
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return Engine.load(streams ? response : await response.arrayBuffer());
}

async function start() {
  if (!runsHere())
    return fatal('This page needs WebAssembly with vectors, which browsers have had since 2023. Please update yours.');
  try {
    const [data, engine] = await Promise.all([PageData.load(), loadEngine()]);
    const page = new Page(data, engine);
    globalThis.nearmissPage = page;
    try {
      page.makeStage();
    } catch {
      return fatal('This browser shows no WebGL 2, which the flight is drawn with. Its settings may have turned it off.');
    }
    page.connect();
    await page.change(page.settings);
    requestAnimationFrame(page.tick);
  } catch (fault) {
    fatal(fault.message);
  }
}

start();
export { modes };
