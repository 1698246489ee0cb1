// SPDX-License-Identifier: MIT
/**
 * Time-critical collision detection for moving concave meshes. Lengths are metres, budgets milliseconds.
 *
 *     const { Shape, World } = await Nearmiss.load();
 */
import { checkClock, type Clock, Module, type ModuleSource, type NearmissError } from "./module.js";
import { Pair } from "./pair.js";
import { ShapeFactory } from "./shape.js";
import { World } from "./world.js";

export { NearmissError, type Clock, type ErrorCode, type ModuleSource } from "./module.js";
export type { Pair } from "./pair.js";
export { type MassProperties, type Shape, ShapeFactory, type ShapeSettings } from "./shape.js";
export {
  type Budget, ContactPoints, contactStride, DistanceBounds, PenetrationBounds, PointBounds, type Pose, RayHit,
  type RayOptions, Refinement, Side, type Vector, Verdict,
} from "./values.js";
export { type Body, type Collisions, type NearestBodies, type Traits, type World, type WorldContacts } from "./world.js";

export interface LoadOptions {
  /** How budgets are measured by default: by counted work, the same on every machine, or by time. */
  clock?: Clock;
  /** Warns if an object is dropped without free(). By default unless NODE_ENV is "production". */
  development?: boolean;
}

/** Makes objects of one class in the memory of one instance. */
export interface Factory<T> {
  create(): T;
}

declare const process: { env?: Record<string, string | undefined> } | undefined;

/** One instance of the module, with a memory of its own. Instances share nothing; load one per worker. */
export class Nearmiss {
  readonly Shape: ShapeFactory;
  readonly World: Factory<World>;
  readonly Pair: Factory<Pair>;

  private constructor(private readonly owner: Module) {
    this.Shape = new ShapeFactory(owner);
    this.World = { create: () => World.make(owner) };
    this.Pair = { create: () => Pair.make(owner) };
  }

  /**
   * Loads an instance. Without `source`, nearmiss.wasm beside this file.
   * @param source the address or the bytes of nearmiss.wasm, a response, or a compiled module
   */
  static async load(source?: ModuleSource, options: LoadOptions = {}): Promise<Nearmiss> {
    if (options.clock !== undefined) checkClock(options.clock, "options.clock");
    const owner = await Module.load(source ?? new URL("./nearmiss.wasm", import.meta.url));
    owner.clock = options.clock ?? "work";
    owner.development =
      options.development ?? (typeof process === "undefined" || process.env?.["NODE_ENV"] !== "production");
    return new Nearmiss(owner);
  }

  /** The version of the library. */
  get version(): string {
    return this.owner.text(this.owner.call("nearmiss_version"));
  }
  /** How budgets are measured unless a call says otherwise. */
  get clock(): Clock {
    return this.owner.clock;
  }
  set clock(clock: Clock) {
    checkClock(clock, "clock");
    this.owner.clock = clock;
  }
  /** Not null once the instance has run out of memory or was stopped by an error: every call then throws this. */
  get death(): NearmissError | null {
    return this.owner.death;
  }
  /** The compiled module, to load further instances from, also in workers. */
  get module(): WebAssembly.Module {
    return this.owner.module;
  }
  /** The bytes of the memory of the instance. */
  get memoryBytes(): number {
    return this.owner.view().byteLength;
  }
}
