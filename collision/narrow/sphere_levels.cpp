// SPDX-License-Identifier: MIT
#include "narrow/sphere_levels.h"

#include <bit>

#include "narrow/pair_setup.h"
#include "spheres/sphere_lanes.h"

namespace nearmiss {

SphereLevels::SphereLevels(const Shapes& shapes, WorkMeter& meter)
    : shapes_(shapes),
      meter_(meter),
      inner_(shapes_, inFrame_, pool_, meter),
      descent_(inFrame_, pool_, meter, shapes_) {}

void SphereLevels::begin(SpherePairWork& w, const BodyPair& pair) {
  w = {};
  w.bodies = pair;
  w.setup = setUpPair(bodies_, w.bodies);
  w.motion = PackMotion(w.setup.bToA, treeA(w).reach(), treeB(w).reach());
  w.known = sphereTreeBounds(shapes_, bodies_, w.bodies);
  // Roots that do not overlap leave an empty list, and the first step finds the pair separate
  MovedPack root;
  move(w.motion, treeB(w).data().packs[0], root);
  const SpherePack& pack = treeA(w).data().packs[0];
  const SphereF ball{pack.x[0], pack.y[0], pack.z[0], pack.r[0] + w.motion.slack};
  if (lanesMeeting(root.x, root.y, root.z, treeB(w).data().packs[0].r, ball) & 1)
    pool_.push(w.colliding, {0, 0, 1});
  inner_.begin(w, treeA(w).data().inner, treeB(w).data().inner);
}

void SphereLevels::switchTo(const SpherePairWork& w) {
  inFrame_.take(treeA(w), treeB(w), w.motion);
  inner_.switchTo();
  descent_.switchTo(w);
}

/// Returns true if the current step still has inner spheres to compare.
bool SphereLevels::mayBeProven(const SpherePairWork& w) const noexcept {
  return w.step.stage == SpherePairStep::Stage::Proving ||
         (w.step.stage == SpherePairStep::Stage::Fresh && !w.inner.empty());
}

bool SphereLevels::descend(SpherePairWork& w, const TimeBudget& budget) {
  if (mayBeProven(w)) {
    const InnerContact::Outcome outcome = inner_.descend(w, budget);
    if (outcome == InnerContact::Outcome::Unfinished) return false;
    if (outcome == InnerContact::Outcome::Proven) {
      acceptProof(w);
      return true;
    }
  }
  if (!descent_.descend(w, budget)) return false;
  completeLevel(w);
  return true;
}

void SphereLevels::acceptProof(SpherePairWork& w) {
  ++w.known.level;
  w.known.stage = Stage::Spheres;
  w.known.byInnerSpheres = true;
  // `deepest` stays the deepest pair around the surfaces; inner spheres only prove contact
  finish(w, true);
}

void SphereLevels::completeLevel(SpherePairWork& w) {
  const LevelFindings found = w.step.findings;
  pool_.release(w.colliding);
  w.colliding = w.step.next;
  w.step = {};
  ++w.known.level;
  w.known.stage = Stage::Spheres;
  if (found.count == 0) {
    finish(w, false);
    return;
  }
  // Spheres that overlap only by the slack may be that far apart, plus the errors for which it
  // allows. A bound of an earlier level still holds when its pair no longer collides
  const Real slack = 2.0 * Real{w.motion.slack};
  w.findings = found;
  w.known.collidingSpheres = found.count;
  w.known.separationBound = std::min(w.known.separationBound, found.best.bound + slack);
  w.known.separationEstimate =
      std::clamp(found.best.estimate + 0.5 * slack, 0.0, w.known.separationBound);
  w.known.deepest = spheresOf(w, found.deepestA, found.deepestB);
}

void SphereLevels::release(SpherePairWork& w) {
  pool_.release(w.colliding);
  pool_.release(w.inner);
  pool_.release(w.step.next);
  pool_.release(w.step.nextInner);
  for (PackPairPool::List& bucket : w.step.sorted) pool_.release(bucket);
}

void SphereLevels::finish(SpherePairWork& w, bool surfacesMeet) {
  release(w);
  w.step = {};
  conclude(shapes_, w.setup, surfacesMeet, meter_, w.known);
}

ContactSpheres SphereLevels::spheresOf(const SpherePairWork& w, SphereId a,
                                       SphereId b) const noexcept {
  // Spheres that overlap only by the slack of the arithmetic may be that far apart, plus the errors
  // for which it allows
  return inWorld(treeA(w), a, treeB(w), b, {bodies_[w.bodies.a].pose, bodies_[w.bodies.b].pose},
                 treeA(w).hausdorff(a) + treeB(w).hausdorff(b) + 2.0 * Real{w.motion.slack});
}

void SphereLevels::contacts(const SpherePairWork& w, std::size_t most,
                            std::vector<ContactSpheres>& out) const {
  out.clear();
  if (most == 0 || w.known.verdict == Verdict::Separate) return;
  if (w.known.verdict == Verdict::Contact || w.known.stage == Stage::Bounds) {
    out.push_back(w.known.deepest);
    return;
  }
  for (auto at = PackPairPool::begin(w.colliding); !at.done(); pool_.advance(at)) {
    const PackPair& pair = pool_[at];
    for (std::uint64_t rest = pair.colliding; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (out.size() == most) return;
      out.push_back(spheresOf(w, pair.packA * SpherePack::width + bit / SpherePack::width,
                              pair.packB * SpherePack::width + bit % SpherePack::width));
    }
  }
}

}  // namespace nearmiss
