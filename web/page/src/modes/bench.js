// SPDX-License-Identifier: MIT
// Two bodies in the hand: built-in models, or files that visitors drop.

import * as THREE from 'three';
import { lengthText, timeText } from '../words.js';
import { Hand } from './hand.js';

const $ = (id) => document.getElementById(id);
const builtIn = ['lamp', 'faucet', 'rocket', 'truck'];
/** Building takes about ten microseconds a triangle, and the page stands still meanwhile. */
const maxTriangles = 500000;
const maxBytes = 300 << 20;

const thousands = (count) => count.toLocaleString('en');

/** Triangles of a dropped file, in its unit: positions, three numbers a vertex, and indices. */
async function readFile(file) {
  const [, kind] = /\.(stl|obj|ply|glb|gltf)$/i.exec(file.name) ?? [];
  if (!kind) throw new Error(`${file.name}: this bench reads STL, OBJ, PLY and glTF files.`);
  if (file.size > maxBytes) throw new Error(`${file.name} has ${thousands(file.size >> 20)} MiB; at most ${maxBytes >> 20} are read here.`);
  const bytes = await file.arrayBuffer();
  refuseTooMany(file.name, declaredTriangles(kind.toLowerCase(), bytes));
  const parts = await parsed(kind.toLowerCase(), bytes, file.name);
  const count = parts.reduce((sum, { geometry }) => sum + (geometry.index ?? geometry.attributes.position).count / 3, 0);
  if (!(count >= 1)) throw new Error(`${file.name} has no triangles.`);
  refuseTooMany(file.name, count);
  return merged(parts, file.name);
}

function refuseTooMany(name, count) {
  if (count > maxTriangles)
    throw new Error(`${name} has ${thousands(Math.round(count))} triangles; at most ${thousands(maxTriangles)} are built here.`);
}

/** The triangles that a header declares, before anything is read; 0 if it is not known. */
function declaredTriangles(kind, bytes) {
  if (kind === 'stl' && bytes.byteLength >= 84) {
    const count = new DataView(bytes).getUint32(80, true);
    if (bytes.byteLength === 84 + 50 * count) return count;
  }
  if (kind === 'ply') {
    const head = new TextDecoder('latin1').decode(bytes.slice(0, 4096));
    return Number(/element face (\d+)/.exec(head)?.[1] ?? 0);
  }
  return 0;
}

async function parsed(kind, bytes, name) {
  const text = () => new TextDecoder().decode(bytes);
  const parts = [];
  const add = (root) => {
    root.updateMatrixWorld(true);
    root.traverse((mesh) => mesh.isMesh && parts.push({ geometry: mesh.geometry, matrix: mesh.matrixWorld }));
  };
  try {
    if (kind === 'stl') {
      const { STLLoader } = await import('three/examples/jsm/loaders/STLLoader.js');
      parts.push({ geometry: new STLLoader().parse(bytes), matrix: new THREE.Matrix4() });
    } else if (kind === 'ply') {
      const { PLYLoader } = await import('three/examples/jsm/loaders/PLYLoader.js');
      parts.push({ geometry: new PLYLoader().parse(bytes), matrix: new THREE.Matrix4() });
    } else if (kind === 'obj') {
      const { OBJLoader } = await import('three/examples/jsm/loaders/OBJLoader.js');
      add(new OBJLoader().parse(text()));
    } else {
      const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
      add((await new GLTFLoader().parseAsync(bytes, '')).scene);
    }
  } catch {
    throw new Error(`${name} is damaged, or is not what its name says.`);
  }
  return parts.filter(({ geometry }) => geometry?.attributes.position);
}

/** One mesh of all parts, centred and scaled to a radius of a metre. */
function merged(parts, name) {
  const points = [], indices = [];
  const v = new THREE.Vector3();
  for (const { geometry, matrix } of parts) {
    const { position } = geometry.attributes;
    const base = points.length / 3;
    for (let i = 0; i < position.count; ++i) {
      v.fromBufferAttribute(position, i).applyMatrix4(matrix);
      points.push(v.x, v.y, v.z);
    }
    const count = geometry.index ? geometry.index.count : position.count;
    for (let i = 0; i + 2 < count; i += 3)
      for (let k = 0; k < 3; ++k) indices.push(base + (geometry.index ? geometry.index.getX(i + k) : i + k));
  }
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; ++i) {
    if (!Number.isFinite(points[i])) throw new Error(`${name} has a vertex that is not a number.`);
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const middle = low.map((l, k) => 0.5 * (l + high[k]));
  let reach = 0;
  for (let i = 0; i < points.length; i += 3)
    reach = Math.max(reach, Math.hypot(points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]));
  if (!(reach > 0)) throw new Error(`${name} has no extent.`);
  const vertices = Float64Array.from(points, (x, i) => (x - middle[i % 3]) / reach);
  return { vertices, triangles: Uint32Array.from(indices) };
}

/** A plain model for drawing, with a normal for each face. */
function modelOf({ vertices, triangles }) {
  const count = triangles.length;
  const position = new Float32Array(3 * count), normal = new Int16Array(4 * count);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  for (let t = 0; t < count; t += 3) {
    [a, b, c].forEach((corner, k) => {
      corner.fromArray(vertices, 3 * triangles[t + k]);
      corner.toArray(position, 3 * (t + k));
    });
    b.sub(a);
    c.sub(a);
    b.cross(c).normalize();
    for (let k = 0; k < 3; ++k) normal.set([32767 * b.x, 32767 * b.y, 32767 * b.z, 0], 4 * (t + k));
  }
  const filled = (values) => {
    const bytes = new Uint8Array(4 * count);
    for (let i = 0; i < count; ++i) bytes.set(values, 4 * i);
    return bytes;
  };
  const hull = new Uint16Array(2 * count);
  // The rows of the hull's picture that are plain
  for (let i = 0; i < count; ++i) hull.set([32768, Math.round((65535 * (1312 - 8)) / 1312)], 2 * i);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 4, true));
  geometry.setAttribute('paint', new THREE.BufferAttribute(filled([190, 190, 190, 255]), 4, true));
  geometry.setAttribute('surface', new THREE.BufferAttribute(filled([40, 150, 0, 255]), 4, true));
  geometry.setAttribute('hullPlace', new THREE.BufferAttribute(hull, 2, true));
  geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from({ length: count }, (_, i) => i), 1));
  return { geometry, nozzles: [], radius: 1, closed: false };
}

export class BenchMode {
  name = 'bench';

  constructor(page) {
    this.page = page;
    this.chosen = 1;
    this.level = 5;
    this.keys = new Set();
  }

  async open() {
    this.hand = new Hand(this.page);
    for (const name of ['truck', 'rocket']) {
      const { shape, model } = await this.hand.addModel(name);
      this.hand.add(name, shape, model);
    }
    this.hand.bodies[0].place.set(-0.55, 0, 0);
    this.hand.bodies[1].place.set(0.6, 0.25, 0.1);
    this.hand.bodies[1].turn.setFromEuler(new THREE.Euler(0.4, 0.9, 0.6));
    this.hand.reach = 4.2;
  }

  begin() {
    $('invite').classList.add('gone');
    $('mode-panel').hidden = false;
    this.#build();
  }

  close() {
    $('mode-panel').hidden = true;
    this.hand.close();
  }

  /** Replaces the chosen body by a visitor's file. */
  async takeFile(file) {
    this.#say(`Building spheres for ${file.name} …`);
    await new Promise((done) => setTimeout(done, 30));
    try {
      const mesh = await readFile(file);
      const start = performance.now();
      const shape = this.page.engine.makeShape(mesh.vertices, mesh.triangles);
      const ms = performance.now() - start;
      this.hand.replace(this.chosen, file.name, shape, modelOf(mesh));
      this.#say(`${file.name}: ${thousands(mesh.triangles.length / 3)} triangles, built in ${timeText(1000 * ms)}.`);
      this.#names();
    } catch (fault) {
      this.#say('');
      throw fault;
    }
  }

  #say(text) {
    const said = $('mode-panel').querySelector('.said');
    if (said) said.textContent = text;
  }

  #build() {
    const panel = $('mode-panel');
    panel.setAttribute('aria-label', 'Bench');
    panel.innerHTML = `<h2>Bench <small>two bodies in the hand</small></h2>
      <p>Drag moves the outlined body, with <kbd>Shift</kbd> it turns; arrow keys, W and S too. Dragging beside them turns the view.</p>
      <div class="row"><div class="choice bodies"></div><select class="model" aria-label="Model of the outlined body"></select></div>
      <div class="row"><div class="choice depth" role="radiogroup" aria-label="Finest level"></div></div>
      <dl>${[['verdict', 'answer'], ['bound', 'at most apart'], ['distance', 'true distance'], ['inside', 'penetration'], ['work', 'work']]
        .map(([name, label]) => `<div><dt>${label}</dt><dd class="${name}">–</dd></div>`).join('')}</dl>
      <p class="said" role="status"></p>
      <div class="row"><button type="button" class="choose">Open a file …</button><input type="file" accept=".stl,.obj,.ply,.glb,.gltf" hidden></div>
      <p class="drop">Drop STL, OBJ, PLY or glTF here. Files stay on this machine.</p>`;
    const radios = (root, name, options, chosen, act) => {
      for (const [value, text] of options) {
        const label = document.createElement('label');
        label.innerHTML = `<input type="radio" name="${name}" value="${value}"><span></span>`;
        label.lastChild.textContent = text;
        label.firstChild.checked = value === chosen;
        label.firstChild.addEventListener('change', () => act(value));
        root.append(label);
      }
    };
    radios(panel.querySelector('.bodies'), 'body', [[0, 'first'], [1, 'second']], this.chosen, (value) => {
      this.chosen = value;
      this.#names();
    });
    radios(panel.querySelector('.depth'), 'depth', [[0, '0'], [1, '1'], [2, '2'], [3, '3'], [4, '4'], [5, 'triangles']], this.level, (value) => (this.level = value));
    const model = panel.querySelector('.model');
    model.addEventListener('change', () => this.#useModel(model.value).catch((fault) => this.page.fail(fault)));
    const chooser = panel.querySelector('input[type=file]');
    panel.querySelector('.choose').addEventListener('click', () => chooser.click());
    chooser.addEventListener('change', () => chooser.files[0] && this.page.take(chooser.files[0]));
    this.words = Object.fromEntries(['verdict', 'bound', 'distance', 'inside', 'work'].map((name) => [name, panel.querySelector(`dd.${name}`)]));
    this.#names();
  }

  async #useModel(name) {
    if (!builtIn.includes(name)) return;
    const i = this.chosen;
    const { shape, model } = await this.hand.addModel(name);
    this.hand.replace(i, name, shape, model);
  }

  #names() {
    const select = $('mode-panel').querySelector('.model');
    const { name } = this.hand.bodies[this.chosen];
    select.replaceChildren(...[...new Set([...builtIn, name])].map((each) => new Option(each, each, false, each === name)));
  }

  /** Drags move the outlined body unless they begin beside both. */
  orbits() {
    return true;
  }

  orbit(dx, dy, event) {
    const { camera, place } = this.hand.view;
    const body = this.hand.bodies[this.chosen];
    const at = camera.project(body.place.x, body.place.y, body.place.z, place);
    this.grabbed ??= at && event && Math.hypot(event.x - at.x, event.y - at.y) < 0.3 * Math.min(place.width, place.height);
    if (!this.grabbed) {
      camera.orbit.yaw -= 0.006 * dx;
      camera.orbit.pitch = Math.min(Math.max(camera.orbit.pitch + 0.006 * dy, -1.4), 1.4);
      return;
    }
    this.#move(event.shiftKey, dx, dy);
  }

  dragEnds() {
    this.grabbed = undefined;
  }

  #move(turns, dx, dy) {
    const { camera, place } = this.hand.view;
    const body = this.hand.bodies[this.chosen];
    const right = new THREE.Vector3(1, 0, 0).applyQuaternion(camera.turn), up = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.turn);
    if (turns) {
      const q = new THREE.Quaternion().setFromAxisAngle(up, 0.01 * dx);
      q.multiply(new THREE.Quaternion().setFromAxisAngle(right, 0.01 * dy));
      body.turn.premultiply(q).normalize();
    } else {
      const metres = this.hand.reach / place.height;
      body.place.addScaledVector(right, dx * metres).addScaledVector(up, -dy * metres).clampLength(0, 5);
    }
  }

  zoom(notches) {
    this.hand.reach = Math.min(Math.max(this.hand.reach * 0.9 ** notches, 1.6), 14);
  }

  frame(dt, interval, now) {
    const { hand, page } = this;
    const sticks = page.input.read();
    const body = hand.bodies[this.chosen], { camera } = hand.view;
    const way = new THREE.Vector3(-sticks.yaw, sticks.pitch, -sticks.thrust).applyQuaternion(camera.turn);
    if (way.lengthSq() > 0) body.place.addScaledVector(way, 0.6 * dt).clampLength(0, 5);
    if (sticks.roll) body.turn.premultiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1).applyQuaternion(camera.turn), -sticks.roll * dt));
    const found = hand.compare(this.level);
    hand.draw({ level: this.level >= 5 ? -1 : this.level, outlined: this.chosen });
    page.stage.draw([hand.view]);
    page.hud.tags([]);
    if (now - (this.shownAt ?? 0) > 100 && this.words) this.#numbers(found, now);
  }

  #numbers(found, now) {
    this.shownAt = now;
    const { words } = this;
    words.verdict.textContent = `${['apart, proven', 'perhaps in contact', 'in contact, proven'][found.verdict]}${found.depth >= 5 ? ' by triangles' : ` at level ${found.level}`}`;
    words.bound.textContent = found.verdict === 2 ? '0 mm' : found.verdict === 1 ? lengthText(found.bound) : '–';
    words.distance.textContent = found.upper > 0 ? lengthText(found.upper) : '0 mm: they touch';
    words.inside.textContent = found.penetration > 0 ? `≤ ${lengthText(found.penetration)}` : '–';
    words.work.textContent = `${timeText(found.work)}: ${thousands(found.sphereTests)} spheres, ${thousands(found.triangleTests)} triangles`;
  }
}
