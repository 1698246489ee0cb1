// SPDX-License-Identifier: MIT
// A flight with its marks: what detection found recently, and how it is drawn.

import * as THREE from 'three';
import { liveryOf } from './render/ships.js';
import { depthNames, levelColours, pairColours, rgbOf } from './words.js';

const maxMarks = 12;
const markSeconds = 2.6;
const glowSeconds = 0.9;
const shellSeconds = 1.5;
const sparkSeconds = 0.55;
const historySeconds = 10;
const maxShells = 20000;

const own = liveryOf(0xe69f00), drone = liveryOf(0x5b6b8c), shot = liveryOf(0xd55e00);
const linear = (hex) => rgbOf(hex).map((c) => c ** 1.4);

export class FlightShow {
  constructor(flight, view) {
    this.flight = flight;
    this.view = view;
    this.marks = [];
    this.sparks = [];
    this.history = [];
    this.totals = new Float64Array(6);
    this.time = 0;
    this.statistics = {};
    this.columns = flight.columns;
  }

  close() {
    this.flight.close();
  }

  /** Advances the flight and takes what was found. */
  step(dt, budget) {
    this.flight.step(dt, budget);
    this.take();
  }

  take() {
    const { flight } = this;
    const { statistics, collisions } = this.columns;
    const row = flight.statistics();
    for (const [name, index] of Object.entries(statistics)) if (name !== 'width') this.statistics[name] = row[index];
    this.time = this.statistics.time;
    const found = flight.collisions();
    for (let at = 0; at < found.length; at += collisions.width) this.#mark(found, at, collisions);
    // Marks age by simulated time, which stands still in a pause and runs back with a replay
    this.marks = this.marks.filter((mark) => this.time >= mark.born && this.time - mark.born < markSeconds);
    this.sparks = this.sparks.filter((spark) => this.time >= spark.born && this.time - spark.born < sparkSeconds);
    while (this.history.length && this.time - this.history[0].time > historySeconds) this.history.shift();
    if (this.history.length && this.history.at(-1).time > this.time) this.history.length = 0;
  }

  #mark(row, at, c) {
    const a = row[at + c.a], b = row[at + c.b];
    const depth = row[at + c.depth];
    this.totals[depth] += 1;
    this.history.push({ time: this.time, depth });
    const before = this.marks.findIndex((mark) => mark.a === a && mark.b === b);
    const slot = before >= 0 ? this.marks[before].slot : this.#freeSlot();
    if (before >= 0) this.marks.splice(before, 1);
    else if (this.marks.length >= maxMarks) this.marks.shift();
    const place = [row[at + c.x], row[at + c.y], row[at + c.z]];
    this.marks.push({
      a, b, depth, slot, place, born: this.time, bound: row[at + c.bound], proven: row[at + c.verdict] === 2,
      conservative: row[at + c.conservative] !== 0, deepest: row[at + c.deepest],
    });
    const normal = [row[at + c.nx], row[at + c.ny], row[at + c.nz]];
    if (this.sparks.length < 16) this.sparks.push({ place, normal, born: this.time, slot });
  }

  #freeSlot() {
    for (let slot = 0; slot < maxMarks; ++slot) if (!this.marks.some((mark) => mark.slot === slot)) return slot;
    return this.marks[0].slot;
  }

  /** The user's ship, as objects of three.js. */
  user() {
    const bodies = this.flight.bodies(), c = this.columns.bodies;
    for (let at = 0; at < bodies.length; at += c.width) {
      if (bodies[at + c.body] !== this.flight.about.user) continue;
      return {
        place: new THREE.Vector3(bodies[at + c.x], bodies[at + c.y], bodies[at + c.z]),
        rotation: new THREE.Quaternion(bodies[at + c.qx], bodies[at + c.qy], bodies[at + c.qz], bodies[at + c.qw]),
        velocity: new THREE.Vector3(bodies[at + c.vx], bodies[at + c.vy], bodies[at + c.vz]),
        radius: bodies[at + c.radius],
      };
    }
    return null;
  }

  /** Fills the view. `shells`: 'none', 'contact' or 'all'; `level`: of the spheres drawn with 'all'. */
  present({ shells, level, seconds, gentle }) {
    const { view, flight } = this;
    const user = this.user();
    if (user) view.camera.follow(user.place, user.rotation, user.velocity, user.radius, seconds);
    const { eye } = view.camera;
    view.seconds = this.time;
    const bodies = flight.bodies().slice();
    const age = (mark) => this.time - mark.born;
    const hits = new Map();
    for (const mark of this.marks)
      if (age(mark) < glowSeconds) for (const body of [mark.a, mark.b]) hits.set(body, mark);
    view.ships.show(bodies, this.columns.bodies, eye, (body) => {
      const at = body === flight.about.user;
      const mark = hits.get(body);
      const livery = at ? own : drone;
      if (!mark) return { livery };
      const glow = (1 - age(mark) / glowSeconds) * (gentle ? 0.4 : 1);
      return { livery, glow, hit: mark.place, rim: rgbOf(pairColours[mark.slot % pairColours.length]) };
    }, this.time);
    this.#presentSpheres(bodies, shells, level);
    this.#presentSparks(gentle);
    view.dust.update(eye);
    view.cage.update(eye, flight.about.arena);
  }

  /** The spheres of the level around what collides, or of all ships. */
  #presentSpheres(bodies, kind, level) {
    const { view, flight } = this;
    const { eye } = view.camera, c = this.columns.bodies;
    const recent = this.marks.filter((mark) => this.time - mark.born < shellSeconds);
    const shown = new Map();
    if (kind === 'contact')
      for (const mark of recent) {
        // Triangles have no spheres; the finest level leads to them
        const strength = 1 - (this.time - mark.born) / shellSeconds;
        for (const body of [mark.a, mark.b])
          if (!(shown.get(body)?.strength > strength)) shown.set(body, { level: Math.min(mark.depth, 4), depth: mark.depth, strength });
      }
    let most = 0;
    const rows = [];
    for (let at = 0; at < bodies.length; at += c.width) {
      const of = kind === 'all' ? { level: Math.min(level, 4), depth: Math.min(level, 4), strength: 0.75 } : shown.get(bodies[at]);
      if (!of) continue;
      const spheres = flight.spheres(bodies[at + c.shape], of.level);
      if (most + spheres.length / 4 > maxShells) continue;
      most += spheres.length / 4;
      rows.push([at, of, spheres]);
    }
    view.shells.begin(most);
    const centre = new THREE.Vector3(), turn = new THREE.Quaternion();
    for (const [at, of, spheres] of rows) {
      turn.set(bodies[at + c.qx], bodies[at + c.qy], bodies[at + c.qz], bodies[at + c.qw]);
      const colour = linear(levelColours[of.depth]);
      const alpha = 0.75 * of.strength;
      for (let i = 0; i < spheres.length; i += 4) {
        centre.set(spheres[i], spheres[i + 1], spheres[i + 2]).applyQuaternion(turn);
        view.shells.add(
          centre.x + bodies[at + c.x] - eye.x, centre.y + bodies[at + c.y] - eye.y, centre.z + bodies[at + c.z] - eye.z,
          spheres[i + 3], colour, alpha);
      }
    }
    view.shells.end();
    this.#presentContacts(kind);
  }

  #presentContacts(kind) {
    const { view, flight } = this;
    const { eye } = view.camera;
    const rings = [];
    if (kind !== 'none') {
      const pairs = flight.pairs().slice(), c = this.columns.pairs;
      for (let i = 0; i * c.width < pairs.length && i < maxMarks; ++i) {
        const depth = pairs[i * c.width + c.depth];
        if (depth > 4) continue;
        const contact = flight.contact(i);
        for (let at = 0; at < contact.length; at += 4) rings.push([contact[at], contact[at + 1], contact[at + 2], contact[at + 3], depth]);
      }
    }
    view.rings.begin(rings.length);
    for (const [x, y, z, radius, depth] of rings)
      view.rings.add(x - eye.x, y - eye.y, z - eye.z, radius, rgbOf(levelColours[depth]), 0.9);
    view.rings.end();
  }

  #presentSparks(gentle) {
    const { view } = this;
    const { eye } = view.camera;
    const shown = gentle ? [] : this.sparks;
    const each = 14;
    view.halos.begin(shown.length);
    view.lines.begin(each * shown.length);
    for (const { place, normal, born, slot } of shown) {
      const age = (this.time - born) / sparkSeconds;
      const fade = (1 - age) * (1 - age);
      const at = place.map((p, k) => p - eye.getComponent(k));
      view.halos.add(...at, 0.55 + 0.9 * age, [1.0 * fade, 0.86 * fade, 0.6 * fade]);
      for (let i = 0; i < each; ++i) {
        const turn = i * 2.399963 + slot, flat = 0.35 + 0.65 * ((i * 0.618) % 1);
        const away = [Math.cos(turn), Math.sin(turn), Math.cos(2.1 * turn)].map((d, k) => {
          const along = normal[0] * Math.cos(turn) + normal[1] * Math.sin(turn) + normal[2] * Math.cos(2.1 * turn);
          return (d - along * normal[k]) * flat + 0.25 * normal[k] * ((i % 2) * 2 - 1);
        });
        const from = at.map((p, k) => p + away[k] * 1.7 * age), to = at.map((p, k) => p + away[k] * (1.7 * age + 0.22 * (1 - age)));
        view.lines.add(from, to, [1, 0.82, 0.5], 0, 1.2, fade);
      }
    }
    view.lines.end();
  }

  /** Collisions by depth in the last ten seconds. */
  recent() {
    const counts = [0, 0, 0, 0, 0, 0];
    for (const { depth } of this.history) ++counts[depth];
    return counts;
  }
}

/** The words of a mark: level and gap. */
export function markWords(mark, lengthText) {
  const gap = mark.proven
    ? mark.deepest > 0 ? `contact, ${lengthText(mark.deepest)} deep` : 'contact'
    : Number.isFinite(mark.bound) ? `gap ${mark.conservative ? '≤' : '~'} ${lengthText(mark.bound)}` : 'no bound yet';
  return { level: depthNames[mark.depth], gap };
}
