// SPDX-License-Identifier: MIT
// A session that the native program recorded, flown again here, and the same to the last bit.

import { fetchBytes } from '../data.js';
import { FlightShow } from '../show.js';

const $ = (id) => document.getElementById(id);
const sampleName = 'a flight recorded by the native program';

export class ReplayMode {
  name = 'replay';

  constructor(page) {
    this.page = page;
    this.playing = true;
    this.clock = 0;
  }

  async open() {
    await this.#load(await fetchBytes('data/sample.session.gz'), sampleName);
  }

  /** Opens a session, fetching the models that it names. */
  async #load(bytes, name) {
    const { page } = this;
    const flight = await this.#opened(bytes);
    const names = flight.about.shapes;
    let models;
    try {
      models = await page.stage.models(names);
    } catch (fault) {
      flight.close();
      throw fault;
    }
    this.show?.close();
    this.view?.dispose();
    this.view = page.newView();
    this.view.ships.setModels(models);
    this.show = new FlightShow(flight, this.view);
    this.fileName = name;
    this.frames = flight.about.frames;
    this.position = 0;
    this.verdict = '';
    this.playing = true;
    flight.step(0, Infinity);
    this.#moved(1);
    this.show.take();
  }

  async #opened(bytes) {
    const { page } = this;
    for (let tried = ''; ; ) {
      try {
        return page.engine.replay(bytes);
      } catch (fault) {
        const models = [...fault.message.matchAll(/no model "([^"]+)"/g)].map(([, model]) => (model.includes('.') ? model : `${model}.glb`));
        if (!models.length || fault.message === tried) throw fault;
        tried = fault.message;
        const shapes = page.data.page.scenes.flatMap((scene) => scene.shapes.filter(({ model }) => models.includes(model)));
        await page.data.provide(page.engine, { shapes });
      }
    }
  }

  async takeFile(file) {
    await this.#load(new Uint8Array(await file.arrayBuffer()), file.name);
    this.#build();
  }

  begin() {
    $('invite').classList.add('gone');
    $('mode-panel').hidden = false;
    this.#build();
  }

  close() {
    $('mode-panel').hidden = true;
    this.show?.close();
    this.view?.dispose();
  }

  #build() {
    const panel = $('mode-panel');
    panel.setAttribute('aria-label', 'Replay');
    panel.innerHTML = `<h2>Replay <small class="file"></small></h2>
      <p>The work that detection was granted is in the file, so the flight repeats to the last bit, on any machine.</p>
      <input type="range" min="1" class="at" aria-label="Frame">
      <dl><div><dt>frame</dt><dd class="frame"></dd></div><div><dt>time</dt><dd class="time"></dd></div>
      <div><dt>state</dt><dd class="hash"></dd></div></dl>
      <p class="verdict" role="status"></p>
      <div class="row"><button type="button" class="play">Pause</button><button type="button" class="end">To the end</button>
      <button type="button" class="choose">Open …</button><input type="file" accept=".session" hidden></div>
      <p class="drop">Drop a <b>.session</b> here: F8 in the window records one</p>`;
    const find = (name) => panel.querySelector(`.${name}`);
    this.words = { at: find('at'), frame: find('frame'), time: find('time'), hash: find('hash'), verdict: find('verdict'), play: find('play') };
    find('file').textContent = this.fileName;
    this.words.at.max = this.frames;
    this.words.at.addEventListener('input', () => this.#seek(Number(this.words.at.value)));
    this.words.play.addEventListener('click', () => {
      if (this.position >= this.frames) this.#seek(1);
      this.playing = !this.playing || this.position <= 1;
    });
    find('end').addEventListener('click', () => {
      this.playing = false;
      this.#seek(this.frames);
    });
    const chooser = panel.querySelector('input[type=file]');
    find('choose').addEventListener('click', () => chooser.click());
    chooser.addEventListener('change', () => chooser.files[0] && this.page.take(chooser.files[0]));
    if (this.show.flight.about.warning) this.page.hud.note(this.show.flight.about.warning);
  }

  #seek(frame) {
    try {
      this.show.flight.seek(frame);
      this.#moved(frame);
      this.show.take();
    } catch (fault) {
      this.playing = false;
      this.page.fail(fault);
    }
  }

  #moved(frame) {
    this.position = frame;
    const difference = this.show.flight.difference();
    this.verdict = difference ? `It differs: ${difference}.` : frame === this.frames ? 'Every ship is where it was recorded, in every frame.' : '';
    this.ok = !difference;
  }

  orbits() {
    return true;
  }

  orbit(dx, dy) {
    const { camera } = this.view;
    if (camera.mode !== 'orbit') camera.mode = 'orbit';
    camera.orbit.yaw -= 0.006 * dx;
    camera.orbit.pitch = Math.min(Math.max(camera.orbit.pitch + 0.006 * dy, -1.4), 1.4);
  }

  zoom(notches) {
    this.view.camera.zoom(notches);
  }

  nextCamera() {
    this.view.camera.next();
  }

  frame(dt, interval, now) {
    const { page, show } = this;
    page.input.read();
    if (this.playing && !page.paused && this.position < this.frames) {
      // As fast as it was flown, at most a few frames for each of the screen's
      this.clock += dt;
      for (let i = 0; i < 4 && this.clock > 0 && this.position < this.frames; ++i) {
        const before = show.time;
        show.step(0, Infinity);
        this.#moved(this.position + 1);
        this.clock -= Math.max(show.time - before, 1e-4);
      }
      this.clock = Math.min(Math.max(this.clock, -1), 0.1);
    }
    const start = performance.now();
    show.present({ shells: page.settings.shells, level: page.settings.level, seconds: dt, gentle: page.gentle });
    page.stage.draw([this.view]);
    page.hud.tags([{ show, view: this.view }]);
    page.hud.add(interval, 1000 * (performance.now() - start), show);
    page.hud.update(now, show, { ...page.settings, budget: 10 });
    if (now - (this.shownAt ?? 0) > 100 && this.words) this.#numbers(now);
  }

  #numbers(now) {
    this.shownAt = now;
    const { words } = this;
    words.at.value = this.position;
    words.frame.textContent = `${this.position} of ${this.frames}`;
    words.time.textContent = `${this.show.time.toFixed(2)} s`;
    words.hash.textContent = this.show.flight.hash();
    words.verdict.textContent = this.verdict;
    words.verdict.className = `verdict ${this.ok ? 'ok' : 'bad'}`;
    words.play.textContent = this.playing && this.position < this.frames ? 'Pause' : this.position < this.frames ? 'Play' : 'Again';
  }
}
