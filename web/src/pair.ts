// SPDX-License-Identifier: MIT
// A comparison of two shapes that goes on from call to call.
import * as layout from "./layout.js";
import { Handle, type Module } from "./module.js";
import { sameOwner, type Shape } from "./shape.js";
import {
  type Budget, checkNumber, checkPose, checkWhole, ContactPoints, DistanceBounds, manifoldBytes, PenetrationBounds, type Pose, putPose,
  Refinement,
} from "./values.js";

const poseBytes = layout.pose.size;

/** A comparison of two shapes that can be resumed. Reuses its memory from pair to pair. */
export class Pair extends Handle {
  private readonly points = new ContactPoints();
  // Queries of one pair take a microsecond or less, so each step counts: the functions and the memory are kept
  private readonly beginning: (...values: number[]) => number;
  private readonly colliding: (...values: number[]) => number;
  private constructor(owner: Module, handle: number, at: number) {
    super(owner, "Pair", "nearmiss_pair_free", handle);
    this.token.buffer = at;
    this.beginning = owner.function("nearmiss_pair_begin");
    this.colliding = owner.function("nearmiss_pair_collide");
  }
  /** @internal */
  static make(owner: Module): Pair {
    const at = owner.allocate(2 * poseBytes + layout.refinement.size);
    owner.try("nearmiss_pair_make", at);
    return new Pair(owner, owner.view().getUint32(at, true), at);
  }

  /** Starts a comparison. Discards the previous one. */
  begin(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
    checkPose(poseA, "poseA");
    checkPose(poseB, "poseB");
    const { owner } = this, pair = this.address("pair"), at = this.token.buffer, numbers = owner.numbers();
    const first = sameOwner(owner, a, "a").address("a"), second = sameOwner(owner, b, "b").address("b");
    putPose(numbers, at, poseA);
    putPose(numbers, at + poseBytes, poseB);
    let status: number;
    try {
      status = this.beginning(pair, first, at, second, at + poseBytes);
    } catch (fault) {
      throw owner.die(fault);
    }
    owner.check(status);
  }

  private goOn<T>(name: string, size: number, options: Budget | undefined, take: (at: number) => T): T {
    const { owner } = this, budget = owner.budget(options);
    return owner.borrow(size, (at) => {
      owner.try(name, this.address("pair"), budget, at);
      return take(at);
    });
  }

  /** Each of these continues its own query until the budget runs out. */
  collide(options?: Budget, out = new Refinement()): Refinement {
    const { owner } = this, pair = this.address("pair"), answer = this.token.buffer + 2 * poseBytes;
    const budget = owner.budget(options);
    let status: number;
    try {
      status = this.colliding(pair, budget, answer);
    } catch (fault) {
      throw owner.die(fault);
    }
    owner.check(status);
    return Refinement.take(owner, answer, out);
  }
  distance(options?: Budget, out = new DistanceBounds()): DistanceBounds {
    return this.goOn("nearmiss_pair_distance", layout.distanceBounds.size, options, (at) =>
      DistanceBounds.take(this.owner, at, out));
  }
  penetration(options?: Budget, out = new PenetrationBounds()): PenetrationBounds {
    return this.goOn("nearmiss_pair_penetration", layout.penetrationBounds.size, options, (at) =>
      PenetrationBounds.take(this.owner, at, out));
  }
  /** Prefers points of the previous call, also if the poses have changed. The arrays are reused by the next call. */
  contacts(options: Budget & { margin?: number; maxPoints?: number } = {}): ContactPoints {
    const { owner, points } = this, budget = owner.budget(options), f = layout.manifold;
    const most = checkWhole(options.maxPoints ?? 4, 1, 100_000, "options.maxPoints");
    const margin = checkNumber(options.margin ?? 0, "options.margin");
    return owner.borrow(manifoldBytes + most * layout.manifoldPoint.size, (at) => {
      owner.try("nearmiss_pair_manifold", this.address("pair"), margin, budget, at + manifoldBytes, most, at);
      const view = owner.view();
      points.takePoints(owner, at + manifoldBytes, view.getUint32(at + f.pointCount, true));
      points.depthKnown = view.getInt32(at + f.depthKnown, true) !== 0;
      points.canRefine = view.getInt32(at + f.canRefine, true) !== 0;
      return points;
    });
  }
}
