// SPDX-License-Identifier: MIT
// A flight among drones.

import { autopilot } from '../input.js';
import { FlightShow } from '../show.js';

const $ = (id) => document.getElementById(id);
const inviteSeconds = 9;

/** The text of a scene with another seed. */
export function seeded(text, seed) {
  if (!seed) return text;
  return text.replace(/^version = 2$/m, `version = 2\nseed = ${seed}`);
}

export class FlyMode {
  name = 'fly';

  constructor(page) {
    this.page = page;
  }

  async open() {
    const { page } = this;
    const scene = page.data.scene(page.settings.scene);
    const listed = { ...scene, shapes: scene.shapes.filter(({ name }) => name !== 'shot.own') };
    const names = listed.shapes.map(({ name }) => name);
    const [, models] = await Promise.all([page.data.provide(page.engine, listed), page.stage.models(names)]);
    const flight = page.engine.open(seeded(scene.text, page.settings.seed), { shots: false });
    this.view = page.newView();
    const order = flight.about.shapes.map((name) => models[names.indexOf(name)]);
    this.view.ships.setModels(order);
    this.show = new FlightShow(flight, this.view);
    // The scene's own method first; another where the visitor has chosen
    if (page.settings.method !== flight.about.narrow) this.#useMethod(page.settings.method);
    this.time = 0;
  }

  begin() {
    $('invite').classList.toggle('gone', this.page.input?.touched ?? false);
  }

  close() {
    this.show?.close();
    this.view?.dispose();
  }

  #useMethod(name) {
    const own = this.show.flight.about.narrow;
    // A published scene has its own way of comparing spheres
    this.show.flight.setMethod(name === 'sphere-tree' && own.startsWith('sphere-tree') ? own : name);
  }

  changed(before) {
    if (before.method !== this.page.settings.method) this.#useMethod(this.page.settings.method);
  }

  orbits() {
    return this.view.camera.mode === 'orbit';
  }

  orbit(dx, dy) {
    const { orbit } = this.view.camera;
    orbit.yaw -= 0.006 * dx;
    orbit.pitch = Math.min(Math.max(orbit.pitch + 0.006 * dy, -1.4), 1.4);
  }

  zoom(notches) {
    this.view.camera.zoom(notches);
  }

  nextCamera() {
    this.view.camera.next();
  }

  /** The sticks of a ship that nobody steers. */
  autopilot(time) {
    const { flight } = this.show;
    return autopilot(flight.bodies(), flight.columns.bodies, flight.about.user, time);
  }

  frame(dt, interval, now) {
    const { page, show } = this;
    const { settings } = page;
    this.time += dt;
    const sticks = page.input.read();
    if (page.input.touched || this.time > inviteSeconds) $('invite').classList.add('gone');
    const { flight } = show;
    if (!page.paused) {
      const steered = page.input.touched ? sticks : { ...this.autopilot(this.time), stop: 0 };
      const { eye, turn } = this.view.camera;
      flight.set({
        ...steered, levelCap: settings.level >= 5 ? 1000 : settings.level, eyeX: eye.x, eyeY: eye.y, eyeZ: eye.z,
        ...lookOf(turn, [0, 0, -1]),
      });
      show.step(dt, page.budget);
    }
    const start = performance.now();
    show.present({ shells: settings.shells, level: settings.level, seconds: dt, gentle: page.gentle });
    page.stage.draw([this.view]);
    page.hud.tags([{ show, view: this.view }]);
    page.hud.add(interval, 1000 * (performance.now() - start), show);
    page.hud.update(now, show, settings);
  }
}

/** The direction that an eye looks in. */
function lookOf(turn, [x, y, z]) {
  const { x: a, y: b, z: c, w } = turn;
  const t = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return {
    lookX: x + w * t[0] + b * t[2] - c * t[1],
    lookY: y + w * t[1] + c * t[0] - a * t[2],
    lookZ: z + w * t[2] + a * t[1] - b * t[0],
  };
}
