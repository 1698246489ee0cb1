// SPDX-License-Identifier: MIT
// Shapes: a mesh and the trees built around it; queries of one pair.
import * as layout from "./layout.js";
import { Handle, type Module, NearmissError } from "./module.js";
import {
  type Budget, checkNumber, checkNumbers, checkPose, checkWhole, ContactPoints, DistanceBounds, manifoldBytes,
  PenetrationBounds, PointBounds, type Pose, putPose, putRay, putVector, RayHit, type RayOptions, Refinement, Side, type Vector,
} from "./values.js";

/** How to make a shape. */
export interface ShapeSettings {
  /**
   * "fast" (default): at once; "tight": spheres at half the distance from the surface, in seconds; "none": no sphere
   * tree; "octree", "variational", ...: that builder.
   */
  tree?: "fast" | "tight" | "none" | (string & {});
  /** Of the sphere tree, without the root. */
  levels?: number;
  /** For "variational": the largest mean number of children. */
  branching?: number;
  /** For "variational": the largest number of spheres of the deepest level. */
  maxSpheres?: number;
  /** Builds a BSP tree as well. */
  bspTree?: boolean;
  /** Vertices nearer than this are welded, metres. */
  weld?: number;
  /**
   * Called about once per percent of each stage; `stage` increases from 1, `fraction` of the stage is 0 to 1. Returning
   * false cancels the build.
   */
  onProgress?: (stage: number, fraction: number) => boolean | void;
}

/** Mass properties for density 1. */
export interface MassProperties {
  volume: number;
  centre: Float64Array;
  /** About the centre, along the axes of the body: nine numbers. */
  inertia: Float64Array;
}

const triangleLimit = 10_000_000;
const bytesOf = layout.pose.size;

/** Calls make(settings, out) with the settings in memory, and returns the shape that it made. */
function makeShape(owner: Module, settings: ShapeSettings, make: (settings: number, out: number) => void): Shape {
  const f = layout.shapeSettings;
  const tree = settings.tree ?? "fast";
  if (typeof tree !== "string") throw new TypeError("settings.tree must be a string");
  const name = new TextEncoder().encode(`${tree === "none" ? "" : tree}\0`);
  const levels = settings.levels === undefined ? 0 : checkWhole(settings.levels, 1, 30, "settings.levels");
  const branching = settings.branching === undefined ? 0 : checkWhole(settings.branching, 2, 1000, "settings.branching");
  const spheres = settings.maxSpheres === undefined ? 0 : checkWhole(settings.maxSpheres, 1, 1e9, "settings.maxSpheres");
  const weld = checkNumber(settings.weld ?? 0, "settings.weld");
  if (settings.onProgress !== undefined && typeof settings.onProgress !== "function")
    throw new TypeError("settings.onProgress must be a function");
  return owner.borrow(f.size + 8 + name.length, (at) => {
    const out = at + f.size, text = out + 8;
    let thrown: unknown, cancelled = false;
    let listener = 0;
    if (settings.onProgress) {
      const call = settings.onProgress;
      listener = owner.listen((stage, fraction) => {
        try {
          cancelled ||= call(stage, fraction) === false;
        } catch (fault) {
          thrown = fault;
          cancelled = true;
        }
        return cancelled;
      });
    }
    const view = owner.view();
    new Uint8Array(view.buffer, at, f.size + 8).fill(0);
    owner.copyIn(name, text);
    view.setUint32(at + f.sizeField, f.size, true);
    view.setInt32(at + f.levels, levels, true);
    view.setInt32(at + f.branching, branching, true);
    view.setUint32(at + f.maxSpheres, spheres, true);
    view.setUint32(at + f.bspTree, settings.bspTree ? 1 : 0, true);
    view.setFloat64(at + f.weld, weld, true);
    view.setUint32(at + f.builder, text, true);
    view.setUint32(at + f.progress, listener, true);
    try {
      make(at, out);
    } catch (fault) {
      if (thrown !== undefined) throw thrown;
      if (cancelled && !owner.death) throw new NearmissError("The build was cancelled.", "CANCELLED");
      throw fault;
    } finally {
      if (listener) owner.unlisten();
    }
    return Shape.at(owner, owner.view().getUint32(out, true));
  });
}

/** Copies numbers to the memory as doubles, and calls use(address). */
function withDoubles<T>(owner: Module, values: ArrayLike<number>, use: (at: number) => T): T {
  return owner.borrow(8 * values.length, (at) => {
    owner.numbers().set(values, at / 8);
    return use(at);
  });
}

function checkPositions(values: unknown, name: string): Float64Array | Float32Array {
  if (!(values instanceof Float64Array || values instanceof Float32Array))
    throw new TypeError(`${name} must be a Float64Array or a Float32Array`);
  if (values.length % 3 !== 0)
    throw new RangeError(`${name} must hold three numbers per vertex; ${values.length} is no multiple of 3`);
  return values;
}

/** Makes shapes in the memory of one instance. */
export class ShapeFactory {
  /** @internal */
  constructor(private readonly owner: Module) {}

  /**
   * Makes a shape from any triangles: three numbers per vertex, three indices per triangle. Takes tens of microseconds
   * per triangle, more for a tighter tree.
   */
  fromArrays(vertices: Float64Array | Float32Array, triangles: Uint32Array | Uint16Array, settings: ShapeSettings = {}): Shape {
    checkPositions(vertices, "vertices");
    if (!(triangles instanceof Uint32Array || triangles instanceof Uint16Array))
      throw new TypeError("triangles must be a Uint32Array or a Uint16Array");
    if (triangles.length % 3 !== 0)
      throw new RangeError(`triangles must hold three indices per triangle; ${triangles.length} is no multiple of 3`);
    if (triangles.length / 3 > triangleLimit)
      throw new NearmissError(
        `triangles holds ${triangles.length / 3} triangles; at most ${triangleLimit} fit into the memory of a page`,
        "TOO_LARGE",
      );
    const count = vertices.length / 3;
    for (let i = 0; i < triangles.length; ++i)
      if (triangles[i]! >= count)
        throw new RangeError(`triangles[${i}] is ${triangles[i]}, but there are ${count} vertices`);
    const { owner } = this;
    return withDoubles(owner, vertices, (positions) =>
      owner.borrow(4 * triangles.length, (indices) => {
        new Uint32Array(owner.view().buffer, indices, triangles.length).set(triangles);
        return makeShape(owner, settings, (given, out) =>
          owner.try("nearmiss_shape_make", positions, count, indices, triangles.length / 3, given, out),
        );
      }),
    );
  }

  /** Reads a shape with its trees, as shape.toBytes() or the program `nearmiss` wrote it. Damaged bytes are refused. */
  fromBytes(bytes: Uint8Array | ArrayBuffer): Shape {
    const { owner } = this;
    const given = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    if (!(given instanceof Uint8Array)) throw new TypeError("bytes must be a Uint8Array or an ArrayBuffer");
    return owner.borrow(given.length + 16, (at) => {
      const data = at + 8;
      owner.copyIn(given, data);
      owner.try("nearmiss_shape_read", data, given.length, at);
      return Shape.at(owner, owner.view().getUint32(at, true));
    });
  }

  /** @param halfExtents half of the length of each side, metres */
  box(halfExtents: Vector, settings: ShapeSettings = {}): Shape {
    checkNumbers(halfExtents, 3, "halfExtents", "x, y, z");
    const { owner } = this;
    return withDoubles(owner, halfExtents, (at) =>
      makeShape(owner, settings, (given, out) => owner.try("nearmiss_shape_box", at, given, out)),
    );
  }
  /** An icosahedron that is subdivided 0 to 8 times. */
  sphere(radius: number, subdivisions = 3, settings: ShapeSettings = {}): Shape {
    const { owner } = this;
    checkNumber(radius, "radius");
    checkWhole(subdivisions, 0, 8, "subdivisions");
    return makeShape(owner, settings, (given, out) => owner.try("nearmiss_shape_sphere", radius, subdivisions, given, out));
  }
  /** Along z. `halfHeight` is half of the length between the half spheres. */
  capsule(radius: number, halfHeight: number, segments = 32, settings: ShapeSettings = {}): Shape {
    return this.round("nearmiss_shape_capsule", radius, halfHeight, segments, settings);
  }
  /** Along z. */
  cylinder(radius: number, halfHeight: number, segments = 32, settings: ShapeSettings = {}): Shape {
    return this.round("nearmiss_shape_cylinder", radius, halfHeight, segments, settings);
  }
  private round(name: string, radius: number, halfHeight: number, segments: number, settings: ShapeSettings): Shape {
    const { owner } = this;
    checkNumber(radius, "radius");
    checkNumber(halfHeight, "halfHeight");
    checkWhole(segments, 3, 1024, "segments");
    return makeShape(owner, settings, (given, out) => owner.try(name, radius, halfHeight, segments, given, out));
  }
  /** The convex hull of points, three numbers each. */
  convexHull(points: Float64Array | Float32Array, settings: ShapeSettings = {}): Shape {
    const { owner } = this;
    checkPositions(points, "points");
    return withDoubles(owner, points, (at) =>
      makeShape(owner, settings, (given, out) =>
        owner.try("nearmiss_shape_convex_hull", at, points.length / 3, given, out),
      ),
    );
  }
}

/** A mesh and the trees built around it. Immutable. */
export class Shape extends Handle {
  private scratch: ContactPoints | null = null;
  private constructor(owner: Module, handle: number) {
    super(owner, "Shape", "nearmiss_shape_free", handle);
  }
  /** @internal */
  static at(owner: Module, handle: number): Shape {
    return new Shape(owner, handle);
  }

  /** About the origin of the shape's frame, metres. */
  get radius(): number {
    return this.owner.call("nearmiss_shape_radius", this.address("shape"));
  }
  /** True: containment counts as contact. */
  get isSolid(): boolean {
    return this.owner.call("nearmiss_shape_is_solid", this.address("shape")) !== 0;
  }
  /** Levels of the sphere tree with the root's; 0 without a tree. */
  get levelCount(): number {
    return this.owner.call("nearmiss_shape_level_count", this.address("shape"));
  }

  /** The spheres of a level: x, y, z, radius of each. */
  spheres(level: number): Float64Array {
    checkWhole(level, 0, 1000, "level");
    return this.list(4, (at, room, count) =>
      this.owner.try("nearmiss_shape_spheres", this.address("shape"), level, at, room, count),
    );
  }
  /** Three numbers per vertex; each welded vertex once. */
  vertices(): Float64Array {
    return this.list(3, (at, room, count) =>
      this.owner.try("nearmiss_shape_vertices", this.address("shape"), at, room, count),
    );
  }
  private list(width: number, write: (at: number, room: number, count: number) => void): Float64Array {
    const { owner } = this;
    return owner.borrow(8, (counter) => {
      write(0, 0, counter);
      const count = owner.view().getUint32(counter, true);
      return owner.borrow(8 * width * count, (at) => {
        write(at, count, counter);
        return owner.numbers().slice(at / 8, at / 8 + width * count);
      });
    });
  }

  /** The bytes of a shape file, for fromBytes() and the program `nearmiss`. */
  toBytes(): Uint8Array {
    const { owner } = this;
    return owner.borrow(8, (counter) => {
      owner.try("nearmiss_shape_write", this.address("shape"), 0, 0, counter);
      const size = owner.view().getUint32(counter, true);
      return owner.borrow(size, (at) => {
        owner.try("nearmiss_shape_write", this.address("shape"), at, size, counter);
        return owner.copyOut(at, size);
      });
    });
  }

  /** A shape scaled by `factor` about the origin of its frame, with its trees. */
  scaled(factor: number): Shape {
    checkNumber(factor, "factor");
    const { owner } = this;
    return owner.borrow(8, (out) => {
      owner.try("nearmiss_shape_scaled", this.address("shape"), factor, out);
      return Shape.at(owner, owner.view().getUint32(out, true));
    });
  }
  /** A shape with moved vertices, in the order of vertices(). Always refit the original shape. */
  refit(vertices: Float64Array | Float32Array): { shape: Shape; growth: number; rebuildPays: boolean } {
    checkPositions(vertices, "vertices");
    const { owner } = this;
    return withDoubles(owner, vertices, (at) =>
      owner.borrow(8 + layout.refit.size, (out) => {
        const fit = out + 8;
        owner.try("nearmiss_shape_refit", this.address("shape"), at, vertices.length / 3, out, fit);
        const view = owner.view();
        return {
          shape: Shape.at(owner, view.getUint32(out, true)),
          growth: view.getFloat64(fit + layout.refit.growth, true),
          rebuildPays: view.getInt32(fit + layout.refit.rebuildPays, true) !== 0,
        };
      }),
    );
  }
  /** Builds what contacts() otherwise builds at its first use: milliseconds for a large mesh. */
  prepare(): void {
    this.owner.try("nearmiss_shape_prepare", this.address("shape"));
  }
  massProperties(): MassProperties {
    const { owner } = this, f = layout.massProperties;
    return owner.borrow(f.size, (at) => {
      owner.try("nearmiss_shape_mass_properties", this.address("shape"), at);
      const numbers = owner.numbers();
      return {
        volume: numbers[(at + f.volume) / 8]!,
        centre: numbers.slice((at + f.centre) / 8, (at + f.centre) / 8 + 3),
        inertia: numbers.slice((at + f.inertia) / 8, (at + f.inertia) / 8 + 9),
      };
    });
  }

  /** Calls name(shape, pose, other, pose, ...) with `size` bytes for the answer. */
  private ask<T>(
    name: string, poseA: Pose, other: Shape, poseB: Pose, size: number,
    call: (name: string, a: number, at: number, b: number, bt: number, out: number) => void, take: (out: number) => T,
  ): T {
    checkPose(poseA, "poseA");
    checkPose(poseB, "poseB");
    const { owner } = this;
    const a = this.address("shape"), b = sameOwner(owner, other, "other").address("other");
    return owner.borrow(2 * bytesOf + size, (at) => {
      const numbers = owner.numbers();
      putPose(numbers, at, poseA);
      putPose(numbers, at + bytesOf, poseB);
      const out = at + 2 * bytesOf;
      call(name, a, at, b, at + bytesOf, out);
      return take(out);
    });
  }

  /** Decides whether two shapes touch. */
  collide(poseA: Pose, other: Shape, poseB: Pose, options?: Budget, out = new Refinement()): Refinement {
    const { owner } = this, budget = owner.budget(options);
    return this.ask("nearmiss_collide", poseA, other, poseB, layout.refinement.size,
      (name, a, at, b, bt, answer) => owner.try(name, a, at, b, bt, budget, answer),
      (answer) => Refinement.take(owner, answer, out));
  }
  /** Bounds the distance of two shapes. */
  distance(poseA: Pose, other: Shape, poseB: Pose, options?: Budget, out = new DistanceBounds()): DistanceBounds {
    const { owner } = this, budget = owner.budget(options);
    return this.ask("nearmiss_distance", poseA, other, poseB, layout.distanceBounds.size,
      (name, a, at, b, bt, answer) => owner.try(name, a, at, b, bt, budget, answer),
      (answer) => DistanceBounds.take(owner, answer, out));
  }
  /** Bounds the penetration depth. Without a budget the worst pairs of concave shapes take many seconds. */
  penetration(poseA: Pose, other: Shape, poseB: Pose, options?: Budget, out = new PenetrationBounds()): PenetrationBounds {
    const { owner } = this, budget = owner.budget(options);
    return this.ask("nearmiss_penetration", poseA, other, poseB, layout.penetrationBounds.size,
      (name, a, at, b, bt, answer) => owner.try(name, a, at, b, bt, budget, answer),
      (answer) => PenetrationBounds.take(owner, answer, out));
  }
  /**
   * Contact points for a solver, deepest first, also with a gap of at most `margin`. Without `out` the points are in
   * arrays that the next call of this shape reuses.
   */
  contacts(
    poseA: Pose, other: Shape, poseB: Pose, options: Budget & { margin?: number; maxPoints?: number } = {},
    out: ContactPoints = (this.scratch ??= new ContactPoints()),
  ): ContactPoints {
    const { owner } = this, budget = owner.budget(options), f = layout.manifold;
    const most = checkWhole(options.maxPoints ?? 4, 1, 100_000, "options.maxPoints");
    const margin = checkNumber(options.margin ?? 0, "options.margin");
    const points = (answer: number) => answer + manifoldBytes;
    return this.ask("nearmiss_contact_manifold", poseA, other, poseB, manifoldBytes + most * layout.manifoldPoint.size,
      (name, a, at, b, bt, answer) => owner.try(name, a, at, b, bt, margin, budget, points(answer), most, answer),
      (answer) => {
        const view = owner.view();
        out.takePoints(owner, points(answer), view.getUint32(answer + f.pointCount, true));
        out.depthKnown = view.getInt32(answer + f.depthKnown, true) !== 0;
        out.canRefine = view.getInt32(answer + f.canRefine, true) !== 0;
        return out;
      });
  }

  /** The first hit of a ray on the surface. */
  raycast(pose: Pose, origin: Vector, direction: Vector, options: RayOptions = {}, out = new RayHit()): RayHit {
    checkPose(pose, "pose");
    const { owner } = this, budget = owner.budget(options), shape = this.address("shape");
    return owner.borrow(bytesOf + layout.ray.size + layout.rayHit.size, (at) => {
      const ray = at + bytesOf, answer = ray + layout.ray.size;
      putPose(owner.numbers(), at, pose);
      putRay(owner, ray, origin, direction, options);
      owner.try("nearmiss_raycast", shape, at, ray, budget, answer);
      return RayHit.take(owner, answer, out);
    });
  }
  /** The nearest point of the surface, also from inside a solid. */
  nearestPoint(pose: Pose, point: Vector, options: Budget & { reach?: number } = {}, out = new PointBounds()): PointBounds {
    checkPose(pose, "pose");
    checkNumbers(point, 3, "point", "x, y, z");
    const { owner } = this, budget = owner.budget(options), shape = this.address("shape");
    const reach = checkNumber(options.reach ?? Infinity, "options.reach");
    return owner.borrow(bytesOf + 24 + layout.pointBounds.size, (at) => {
      const from = at + bytesOf, answer = from + 24;
      putPose(owner.numbers(), at, pose);
      putVector(owner.numbers(), from, point);
      owner.try("nearmiss_nearest_point", shape, at, from, reach, budget, answer);
      return PointBounds.take(owner, answer, out);
    });
  }
  /** The side of the surface on which a point lies. */
  sideOf(pose: Pose, point: Vector, options?: Budget): Side {
    checkPose(pose, "pose");
    checkNumbers(point, 3, "point", "x, y, z");
    const { owner } = this, budget = owner.budget(options), shape = this.address("shape");
    return owner.borrow(bytesOf + 32, (at) => {
      const from = at + bytesOf;
      putPose(owner.numbers(), at, pose);
      putVector(owner.numbers(), from, point);
      owner.try("nearmiss_side_of", shape, at, from, budget, from + 24);
      return owner.view().getInt32(from + 24, true) as Side;
    });
  }
}

/** Throws unless `shape` is a shape of this instance. @internal */
export function sameOwner(owner: Module, shape: unknown, name: string): Shape {
  if (!(shape instanceof Shape)) throw new TypeError(`${name} must be a Shape`);
  if (shape.owner !== owner)
    throw new NearmissError(`${name} is a Shape of another instance; hand it over by toBytes() and fromBytes()`);
  return shape;
}
