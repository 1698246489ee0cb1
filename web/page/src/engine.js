// SPDX-License-Identifier: MIT
// The simulator in WebAssembly: the C functions of engine/page/flight_c.h with the habits of JavaScript.

import { decompress } from 'fzstd';

/** Thrown for what the simulator refuses; its message is a sentence. */
export class EngineError extends Error {}

/** A module with WebAssembly's 128-bit vectors, so small that a browser decides at once. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Returns true if this browser runs WebAssembly with vectors. */
export function runsHere() {
  return typeof WebAssembly === 'object' && WebAssembly.validate(simdProbe);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The columns of a kind of rows: index by name, and the number of columns. */
function columnsOf(text) {
  const names = text.split(',');
  return Object.freeze({ ...Object.fromEntries(names.map((name, index) => [name, index])), width: names.length });
}

export class Engine {
  #exports;
  #models = new Set();

  /** Instantiates the module from its bytes or from a response. */
  static async load(source) {
    const engine = new Engine();
    const imports = engine.#imports();
    const { instance } =
      source instanceof Response
        ? await WebAssembly.instantiateStreaming(source, imports)
        : await WebAssembly.instantiate(source, imports);
    engine.#exports = instance.exports;
    instance.exports._initialize?.();
    engine.columns = {};
    for (const kind of ['input', 'bodies', 'pairs', 'collisions', 'spheres', 'contact', 'statistics', 'distance', 'comparison']) {
      const text = engine.#withText(kind, (pointer) => instance.exports.nearmiss_page_columns(pointer));
      engine.columns[kind] = columnsOf(engine.text(text));
    }
    return engine;
  }

  #imports() {
    const bytes = (pointer, size) => new Uint8Array(this.#exports.memory.buffer, pointer, size);
    const view = () => new DataView(this.#exports.memory.buffer);
    let line = '';
    const wasi = {
      clock_time_get: (_clock, _precision, out) => {
        view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_write: (_file, vectors, count, out) => {
        let written = 0;
        for (let i = 0; i < count; ++i) {
          const size = view().getUint32(vectors + 8 * i + 4, true);
          line += decoder.decode(bytes(view().getUint32(vectors + 8 * i, true), size));
          written += size;
        }
        view().setUint32(out, written, true);
        if (line.endsWith('\n')) {
          console.warn(line.trimEnd());
          line = '';
        }
        return 0;
      },
      fd_close: () => 8,
      fd_seek: () => 8,
    };
    return {
      wasi_snapshot_preview1: new Proxy(wasi, { get: (known, name) => known[name] ?? (() => 52) }),
      page: {
        decompress: (packed, size, out, room) => {
          try {
            const unpacked = decompress(bytes(packed, size).slice());
            if (unpacked.length > room) return -1;
            bytes(out, unpacked.length).set(unpacked);
            return unpacked.length;
          } catch {
            return -1;
          }
        },
      },
    };
  }

  /** Bytes of memory that the module has. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  get exports() {
    return this.#exports;
  }

  text(pointer) {
    const memory = new Uint8Array(this.#exports.memory.buffer);
    return decoder.decode(memory.subarray(pointer, memory.indexOf(0, pointer)));
  }

  #withBytes(content, act) {
    const pointer = this.#exports.malloc(Math.max(content.length, 1));
    if (!pointer) throw new EngineError('There is not enough memory.');
    new Uint8Array(this.#exports.memory.buffer).set(content, pointer);
    try {
      return act(pointer, content.length);
    } finally {
      this.#exports.free(pointer);
    }
  }

  #withText(text, act) {
    return this.#withBytes(encoder.encode(text + '\0'), act);
  }

  error() {
    return new EngineError(this.text(this.#exports.nearmiss_page_error()));
  }

  hasModel(key) {
    return this.#models.has(key);
  }

  /** Adds the bytes of a shape, or the text of a model with joints, under the name of its file. */
  addModel(name, content, key = name) {
    const all = typeof content === 'string' ? encoder.encode(content) : content;
    const status = this.#withText(name, (pointer) =>
      this.#withBytes(all, (data, size) => this.#exports.nearmiss_page_add_model(pointer, data, size)),
    );
    if (status !== 0) throw this.error();
    this.#models.add(key);
  }

  /** Starts a flight of a scene, the text of a scene file. */
  open(scene, { shots = true } = {}) {
    const text = encoder.encode(scene);
    return this.#flight(
      this.#withBytes(text, (pointer, size) => this.#exports.nearmiss_flight_open(pointer, size, shots ? 1 : 0)),
    );
  }

  /** Opens the bytes of a recorded session. */
  replay(bytes) {
    return this.#flight(this.#withBytes(bytes, (pointer, size) => this.#exports.nearmiss_flight_replay(pointer, size)));
  }

  #flight(handle) {
    if (!handle) throw this.error();
    return new Flight(this, handle);
  }

  // Two bodies in the hand

  /** Makes a shape of triangles, three numbers a vertex; returns its number. */
  makeShape(vertices, triangles) {
    const { exports } = this;
    const made = this.#withBytes(new Uint8Array(vertices.buffer, vertices.byteOffset, vertices.byteLength), (points) =>
      this.#withBytes(new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength), (indices) =>
        exports.nearmiss_hand_make_shape(points, vertices.length / 3, indices, triangles.length / 3),
      ),
    );
    if (made < 0) throw this.error();
    return made;
  }

  /** The number of an added model's shape. */
  shapeOf(name) {
    const made = this.#withText(name, (pointer) => this.#exports.nearmiss_hand_model(pointer));
    if (made < 0) throw this.error();
    return made;
  }

  forgetShape(shape) {
    this.#exports.nearmiss_hand_forget(shape);
  }

  radiusOf(shape) {
    return this.#exports.nearmiss_hand_radius(shape);
  }

  levelsOf(shape) {
    return this.#exports.nearmiss_hand_levels(shape);
  }

  /** Compares two shapes; poses are [x, y, z, qx, qy, qz, qw]. Returns the columns of "comparison" by name. */
  compare(a, poseA, b, poseB, level, budget = Infinity) {
    const poses = new Float64Array([...poseA, ...poseB]);
    const row = this.#withBytes(new Uint8Array(poses.buffer), (pointer) =>
      this.#exports.nearmiss_hand_compare(a, pointer, b, pointer + 56, level, Number.isFinite(budget) ? budget : -1),
    );
    if (!row) throw this.error();
    const { width, ...columns } = this.columns.comparison;
    const numbers = new Float64Array(this.#exports.memory.buffer, row, width);
    return Object.fromEntries(Object.entries(columns).map(([name, index]) => [name, numbers[index]]));
  }

  #handRows(kind, call) {
    const count = this.#exports.malloc(4);
    const pointer = call(count);
    const memory = this.#exports.memory.buffer;
    const rows = new DataView(memory).getUint32(count, true);
    this.#exports.free(count);
    return Float64Array.from(new Float64Array(memory, rows ? pointer : 0, rows * this.columns[kind].width));
  }

  /** The colliding spheres of the last comparison. */
  contactOfHand() {
    return this.#handRows('contact', (count) => this.#exports.nearmiss_hand_contact(count));
  }

  spheresOf(shape, level) {
    return this.#handRows('spheres', (count) => this.#exports.nearmiss_hand_spheres(shape, level, count));
  }

  setMethod(handle, name) {
    if (this.#withText(name, (pointer) => this.#exports.nearmiss_flight_set_method(handle, pointer)) !== 0)
      throw this.error();
  }
}

/** A flight, or the replay of a session. Rows are views of the module's memory until the next call. */
export class Flight {
  #engine;
  #handle;
  #count;
  #input;

  constructor(engine, handle) {
    this.#engine = engine;
    this.#handle = handle;
    this.#count = engine.exports.malloc(4);
    this.#input = engine.exports.nearmiss_flight_input(handle);
    this.columns = engine.columns;
    this.about = JSON.parse(engine.text(engine.exports.nearmiss_flight_about(handle)));
    this.spheresKept = new Map();
  }

  close() {
    if (!this.#handle) return;
    this.#engine.exports.nearmiss_flight_close(this.#handle);
    this.#engine.exports.free(this.#count);
    this.#handle = 0;
  }

  get closed() {
    return this.#handle === 0;
  }

  /** Sets columns of the input, by name. */
  set(values) {
    const row = new Float64Array(this.#engine.exports.memory.buffer, this.#input, this.columns.input.width);
    for (const [name, value] of Object.entries(values)) row[this.columns.input[name]] = value;
  }

  setMethod(name) {
    this.#engine.setMethod(this.#handle, name);
  }

  /** Advances by `dt` seconds; detection may take `budget` microseconds, Infinity for no limit. */
  step(dt, budget, counted = true) {
    const limit = Number.isFinite(budget) ? budget : -1;
    if (this.#engine.exports.nearmiss_flight_step(this.#handle, dt, limit, counted ? 1 : 0) !== 0)
      throw this.#engine.error();
  }

  seek(frame) {
    if (this.#engine.exports.nearmiss_flight_seek(this.#handle, frame) !== 0) throw this.#engine.error();
  }

  #rows(kind, call) {
    const pointer = call(this.#count);
    const memory = this.#engine.exports.memory.buffer;
    const count = new DataView(memory).getUint32(this.#count, true);
    return new Float64Array(memory, count ? pointer : 0, count * this.columns[kind].width);
  }

  bodies() {
    return this.#rows('bodies', (count) => this.#engine.exports.nearmiss_flight_bodies(this.#handle, count));
  }

  pairs() {
    return this.#rows('pairs', (count) => this.#engine.exports.nearmiss_flight_pairs(this.#handle, count));
  }

  collisions() {
    return this.#rows('collisions', (count) => this.#engine.exports.nearmiss_flight_collisions(this.#handle, count));
  }

  /** The colliding spheres of a row of pairs(), which must have been called before. */
  contact(pair) {
    return this.#rows('contact', (count) => this.#engine.exports.nearmiss_flight_contact(this.#handle, pair, count));
  }

  /** The spheres of a level in the frame of a shape, kept. */
  spheres(shape, level) {
    const key = `${shape}/${level}`;
    let known = this.spheresKept.get(key);
    if (!known) {
      known = Float32Array.from(
        this.#rows('spheres', (count) =>
          this.#engine.exports.nearmiss_flight_spheres(this.#handle, shape, level, count),
        ),
      );
      this.spheresKept.set(key, known);
    }
    return known;
  }

  statistics() {
    const pointer = this.#engine.exports.nearmiss_flight_statistics(this.#handle);
    return new Float64Array(this.#engine.exports.memory.buffer, pointer, this.columns.statistics.width);
  }

  /** Bounds on the distance of two bodies, and nearest points. */
  distance(a, b) {
    const pointer = this.#engine.exports.nearmiss_flight_distance(this.#handle, a, b);
    const row = new Float64Array(this.#engine.exports.memory.buffer, pointer, this.columns.distance.width);
    return { lower: row[0], upper: row[1], onA: [...row.subarray(2, 5)], onB: [...row.subarray(5, 8)] };
  }

  /** The hash of the state, as in `nearmiss replay --validate`. */
  hash() {
    const hash = BigInt.asUintN(64, this.#engine.exports.nearmiss_flight_hash(this.#handle));
    return '0x' + hash.toString(16).padStart(16, '0');
  }

  difference() {
    return this.#engine.text(this.#engine.exports.nearmiss_flight_difference(this.#handle));
  }
}
