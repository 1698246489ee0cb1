// SPDX-License-Identifier: MIT
// Arguments into the memory of the module, and results out of it.
import * as layout from "./layout.js";
import type { Module } from "./module.js";

/**
 * From a body's own frame to the world: seven numbers, x, y, z in metres, then a unit quaternion as x, y, z, w, the
 * order of three.js. Any array of numbers will do.
 */
export type Pose = ArrayLike<number>;
/** Three numbers: x, y, z. */
export type Vector = ArrayLike<number>;

/** The time that a call may take. */
export interface Budget {
  /** Milliseconds; without it, or with Infinity, as long as it takes. */
  budget?: number;
  /** How it is measured: by counted work, or by the clock. By default as the instance. */
  clock?: "work" | "time";
}

export const Verdict = {
  /** They certainly do not touch. */
  Separate: layout.SEPARATE,
  /** Their spheres overlap; the shapes may not. */
  Possible: layout.POSSIBLE,
  /** They certainly touch. */
  Contact: layout.CONTACT,
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export const Side = {
  Outside: layout.OUTSIDE,
  Inside: layout.INSIDE,
  OnSurface: layout.ON_SURFACE,
  /** The shape is not a solid. */
  Unknown: layout.SIDE_UNKNOWN,
  /** The budget ran out. */
  Undecided: layout.SIDE_UNDECIDED,
} as const;
export type Side = (typeof Side)[keyof typeof Side];

export function checkNumbers(values: unknown, count: number, name: string, meaning: string): ArrayLike<number> {
  const length = (values as ArrayLike<number> | null | undefined)?.length;
  if (typeof values !== "object" || typeof length !== "number")
    throw new TypeError(`${name} must be an array of ${count} numbers (${meaning})`);
  if (length !== count) throw new RangeError(`${name} must hold ${count} numbers (${meaning}), not ${length}`);
  return values as ArrayLike<number>;
}

export function checkNumber(value: unknown, name: string): number {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${typeof value}`);
  return value;
}

export function checkWhole(value: unknown, low: number, high: number, name: string): number {
  if (!Number.isInteger(value) || (value as number) < low || (value as number) > high)
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}, not ${String(value)}`);
  return value as number;
}

const poseMeaning = "x, y, z, and a quaternion x, y, z, w";

export function checkPose(pose: unknown, name: string): ArrayLike<number> {
  return checkNumbers(pose, 7, name, poseMeaning);
}

/** Writes seven numbers from `from[first]` on: C has w before x, y, z. */
export function putPose(to: Float64Array, at: number, from: ArrayLike<number>, first = 0): void {
  const i = at / 8;
  to[i] = from[first]!;
  to[i + 1] = from[first + 1]!;
  to[i + 2] = from[first + 2]!;
  to[i + 3] = from[first + 6]!;
  to[i + 4] = from[first + 3]!;
  to[i + 5] = from[first + 4]!;
  to[i + 6] = from[first + 5]!;
}

export function putVector(to: Float64Array, at: number, from: ArrayLike<number>): void {
  for (let k = 0; k < 3; ++k) to[at / 8 + k] = from[k]!;
}

export function takeVector(numbers: Float64Array, at: number, to: Float64Array, count = 3): void {
  for (let k = 0; k < count; ++k) to[k] = numbers[at / 8 + k]!;
}

/** The index of a triangle, or -1 for none. */
export function takeTriangle(view: DataView, at: number): number {
  return view.getInt32(at, true);
}

/** What is known about a pair. Pass it again as `out` to reuse it. */
export class Refinement {
  verdict: Verdict = Verdict.Separate;
  /** The evidence: 0 bounding spheres, 1 levels of spheres, 2 triangles. */
  stage = 0;
  /** The deepest completed level of spheres. */
  level = 0;
  /** False: the answer is final. */
  canRefine = false;
  /** They are at most this far apart, metres. */
  separationBound = 0;
  /** The spheres with the deepest overlap, world frame: x, y, z, radius. */
  readonly sphereA = new Float64Array(4);
  readonly sphereB = new Float64Array(4);
  /** With a contact: two triangles that intersect, or -1. */
  triangleA = -1;
  triangleB = -1;

  /** @internal */
  static take(owner: Module, at: number, out: Refinement): Refinement {
    const view = owner.view(), numbers = owner.numbers(), f = layout.refinement;
    out.verdict = view.getInt32(at + f.verdict, true) as Verdict;
    out.stage = view.getInt32(at + f.stage, true);
    out.level = view.getInt32(at + f.level, true);
    out.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
    out.separationBound = view.getFloat64(at + f.separationBound, true);
    takeVector(numbers, at + f.sphereA, out.sphereA, 4);
    takeVector(numbers, at + f.sphereB, out.sphereB, 4);
    out.triangleA = takeTriangle(view, at + f.triangleA);
    out.triangleB = takeTriangle(view, at + f.triangleB);
    return out;
  }
}

/** Bounds on the distance of two shapes, metres. */
export class DistanceBounds {
  lower = 0;
  /** Both 0 if they touch. */
  upper = 0;
  /** One point on each surface, `upper` apart. */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Contain the points; -1 if one shape contains the other. */
  triangleA = -1;
  triangleB = -1;
  canRefine = false;

  /** @internal */
  static take(owner: Module, at: number, out: DistanceBounds): DistanceBounds {
    const view = owner.view(), numbers = owner.numbers(), f = layout.distanceBounds;
    out.lower = view.getFloat64(at + f.lower, true);
    out.upper = view.getFloat64(at + f.upper, true);
    takeVector(numbers, at + f.pointA, out.pointA);
    takeVector(numbers, at + f.pointB, out.pointB);
    out.triangleA = takeTriangle(view, at + f.triangleA);
    out.triangleB = takeTriangle(view, at + f.triangleB);
    out.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
    return out;
  }
}

/** Bounds on the length of the shortest translation that separates two shapes, metres. */
export class PenetrationBounds {
  /** No shorter translation of b separates them. */
  lower = 0;
  /** A translation of b of this length along `direction` does. */
  upper = 0;
  /** Unit length; zero if they are separate. */
  readonly direction = new Float64Array(3);
  canRefine = false;

  /** @internal */
  static take(owner: Module, at: number, out: PenetrationBounds): PenetrationBounds {
    const view = owner.view(), f = layout.penetrationBounds;
    out.lower = view.getFloat64(at + f.lower, true);
    out.upper = view.getFloat64(at + f.upper, true);
    takeVector(owner.numbers(), at + f.direction, out.direction);
    out.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
    return out;
  }
}

/** The first hit of a ray or of a moving ball. */
export class RayHit {
  /** Nothing is hit before this t. */
  lower = 0;
  /** Of the first hit: origin + t direction. Infinity: none. */
  t = Infinity;
  readonly point = new Float64Array(3);
  /** Of the triangle, unit length. */
  readonly normal = new Float64Array(3);
  triangle = -1;
  canRefine = false;
  /** In a world: the body that is hit, or 0. */
  body = 0;

  /** @internal */
  static take(owner: Module, at: number, out: RayHit): RayHit {
    const view = owner.view(), numbers = owner.numbers(), f = layout.rayHit;
    out.lower = view.getFloat64(at + f.lower, true);
    out.t = view.getFloat64(at + f.t, true);
    takeVector(numbers, at + f.point, out.point);
    takeVector(numbers, at + f.normal, out.normal);
    out.triangle = takeTriangle(view, at + f.triangle);
    out.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
    return out;
  }
}

/** Bounds on the distance of a point from a surface, metres. */
export class PointBounds {
  lower = 0;
  /** Infinity: no point of a surface within reach. */
  upper = Infinity;
  /** On the surface, `upper` away. */
  readonly point = new Float64Array(3);
  triangle = -1;
  canRefine = false;
  /** In a world: the nearest body, or 0. */
  body = 0;

  /** @internal */
  static take(owner: Module, at: number, out: PointBounds): PointBounds {
    const view = owner.view(), f = layout.pointBounds;
    out.lower = view.getFloat64(at + f.lower, true);
    out.upper = view.getFloat64(at + f.upper, true);
    takeVector(owner.numbers(), at + f.point, out.point);
    out.triangle = takeTriangle(view, at + f.triangle);
    out.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
    return out;
  }
}

/** Bytes of a manifold, so that points behind it are aligned. @internal */
export const manifoldBytes = Math.ceil(layout.manifold.size / 8) * 8;

/** The numbers of a contact point in ContactPoints.values. */
export const contactStride = 10;

/** Contact points, in arrays that later calls reuse. */
export class ContactPoints {
  count = 0;
  /** Per point 10 numbers: the points on a and on b, the unit normal from b to a, the depth (below 0: the gap). */
  values = new Float64Array(0);
  /** Name the touching features: equal from frame to frame as long as the same ones touch. */
  ids = new BigUint64Array(0);
  /** False: they touch, but no depth is defined, because neither is a solid. */
  depthKnown = false;
  canRefine = false;

  /** @internal */
  reserve(count: number): void {
    this.count = count;
    if (this.ids.length >= count) return;
    const room = Math.max(count, 2 * this.ids.length);
    this.values = new Float64Array(contactStride * room);
    this.ids = new BigUint64Array(room);
  }
  /** @internal */
  takePoints(owner: Module, at: number, count: number): void {
    this.reserve(count);
    const view = owner.view(), numbers = owner.numbers(), f = layout.manifoldPoint;
    for (let i = 0; i < count; ++i) {
      const from = at + f.size * i, to = contactStride * i;
      for (let k = 0; k < 3; ++k) {
        this.values[to + k] = numbers[(from + f.onA) / 8 + k]!;
        this.values[to + 3 + k] = numbers[(from + f.onB) / 8 + k]!;
        this.values[to + 6 + k] = numbers[(from + f.normal) / 8 + k]!;
      }
      this.values[to + 9] = numbers[(from + f.depth) / 8]!;
      this.ids[i] = view.getBigUint64(from + f.id, true);
    }
  }
}

/** A ray: all points origin + t direction with 0 <= t <= end. */
export interface RayOptions extends Budget {
  /** 0 or more; by default no end. A segment from p to q has direction q - p and end 1. */
  end?: number;
  /** Above 0: a ball of this radius that moves along the ray, metres. */
  radius?: number;
}

export function putRay(owner: Module, at: number, origin: Vector, direction: Vector, options: RayOptions): void {
  checkNumbers(origin, 3, "origin", "x, y, z");
  checkNumbers(direction, 3, "direction", "x, y, z");
  const numbers = owner.numbers(), f = layout.ray;
  putVector(numbers, at + f.origin, origin);
  putVector(numbers, at + f.direction, direction);
  numbers[(at + f.end) / 8] = checkNumber(options.end ?? Infinity, "options.end");
  numbers[(at + f.radius) / 8] = checkNumber(options.radius ?? 0, "options.radius");
}
