// SPDX-License-Identifier: MIT
#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include "narrow/inner_contact.h"
#include "narrow/leaf_comparison.h"
#include "narrow/level_descent.h"
#include "narrow/pair_setup.h"
#include "narrow/sphere_lanes.h"
#include "narrow/work_meter.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace nearmiss {
namespace {

class SphereTreeAllNarrowPhase final : public NarrowPhase {
 public:
  explicit SphereTreeAllNarrowPhase(const Shapes& shapes);

  std::string_view name() const noexcept override { return "sphere-tree-all"; }
  const Shapes* shapes() const noexcept override { return &shapes_; }
  std::unique_ptr<NarrowPhase> another() const override {
    return makeSphereTreeAllNarrowPhase(shapes_);
  }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override;
  bool refine(std::size_t i, const TimeBudget& budget) override;
  Refinement result(std::size_t i) const noexcept override;
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override;
  WorkCount work() const noexcept override { return meter_.total(); }

 private:
  const SphereTree& treeOf(ShapeId id) const noexcept { return *shapes_[id].sphereTree(); }
  const SphereTree& treeA(const SpherePairWork& w) const noexcept { return treeOf(w.setup.shapeA); }
  const SphereTree& treeB(const SpherePairWork& w) const noexcept { return treeOf(w.setup.shapeB); }
  /// The number of the last level that has spheres in one of the trees.
  int lastLevel(const SpherePairWork& w) const noexcept {
    return std::max(treeA(w).levelCount(), treeB(w).levelCount()) - 1;
  }
  void setUp(std::size_t i);
  Refinement untouched(const BodyPair& pair) const noexcept;
  void takeUp(std::size_t i);
  bool mayBeProven(const SpherePairWork& w) const noexcept;
  bool descend(SpherePairWork& w, const TimeBudget& budget);
  void release(SpherePairWork& w);
  void acceptProof(SpherePairWork& w);
  void completeLevel(SpherePairWork& w);
  bool compareTriangles(SpherePairWork& w, const TimeBudget& budget);
  void finish(SpherePairWork& w, bool surfacesMeet);
  ContactSpheres spheresOf(const SpherePairWork& w, SphereId a, SphereId b) const noexcept;

  Shapes shapes_;
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> bodyPairs_;
  /// The slot in slots_ of each refined pair, in the order of their first steps. Slots stay, as
  /// they are large.
  std::vector<std::uint32_t> slotOf_;
  std::vector<SpherePairWork> slots_;
  std::uint32_t slotsUsed_ = 0;
  PackPairPool pool_;

  /// The pair that all below work on.
  std::size_t taken_ = none;
  SphereTreePair inFrame_;
  WorkMeter meter_;
  InnerContact inner_;
  SphereDescent descent_;
  LeafComparison leaves_;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::uint32_t noSlot = 0xffffffff;
};

SphereTreeAllNarrowPhase::SphereTreeAllNarrowPhase(const Shapes& shapes)
    : shapes_(shapes),
      inner_(shapes_, inFrame_, pool_, meter_),
      descent_(inFrame_, pool_, meter_, shapes_),
      leaves_(shapes_, inFrame_, pool_, meter_) {}

void SphereTreeAllNarrowPhase::begin(std::span<const BodyState> bodies,
                                     std::span<const BodyPair> pairs) {
  for (std::uint32_t slot = 0; slot < slotsUsed_; ++slot)
    if (slots_[slot].known.canRefine) release(slots_[slot]);
  slotsUsed_ = 0;
  slotOf_.assign(pairs.size(), noSlot);
  bodies_ = bodies;
  bodyPairs_ = pairs;
  taken_ = none;
  meter_.reset();
}

/// The result of a pair before its first step: it costs nothing until then.
Refinement SphereTreeAllNarrowPhase::untouched(const BodyPair& pair) const noexcept {
  return sphereTreeBounds(shapes_, bodies_, pair);
}

Refinement SphereTreeAllNarrowPhase::result(std::size_t i) const noexcept {
  return slotOf_[i] == noSlot ? untouched(bodyPairs_[i]) : slots_[slotOf_[i]].known;
}

/// Before the first step of a pair.
void SphereTreeAllNarrowPhase::setUp(std::size_t i) {
  slotOf_[i] = slotsUsed_++;
  if (slots_.size() < slotsUsed_) slots_.emplace_back();
  SpherePairWork& w = slots_[slotOf_[i]];
  w = {};
  w.bodies = bodyPairs_[i];
  w.setup = setUpPair(bodies_, w.bodies);
  w.motion = PackMotion(w.setup.bToA, treeA(w).reach(), treeB(w).reach());
  w.known = untouched(w.bodies);
  // Roots that do not meet leave an empty list, and the first step finds the pair separate
  MovedPack root;
  move(w.motion, treeB(w).data().packs[0], root);
  const SpherePack& pack = treeA(w).data().packs[0];
  const SphereF ball{pack.x[0], pack.y[0], pack.z[0], pack.r[0] + w.motion.slack};
  if (lanesMeeting(root.x, root.y, root.z, treeB(w).data().packs[0].r, ball) & 1)
    pool_.push(w.colliding, {0, 0, 1});
  inner_.begin(w, treeA(w).data().inner, treeB(w).data().inner);
}

bool SphereTreeAllNarrowPhase::refine(std::size_t i, const TimeBudget& budget) {
  NEARMISS_ASSERT(i < slotOf_.size(), i, slotOf_.size());
  NEARMISS_ASSERT(result(i).canRefine, i);
  if (slotOf_[i] == noSlot) {
    taken_ = none;
    setUp(i);
  }
  if (taken_ != i) takeUp(i);
  SpherePairWork& w = slots_[slotOf_[i]];
  const bool completed =
      w.known.level < lastLevel(w) ? descend(w, budget) : compareTriangles(w, budget);
  meter_.settle(budget);
  return completed;
}

void SphereTreeAllNarrowPhase::takeUp(std::size_t i) {
  const SpherePairWork& w = slots_[slotOf_[i]];
  taken_ = i;
  inFrame_.take(treeA(w), treeB(w), w.motion);
  inner_.takeUp();
  descent_.takeUp(w);
  leaves_.takeUp(w);
}

/// True if the step under way still has inner spheres to compare.
bool SphereTreeAllNarrowPhase::mayBeProven(const SpherePairWork& w) const noexcept {
  return w.step.stage == SpherePairStep::Stage::Proving ||
         (w.step.stage == SpherePairStep::Stage::Fresh && !w.inner.empty());
}

/// One level down for all colliding pairs of spheres [H96 §4.1, Fig. 3], those inside the solids
/// first: where they prove contact nothing else is needed. False if time ran out.
bool SphereTreeAllNarrowPhase::descend(SpherePairWork& w, const TimeBudget& budget) {
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

void SphereTreeAllNarrowPhase::acceptProof(SpherePairWork& w) {
  ++w.known.level;
  w.known.stage = Stage::Spheres;
  w.known.byInnerSpheres = true;
  // `deepest` stays the deepest pair around the surfaces: inner spheres only prove contact
  finish(w, true);
}

void SphereTreeAllNarrowPhase::completeLevel(SpherePairWork& w) {
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
  // Spheres that meet only by the slack are as far apart as that. A bound of an earlier level still
  // holds when the pair that gave it no longer collides.
  const Real slack = w.motion.slack;
  w.findings = found;
  w.known.collidingSpheres = found.count;
  w.known.separationBound = std::min(w.known.separationBound, found.best.bound + slack);
  w.known.separationEstimate =
      std::clamp(found.best.estimate + slack, 0.0, w.known.separationBound);
  w.known.deepest = spheresOf(w, found.deepestA, found.deepestB);
}

/// The step after the last level of spheres. False if time ran out.
bool SphereTreeAllNarrowPhase::compareTriangles(SpherePairWork& w, const TimeBudget& budget) {
  const LeafComparison::Outcome outcome = leaves_.compare(w, budget);
  if (outcome == LeafComparison::Outcome::Unfinished) return false;
  const bool meet = outcome == LeafComparison::Outcome::Meet;
  w.known.stage = Stage::Exact;
  if (meet) {
    w.known.triangleA = leaves_.triangleA();
    w.known.triangleB = leaves_.triangleB();
    w.known.deepest = spheresOf(w, leaves_.leafA(), leaves_.leafB());
  }
  finish(w, meet);
  return true;
}

/// Releases all lists of the pair.
void SphereTreeAllNarrowPhase::release(SpherePairWork& w) {
  pool_.release(w.colliding);
  pool_.release(w.inner);
  pool_.release(w.step.next);
  pool_.release(w.step.nextInner);
  for (PackPairPool::List& bucket : w.step.sorted) pool_.release(bucket);
}

/// The final answer, once the surfaces are known to meet or not to meet.
void SphereTreeAllNarrowPhase::finish(SpherePairWork& w, bool surfacesMeet) {
  release(w);
  w.step = {};
  conclude(shapes_, w.setup, surfacesMeet, w.known);
}

ContactSpheres SphereTreeAllNarrowPhase::spheresOf(const SpherePairWork& w, SphereId a,
                                                   SphereId b) const noexcept {
  // Spheres that meet only by the slack of the arithmetic are as far apart as that
  return inWorld(treeA(w), a, treeB(w), b, {bodies_[w.bodies.a].pose, bodies_[w.bodies.b].pose},
                 treeA(w).hausdorff(a) + treeB(w).hausdorff(b) + w.motion.slack);
}

void SphereTreeAllNarrowPhase::contacts(std::size_t i, std::size_t most,
                                        std::vector<ContactSpheres>& out) const {
  out.clear();
  if (most == 0) return;
  if (slotOf_[i] == noSlot) {
    out.push_back(untouched(bodyPairs_[i]).deepest);
    return;
  }
  const SpherePairWork& w = slots_[slotOf_[i]];
  if (w.known.verdict == Verdict::Separate) return;
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

}  // namespace

std::unique_ptr<NarrowPhase> makeSphereTreeAllNarrowPhase(const Shapes& shapes) {
  for (const Shape& shape : shapes) NEARMISS_DEMAND(shape.sphereTree() != nullptr);
  return std::make_unique<SphereTreeAllNarrowPhase>(shapes);
}

}  // namespace nearmiss
