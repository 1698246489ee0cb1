// SPDX-License-Identifier: MIT
// Bodies with shapes and poses: who touches whom, contacts, rays.
import * as layout from "./layout.js";
import { Handle, type Module, NearmissError } from "./module.js";
import { sameOwner, type Shape } from "./shape.js";
import {
  type Budget, checkNumber, checkNumbers, checkPose, checkWhole, ContactPoints, DistanceBounds, PointBounds, type Pose,
  putPose, putRay, putVector, RayHit, type RayOptions, type Vector,
} from "./values.js";

/** A body of one world: a whole number above 0, never reused. */
export type Body = number;

/** What a body may touch. */
export interface Traits {
  /** A pair counts if each group shares a bit with the other's mask. By default 1 and all. */
  group?: number;
  mask?: number;
  /** Above 0: bodies with the same number never form a pair. */
  assembly?: number;
  /** Below 0xffffffff: pairs may be postponed. */
  importance?: number;
}

/** The pairs that touch or may touch, in arrays that the next detection reuses: only the first `count` count. */
export class Collisions {
  count = 0;
  /** True: nothing waits, and no pair can be refined. */
  complete = false;
  /** Pairs with overlapping bounding spheres that were not examined for lack of time. */
  waitingCount = 0;
  /** Two bodies per pair, the lower first. */
  bodies = new Uint32Array(0);
  /** Verdict.Contact or Verdict.Possible. */
  verdicts = new Uint8Array(0);
  stages = new Uint8Array(0);
  levels = new Int32Array(0);
  canRefine = new Uint8Array(0);
  /** They are at most this far apart, metres. */
  separationBounds = new Float64Array(0);
  /** Eight numbers per pair: the spheres with the deepest overlap, x, y, z, radius of both. */
  spheres = new Float64Array(0);
  /** Two per pair: triangles that intersect, or -1. */
  triangles = new Int32Array(0);

  /** @internal */
  reserve(count: number): void {
    this.count = count;
    if (this.verdicts.length >= count) return;
    const room = Math.max(count, 2 * this.verdicts.length);
    this.bodies = new Uint32Array(2 * room);
    this.verdicts = new Uint8Array(room);
    this.stages = new Uint8Array(room);
    this.levels = new Int32Array(room);
    this.canRefine = new Uint8Array(room);
    this.separationBounds = new Float64Array(room);
    this.spheres = new Float64Array(8 * room);
    this.triangles = new Int32Array(2 * room);
  }
}

/** Contact points of all pairs, in arrays that the next call reuses. */
export class WorldContacts {
  pairCount = 0;
  complete = false;
  /** Two bodies per pair; normals point from the second to the first. */
  bodies = new Uint32Array(0);
  /** Index of the first point of each pair, and the number of its points. */
  firstPoint = new Uint32Array(0);
  pointCount = new Uint32Array(0);
  /** As in ContactPoints. */
  depthKnown = new Uint8Array(0);
  canRefine = new Uint8Array(0);
  /** 1: one of the two is a sensor. */
  sensed = new Uint8Array(0);
  readonly points = new ContactPoints();

  /** @internal */
  reserve(count: number): void {
    this.pairCount = count;
    if (this.sensed.length >= count) return;
    const room = Math.max(count, 2 * this.sensed.length);
    this.bodies = new Uint32Array(2 * room);
    this.firstPoint = new Uint32Array(room);
    this.pointCount = new Uint32Array(room);
    this.depthKnown = new Uint8Array(room);
    this.canRefine = new Uint8Array(room);
    this.sensed = new Uint8Array(room);
  }
}

/** The two bodies nearest to each other; 0 if there are none. */
export class NearestBodies {
  a: Body = 0;
  b: Body = 0;
  readonly bounds = new DistanceBounds();
}

const all = 0xffffffff;

/** Bodies with shapes and poses. Keeps shapes alive: they may be freed once added. */
export class World extends Handle {
  private readonly found = new Collisions();
  private readonly touching = new WorldContacts();
  private readonly nearest = new NearestBodies();
  /** Bytes of the buffer in the memory of the module, for poses and results. */
  private room = 0;

  private constructor(owner: Module, handle: number) {
    super(owner, "World", "nearmiss_world_free", handle);
  }
  /** @internal */
  static make(owner: Module): World {
    return owner.borrow(8, (at) => {
      owner.try("nearmiss_world_make", at);
      return new World(owner, owner.view().getUint32(at, true));
    });
  }

  /** Bytes that are kept for the next call. */
  private buffer(size: number): number {
    const { owner, token } = this;
    if (size <= this.room) return token.buffer;
    this.address("world");
    const room = Math.max(4096, 2 * size), old = token.buffer;
    token.buffer = this.room = 0;
    if (old !== 0) owner.release(old);
    token.buffer = owner.allocate(room);
    this.room = room;
    return token.buffer;
  }

  get size(): number {
    return this.owner.call("nearmiss_world_size", this.address("world"));
  }

  /** Adds a body. */
  add(shape: Shape, pose: Pose, traits?: Traits): Body {
    checkPose(pose, "pose");
    const { owner } = this, world = this.address("world");
    const given = sameOwner(owner, shape, "shape").address("shape");
    const at = this.buffer(layout.pose.size + layout.traits.size + 8);
    const traitsAt = at + layout.pose.size, out = traitsAt + layout.traits.size;
    putPose(owner.numbers(), at, pose);
    this.putTraits(traitsAt, traits);
    owner.try("nearmiss_world_add", world, given, at, traitsAt, out);
    return owner.view().getUint32(out, true);
  }
  private putTraits(at: number, traits: Traits | undefined): void {
    const view = this.owner.view(), f = layout.traits;
    const put = (offset: number, value: number | undefined, usual: number, name: string) =>
      view.setUint32(at + offset, value === undefined ? usual : checkWhole(value, 0, all, `traits.${name}`), true);
    put(f.group, traits?.group, 1, "group");
    put(f.mask, traits?.mask, all, "mask");
    put(f.assembly, traits?.assembly, 0, "assembly");
    put(f.importance, traits?.importance, all, "importance");
  }

  setPose(body: Body, pose: Pose): void {
    checkPose(pose, "pose");
    const at = this.buffer(layout.pose.size);
    putPose(this.owner.numbers(), at, pose);
    this.owner.try("nearmiss_world_set_pose", this.address("world"), checkBody(body), at);
  }
  /**
   * Sets the poses of many bodies: seven numbers for each, one after the other in one array. No object is made. If one
   * is invalid, none is set.
   */
  setPoses(bodies: Uint32Array, poses: Float64Array | Float32Array): void {
    if (!(bodies instanceof Uint32Array)) throw new TypeError("bodies must be a Uint32Array");
    if (!(poses instanceof Float64Array || poses instanceof Float32Array))
      throw new TypeError("poses must be a Float64Array or a Float32Array");
    const count = bodies.length;
    if (poses.length !== 7 * count)
      throw new RangeError(`poses must hold 7 numbers for each of ${count} bodies, ${7 * count}, not ${poses.length}`);
    const { owner } = this, at = this.buffer(count * (layout.pose.size + 4) + 8);
    const numbers = owner.numbers(), list = at + count * layout.pose.size;
    for (let i = 0; i < count; ++i) putPose(numbers, at + layout.pose.size * i, poses, 7 * i);
    owner.copyIn(bodies, list);
    owner.try("nearmiss_world_set_poses", this.address("world"), list, at, count);
  }
  setTraits(body: Body, traits: Traits): void {
    const at = this.buffer(layout.traits.size);
    this.putTraits(at, traits);
    this.owner.try("nearmiss_world_set_traits", this.address("world"), checkBody(body), at);
  }
  /** Pairs of sensors are reported and marked; two sensors never form a pair. */
  setSensor(body: Body, isSensor: boolean): void {
    this.owner.try("nearmiss_world_set_sensor", this.address("world"), checkBody(body), isSensor ? 1 : 0);
  }
  isSensor(body: Body): boolean {
    return this.owner.call("nearmiss_world_is_sensor", this.address("world"), checkBody(body)) !== 0;
  }
  remove(body: Body): void {
    this.owner.try("nearmiss_world_remove", this.address("world"), checkBody(body));
  }

  /** Finds the pairs of bodies that touch. The result is the world's own: the next call overwrites it. */
  collisions(options?: Budget): Collisions {
    const { owner, found } = this, world = this.address("world"), budget = owner.budget(options);
    const c = layout.collisions, p = layout.touchingPair, r = layout.refinement;
    let at = this.buffer(c.size + 8);
    owner.try("nearmiss_world_collisions", world, budget, at);
    const counts = owner.view(), count = counts.getUint32(at + c.pairCount, true);
    found.reserve(count);
    found.waitingCount = counts.getUint32(at + c.waitingCount, true);
    found.complete = counts.getInt32(at + c.complete, true) !== 0;
    at = this.buffer(count * p.size);
    owner.call("nearmiss_world_pairs", world, at, count);
    const view = owner.view(), numbers = owner.numbers();
    for (let i = 0; i < count; ++i) {
      const pair = at + p.size * i, answer = pair + p.answer;
      found.bodies[2 * i] = view.getUint32(pair + p.a, true);
      found.bodies[2 * i + 1] = view.getUint32(pair + p.b, true);
      found.verdicts[i] = view.getInt32(answer + r.verdict, true);
      found.stages[i] = view.getInt32(answer + r.stage, true);
      found.levels[i] = view.getInt32(answer + r.level, true);
      found.canRefine[i] = view.getInt32(answer + r.canRefine, true);
      found.separationBounds[i] = numbers[(answer + r.separationBound) / 8]!;
      for (let k = 0; k < 4; ++k) {
        found.spheres[8 * i + k] = numbers[(answer + r.sphereA) / 8 + k]!;
        found.spheres[8 * i + 4 + k] = numbers[(answer + r.sphereB) / 8 + k]!;
      }
      found.triangles[2 * i] = view.getInt32(answer + r.triangleA, true);
      found.triangles[2 * i + 1] = view.getInt32(answer + r.triangleB, true);
    }
    return found;
  }
  /** The pairs that the last collisions() did not examine, two bodies each. */
  waiting(): Uint32Array {
    const { owner } = this, world = this.address("world");
    const count = owner.call("nearmiss_world_waiting", world, 0, 0);
    const at = this.buffer(8 * count);
    owner.call("nearmiss_world_waiting", world, at, count);
    return new Uint32Array(owner.view().buffer, at, 2 * count).slice();
  }

  /**
   * Contact points for a solver: at most `maxPoints` for each pair whose gap is at most `margin`. Ids are stable from
   * call to call. The result is the world's own: the next call overwrites it.
   */
  contacts(options: Budget & { margin?: number; maxPoints?: number } = {}): WorldContacts {
    const { owner, touching } = this, world = this.address("world"), budget = owner.budget(options);
    const most = checkWhole(options.maxPoints ?? 4, 1, 100_000, "options.maxPoints");
    const margin = checkNumber(options.margin ?? 0, "options.margin");
    const c = layout.contacts, p = layout.pairContacts;
    let at = this.buffer(c.size);
    owner.try("nearmiss_world_contacts", world, margin, most, budget, at);
    const counts = owner.view();
    const pairs = counts.getUint32(at + c.pairCount, true), points = counts.getUint32(at + c.pointCount, true);
    touching.complete = counts.getInt32(at + c.complete, true) !== 0;
    touching.reserve(pairs);
    at = this.buffer(pairs * p.size + 8 + points * layout.manifoldPoint.size);
    const pointsAt = Math.ceil((at + pairs * p.size) / 8) * 8;
    owner.call("nearmiss_world_contact_pairs", world, at, pairs);
    owner.call("nearmiss_world_contact_points", world, pointsAt, points);
    const view = owner.view();
    for (let i = 0; i < pairs; ++i) {
      const pair = at + p.size * i;
      touching.bodies[2 * i] = view.getUint32(pair + p.a, true);
      touching.bodies[2 * i + 1] = view.getUint32(pair + p.b, true);
      touching.firstPoint[i] = view.getUint32(pair + p.firstPoint, true);
      touching.pointCount[i] = view.getUint32(pair + p.pointCount, true);
      touching.depthKnown[i] = view.getInt32(pair + p.depthKnown, true);
      touching.canRefine[i] = view.getInt32(pair + p.canRefine, true);
      touching.sensed[i] = view.getInt32(pair + p.sensed, true);
    }
    touching.points.takePoints(owner, pointsAt, points);
    touching.points.canRefine = !touching.complete;
    return touching;
  }

  /** The smallest distance over all pairs that count. Pairs farther apart than `within` are ignored. */
  minDistance(options: Budget & { within?: number } = {}): NearestBodies {
    const { owner, nearest } = this, f = layout.nearestBodies, budget = owner.budget(options);
    const within = checkNumber(options.within ?? Infinity, "options.within");
    const at = this.buffer(f.size);
    owner.try("nearmiss_world_min_distance", this.address("world"), within, budget, at);
    nearest.a = owner.view().getUint32(at + f.a, true);
    nearest.b = owner.view().getUint32(at + f.b, true);
    DistanceBounds.take(owner, at + f.bounds, nearest.bounds);
    return nearest;
  }

  /** The first body that a ray hits, except `ignore`. */
  raycast(origin: Vector, direction: Vector, options: RayOptions & { ignore?: Body } = {}, out = new RayHit()): RayHit {
    const { owner } = this, budget = owner.budget(options), ignore = checkBody(options.ignore ?? 0, 0);
    const at = this.buffer(layout.ray.size + layout.rayHit.size + 8);
    const hit = at + layout.ray.size, body = hit + layout.rayHit.size;
    putRay(owner, at, origin, direction, options);
    owner.try("nearmiss_world_raycast", this.address("world"), at, ignore, budget, body, hit);
    RayHit.take(owner, hit, out);
    out.body = owner.view().getUint32(body, true);
    return out;
  }
  /** The body nearest to a point, except `ignore`. */
  nearestPoint(point: Vector, options: Budget & { reach?: number; ignore?: Body } = {}, out = new PointBounds()): PointBounds {
    checkNumbers(point, 3, "point", "x, y, z");
    const { owner } = this, budget = owner.budget(options), ignore = checkBody(options.ignore ?? 0, 0);
    const reach = checkNumber(options.reach ?? Infinity, "options.reach");
    const at = this.buffer(24 + layout.pointBounds.size + 8);
    const bounds = at + 24, body = bounds + layout.pointBounds.size;
    putVector(owner.numbers(), at, point);
    owner.try("nearmiss_world_nearest_point", this.address("world"), at, reach, ignore, budget, body, bounds);
    PointBounds.take(owner, bounds, out);
    out.body = owner.view().getUint32(body, true);
    return out;
  }
  /** The bodies that contain a point, ascending. `complete` is false if the budget ran out. */
  containing(point: Vector, options?: Budget): { bodies: Uint32Array; complete: boolean } {
    checkNumbers(point, 3, "point", "x, y, z");
    const { owner } = this, budget = owner.budget(options), room = this.size;
    const at = this.buffer(24 + 8 + 4 * room);
    putVector(owner.numbers(), at, point);
    owner.try("nearmiss_world_containing", this.address("world"), at, budget, at + 32, room, at + 24, at + 28);
    const view = owner.view(), count = view.getUint32(at + 24, true);
    return {
      bodies: new Uint32Array(view.buffer, at + 32, Math.min(count, room)).slice(),
      complete: view.getInt32(at + 28, true) !== 0,
    };
  }
}

function checkBody(body: unknown, least = 1): number {
  if (Number.isInteger(body) && (body as number) >= least && (body as number) <= all) return body as number;
  throw new NearmissError(`body must be a handle that add() returned, not ${String(body)}`);
}
