// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" preserve="true" />
// The module of the C functions: instantiation, its memory, calls, and what happens after a trap.
import * as layout from "./layout.js";

/** Every error of this package. `code` is one of the names of the statuses in the C header, or `DEAD`. */
export class NearmissError extends Error {
  override readonly name = "NearmissError";
  constructor(message: string, readonly code: ErrorCode = "UNSUPPORTED") {
    super(message);
  }
}
export type ErrorCode =
  | "NOT_FOUND" | "BAD_FORMAT" | "WRONG_VERSION" | "MISMATCH" | "UNSUPPORTED" | "EMPTY_MESH" | "TOO_LARGE"
  | "OUT_OF_MEMORY" | "CANCELLED" | "DEAD";

const codes: ErrorCode[] = [];
codes[layout.NOT_FOUND] = "NOT_FOUND";
codes[layout.BAD_FORMAT] = "BAD_FORMAT";
codes[layout.WRONG_VERSION] = "WRONG_VERSION";
codes[layout.MISMATCH] = "MISMATCH";
codes[layout.UNSUPPORTED] = "UNSUPPORTED";
codes[layout.EMPTY_MESH] = "EMPTY_MESH";
codes[layout.TOO_LARGE] = "TOO_LARGE";
codes[layout.OUT_OF_MEMORY] = "OUT_OF_MEMORY";

/** How the time of a call is measured. */
export type Clock = "work" | "time";

/** Where the module comes from: an address, its bytes, a response, or a compiled module. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

type Exports = Record<string, (...values: (number | bigint)[]) => number> & {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
};

/** A module with one vector instruction: what cannot validate it cannot run nearmiss. */
const vectorProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Exports the function that it imports, so that JavaScript gets a function of the type of nearmiss_progress. */
const progressBridge = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 127, 127, 124, 1, 127, 2, 7, 1, 1, 109, 1, 102, 0, 0, 7, 5, 1, 1, 103,
  0, 0,
]);

const stackBytes = 16_384;

async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") throw new NearmissError("This browser has no WebAssembly.");
  if (!WebAssembly.validate(vectorProbe))
    throw new NearmissError(
      "This browser lacks the vectors of WebAssembly that nearmiss needs. They are in Chrome 91, Firefox 89, " +
        "Safari 16.4, node 16.4 and everything newer.",
    );
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compileBytes(source as BufferSource);
  if (typeof source === "string" || source instanceof URL) {
    const base = typeof document === "undefined" ? import.meta.url : document.baseURI;
    const url = new URL(source, base);
    if (url.protocol === "file:") {
      const files = "node:fs/promises"; // bundlers must not look for it
      const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as
        typeof import("node:fs/promises");
      return compileBytes(new Uint8Array(await readFile(url)));
    }
    source = await fetch(url);
  }
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok)
      throw new NearmissError(`Cannot load the module: ${source.url} answered ${source.status}.`, "NOT_FOUND");
    return compileBytes(await source.arrayBuffer());
  }
  throw new TypeError("source must be an address, the bytes of nearmiss.wasm, a Response or a WebAssembly.Module");
}

async function compileBytes(bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (fault) {
    throw new NearmissError(`These bytes are no WebAssembly module: ${(fault as Error).message}`, "BAD_FORMAT");
  }
}

/** One instance. Everything made by it is lost if it dies. Not for users of the package. */
export class Module {
  readonly module: WebAssembly.Module;
  clock: Clock = "work";
  development = false;
  private readonly exports: Exports;
  private chosenClock: Clock = "time";
  private fault: NearmissError | null = null;
  private bytes = new DataView(new ArrayBuffer(0));
  private doubles = new Float64Array(0);
  private readonly registry: FinalizationRegistry<Token> | null;
  private readonly decoder = new TextDecoder();
  private listener: ((stage: number, fraction: number) => boolean) | null = null;
  private bridge = 0;
  private said = "";
  private stack = 0;
  private stacked = 0;

  private constructor(module: WebAssembly.Module) {
    this.module = module;
    const noFile = 8;
    const imports = {
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, out: number) => {
          this.view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        fd_close: () => noFile,
        fd_seek: () => noFile,
        // The message of an assertion
        fd_write: (_file: number, pieces: number, count: number, written: number) => {
          const view = this.view();
          let total = 0;
          for (let i = 0; i < count; ++i) {
            const at = view.getUint32(pieces + 8 * i, true);
            const size = view.getUint32(pieces + 8 * i + 4, true);
            this.said += this.decoder.decode(new Uint8Array(view.buffer, at, size));
            total += size;
          }
          view.setUint32(written, total, true);
          return 0;
        },
      },
    };
    this.exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.registry =
      typeof FinalizationRegistry === "undefined"
        ? null
        : new FinalizationRegistry((token) => {
            if (this.fault) return;
            if (this.development)
              console.warn(`nearmiss: a ${token.kind} was dropped without free(). Call free(), or declare it with using.`);
            this.freeAll(token);
          });
    this.exports["_initialize"]!();
    const version = this.exports["nearmiss_c_version"]!();
    if (version !== layout.C_VERSION)
      throw new NearmissError(
        `This nearmiss.wasm is of another version of the package: ${version} instead of ${layout.C_VERSION}.`,
        "WRONG_VERSION",
      );
  }

  static async load(source: ModuleSource): Promise<Module> {
    const module = await compile(source);
    try {
      return new Module(module);
    } catch (fault) {
      if (fault instanceof NearmissError) throw fault;
      throw new NearmissError(`This module is not nearmiss.wasm: ${(fault as Error).message}`, "BAD_FORMAT");
    }
  }

  /** Why the instance can no longer be used, or null. */
  get death(): NearmissError | null {
    return this.fault;
  }

  /** The memory as bytes. Ask again after each call: growing detaches it. */
  view(): DataView {
    if (this.bytes.buffer !== this.exports.memory.buffer) this.renew();
    return this.bytes;
  }
  /** The memory as doubles, with index address / 8. As view(). */
  numbers(): Float64Array {
    if (this.bytes.buffer !== this.exports.memory.buffer) this.renew();
    return this.doubles;
  }
  private renew(): void {
    const { buffer } = this.exports.memory;
    this.bytes = new DataView(buffer);
    this.doubles = new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
  }

  /** Calls a function. A trap kills the instance. */
  call(name: string, ...values: number[]): number {
    if (this.fault) throw this.fault;
    try {
      return this.exports[name]!(...values);
    } catch (fault) {
      throw this.die(fault);
    }
  }

  /** Calls a function that returns a status, and throws its message unless that is OK. */
  try(name: string, ...values: number[]): void {
    this.check(this.call(name, ...values));
  }
  /** The function itself, for callers that are called often: they pass on faults by die(), and statuses by check(). */
  function(name: string): (...values: number[]) => number {
    return this.exports[name]!;
  }
  check(status: number): void {
    if (status === layout.OK) return;
    const message = this.text(this.call("nearmiss_error"));
    throw new NearmissError(
      message.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => word.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())),
      codes[status] ?? "UNSUPPORTED",
    );
  }

  die(fault: unknown): unknown {
    if (!(fault instanceof WebAssembly.RuntimeError || fault instanceof RangeError)) return fault;
    let full = false;
    try {
      this.exports.memory.grow(256);
    } catch {
      full = true;
    }
    const why = full ? "ran out of memory" : `stopped by an internal error (${this.said.trim() || fault.message})`;
    this.fault = new NearmissError(
      `nearmiss ${why}. Its shapes and worlds are lost; Nearmiss.load() makes a fresh instance.`,
      full ? "OUT_OF_MEMORY" : "DEAD",
    );
    return this.fault;
  }

  allocate(size: number): number {
    const at = this.call("malloc", size) >>> 0;
    if (at === 0)
      throw new NearmissError(`There is not enough memory for ${size} bytes.`, "OUT_OF_MEMORY");
    return at;
  }
  release(at: number): void {
    if (!this.fault) this.call("free", at);
  }
  /** Calls use(address) with `size` bytes, aligned for doubles, that are free again afterwards. */
  borrow<T>(size: number, use: (at: number) => T): T {
    const bytes = Math.max(Math.ceil(size / 8) * 8, 8);
    // Small ones are stacked in a block that is kept, so that queries allocate nothing
    if (this.stack === 0) this.stack = this.allocate(stackBytes);
    const stacked = this.stacked + bytes <= stackBytes;
    const at = stacked ? this.stack + this.stacked : this.allocate(bytes);
    if (stacked) this.stacked += bytes;
    try {
      return use(at);
    } finally {
      if (stacked) this.stacked -= bytes;
      else this.release(at);
    }
  }

  text(at: number): string {
    const memory = new Uint8Array(this.exports.memory.buffer);
    return this.decoder.decode(memory.slice(at, memory.indexOf(0, at)));
  }
  copyIn(values: ArrayBufferView, at: number): void {
    new Uint8Array(this.exports.memory.buffer, at, values.byteLength).set(
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    );
  }
  copyOut(at: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, size).slice();
  }

  /** The budget of a call in seconds, its clock chosen. */
  budget(options: { budget?: number | undefined; clock?: Clock | undefined } | undefined): number {
    const milliseconds = options?.budget;
    if (milliseconds === undefined || milliseconds === Infinity) return -1;
    if (typeof milliseconds !== "number" || !(milliseconds >= 0 && milliseconds <= 1e9))
      throw new RangeError(`options.budget must be a number of milliseconds from 0 to 1e9, not ${milliseconds}`);
    this.choose(options!.clock ?? this.clock);
    return milliseconds / 1000;
  }
  private choose(clock: Clock): void {
    checkClock(clock, "options.clock");
    if (clock === this.chosenClock) return;
    this.try("nearmiss_set_clock", clock === "work" ? layout.WORK : layout.WALL_TIME);
    this.chosenClock = clock;
  }

  /** Where a function lies that reports to `listener`, which returns true to cancel. */
  listen(listener: (stage: number, fraction: number) => boolean): number {
    this.listener = listener;
    if (this.bridge === 0) {
      const f = (_context: number, stage: number, fraction: number) => (this.listener?.(stage, fraction) ? 1 : 0);
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(progressBridge), { m: { f } });
      const table = this.exports.__indirect_function_table;
      this.bridge = table.grow(1);
      table.set(this.bridge, exports["g"]);
    }
    return this.bridge;
  }
  unlisten(): void {
    this.listener = null;
  }

  watch(owner: Handle, token: Token): void {
    this.registry?.register(owner, token, owner);
  }
  freeAll(token: Token): void {
    if (this.fault) return;
    this.call(token.free, token.handle);
    if (token.buffer !== 0) this.release(token.buffer);
    token.handle = token.buffer = 0;
  }
  unwatch(owner: Handle): void {
    this.registry?.unregister(owner);
  }
}

/** Throws unless budgets can be measured so here. */
export function checkClock(clock: unknown, name: string): asserts clock is Clock {
  if (clock !== "work" && clock !== "time") throw new TypeError(`${name} must be "work" or "time", not ${String(clock)}`);
  const page = globalThis as { crossOriginIsolated?: boolean; document?: unknown };
  if (clock === "time" && page.document !== undefined && page.crossOriginIsolated === false)
    throw new NearmissError(
      `${name} cannot be "time" on this page: it is not cross-origin isolated, so the browser rounds its clock to ` +
        "0.1 ms. Send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: " +
        "require-corp, or count work.",
    );
}

/** What an object has in the memory of the module: known also when the object itself is gone. */
interface Token {
  readonly kind: string;
  /** The function that frees the handle. */
  readonly free: string;
  handle: number;
  /** A block of the object, or 0. */
  buffer: number;
}

/** An object in the memory of the module, until free(). */
export abstract class Handle {
  /** @internal */
  protected readonly token: Token;
  /** @internal */
  protected constructor(/** @internal */ readonly owner: Module, kind: string, free: string, handle: number) {
    this.token = { kind, free, handle, buffer: 0 };
    owner.watch(this, this.token);
  }
  /** The address. Throws if the object was freed. @internal */
  address(name: string): number {
    if (this.owner.death) throw this.owner.death;
    if (this.token.handle === 0) throw new NearmissError(`${name} is a ${this.token.kind} that was freed`);
    return this.token.handle;
  }
  /** Frees the memory. Calling it again does nothing. */
  free(): void {
    if (this.token.handle === 0) return;
    this.owner.unwatch(this);
    this.owner.freeAll(this.token);
    this.token.handle = 0;
  }
}
// Not in every browser, and then nobody asks for it
if (Symbol.dispose) {
  Object.defineProperty(Handle.prototype, Symbol.dispose, {
    value(this: Handle) {
      this.free();
    },
    configurable: true,
    writable: true,
  });
}
export interface Handle extends Disposable {}
