// SPDX-License-Identifier: MIT
// Two bodies that no simulation moves, and what is known about them.

import * as THREE from 'three';
import { liveryOf } from '../render/ships.js';
import { levelColours, rgbOf } from '../words.js';

const liveries = [liveryOf(0xe69f00), liveryOf(0x5b6b8c)];
const linear = (hex) => rgbOf(hex).map((c) => c ** 1.4);

export class Hand {
  constructor(page) {
    this.page = page;
    this.view = page.newView();
    this.view.camera.mode = 'orbit';
    this.view.camera.orbit = { yaw: 0.25, pitch: 0.22 };
    this.bodies = [];
    this.reach = 4.6;
  }

  /** Adds a body: shape and model for drawing. */
  add(name, shape, model) {
    this.bodies.push({ name, shape, model, place: new THREE.Vector3(), turn: new THREE.Quaternion(), spheres: new Map() });
    this.#setModels();
  }

  replace(i, name, shape, model) {
    const body = this.bodies[i];
    this.page.engine.forgetShape(body.shape);
    Object.assign(body, { name, shape, model, spheres: new Map() });
    this.#setModels();
  }

  #setModels() {
    this.view.ships.setModels(this.bodies.map((body) => body.model));
  }

  /** Adds one of the page's models; its shape must be among those of a scene. */
  async addModel(name) {
    const { page } = this;
    const scene = page.data.page.scenes.find((each) => each.shapes.some(({ model }) => model === `${name}.glb`));
    const shapes = scene.shapes.filter(({ model }) => model === `${name}.glb`);
    const [, [model]] = await Promise.all([page.data.provide(page.engine, { ...scene, shapes }), page.stage.models([name])]);
    return { name, shape: page.engine.shapeOf(`${name}.glb`), model };
  }

  close() {
    for (const body of this.bodies) this.page.engine.forgetShape(body.shape);
    this.view.dispose();
  }

  pose(i) {
    const { place, turn } = this.bodies[i];
    return [...place.toArray(), turn.x, turn.y, turn.z, turn.w];
  }

  compare(level, budget) {
    const [a, b] = this.bodies;
    this.found = this.page.engine.compare(a.shape, this.pose(0), b.shape, this.pose(1), level, budget);
    this.contact = this.page.engine.contactOfHand();
    return this.found;
  }

  /** Draws the bodies, spheres of a level (below 0: none) and the nearest points. */
  draw({ level, rings = true, nearest = true, outlined = -1, dim = 1 }) {
    const { view } = this;
    const centre = new THREE.Vector3();
    for (const body of this.bodies) centre.addScaledVector(body.place, 1 / this.bodies.length);
    view.camera.around(centre, this.reach);
    // On a tall screen the panel covers the lower half
    const { width, height } = this.page.stage.canvas.getBoundingClientRect();
    if (height > width) view.camera.eye.addScaledVector(new THREE.Vector3(0, 1, 0).applyQuaternion(view.camera.turn), -0.34 * this.reach);
    const { eye } = view.camera;
    const columns = { width: 10, body: 0, shape: 1, x: 2, y: 3, z: 4, qx: 5, qy: 6, qz: 7, qw: 8, thrust: 9 };
    const rows = new Float64Array(this.bodies.flatMap((_, i) => [i, i, ...this.pose(i), 0]));
    view.ships.show(rows, columns, eye, (i) => ({
      livery: liveries[i], glow: i === outlined ? 0.5 : 0, rim: [1, 1, 1], hit: null,
    }), 0);
    this.#spheres(level, dim);
    this.#rings(rings && level >= 0, outlined);
    this.#nearest(nearest);
    view.halos.begin(0);
    view.halos.end();
    view.dust.mesh.visible = false;
    view.cage.update(eye, 0);
  }

  #spheres(level, dim) {
    const { view } = this;
    const { eye } = view.camera;
    const all = level < 0 ? [] : this.bodies.map((body) => {
      if (!body.spheres.has(level)) body.spheres.set(level, this.page.engine.spheresOf(body.shape, level));
      return body.spheres.get(level);
    });
    view.shells.begin(all.reduce((sum, spheres) => sum + spheres.length / 4, 0));
    const colour = linear(levelColours[Math.min(Math.max(level, 0), 4)]);
    const at = new THREE.Vector3();
    all.forEach((spheres, i) => {
      const { place, turn } = this.bodies[i];
      for (let k = 0; k < spheres.length; k += 4) {
        at.set(spheres[k], spheres[k + 1], spheres[k + 2]).applyQuaternion(turn).add(place).sub(eye);
        view.shells.add(at.x, at.y, at.z, spheres[k + 3], colour, 0.55 * dim);
      }
    });
    view.shells.end();
  }

  #rings(shown, outlined) {
    const { view } = this;
    const { eye } = view.camera;
    const contact = shown && this.contact ? this.contact : [];
    const body = this.bodies[outlined];
    view.rings.begin(contact.length / 4 + 1);
    if (body)
      view.rings.add(body.place.x - eye.x, body.place.y - eye.y, body.place.z - eye.z, this.page.engine.radiusOf(body.shape), [1, 0.9, 0.7], 0.8);
    for (let k = 0; k < contact.length; k += 4)
      view.rings.add(contact[k] - eye.x, contact[k + 1] - eye.y, contact[k + 2] - eye.z, contact[k + 3], [1, 1, 1], 0.85);
    view.rings.end();
  }

  #nearest(shown) {
    const { view, found } = this;
    const { eye } = view.camera;
    const apart = shown && found && found.upper > 0 && Number.isFinite(found.upper);
    view.lines.begin(apart ? 1 : 0);
    if (apart)
      view.lines.add([found.ax - eye.x, found.ay - eye.y, found.az - eye.z], [found.bx - eye.x, found.by - eye.y, found.bz - eye.z],
        [1, 1, 1], 1, 2.5);
    view.lines.end();
  }
}
