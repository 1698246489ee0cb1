// SPDX-License-Identifier: MIT
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <vector>

#include "base/work_meter.h"
#include "narrow/pair_setup.h"
#include "narrow/sphere_levels.h"
#include "rivals/leaf_comparison.h"

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
  void switchTo(std::size_t i);
  bool compareTriangles(SpherePairWork& w, const TimeBudget& budget);

  Shapes shapes_;
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> bodyPairs_;
  /// The slot in slots_ of each refined pair, in the order of their first steps. Slots do not move,
  /// because they are large.
  std::vector<std::uint32_t> slotOf_;
  std::vector<SpherePairWork> slots_;
  std::uint32_t slotsUsed_ = 0;

  /// The pair on which all members below work.
  std::size_t taken_ = none;
  WorkMeter meter_;
  SphereLevels levels_;
  LeafComparison leaves_;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::uint32_t noSlot = 0xffffffff;
};

SphereTreeAllNarrowPhase::SphereTreeAllNarrowPhase(const Shapes& shapes)
    : shapes_(shapes),
      levels_(shapes_, meter_),
      leaves_(shapes_, levels_.trees(), levels_.pool(), meter_) {}

void SphereTreeAllNarrowPhase::begin(std::span<const BodyState> bodies,
                                     std::span<const BodyPair> pairs) {
  for (std::uint32_t slot = 0; slot < slotsUsed_; ++slot)
    if (slots_[slot].known.canRefine) levels_.release(slots_[slot]);
  slotsUsed_ = 0;
  slotOf_.assign(pairs.size(), noSlot);
  bodies_ = bodies;
  bodyPairs_ = pairs;
  levels_.setBodies(bodies);
  taken_ = none;
  meter_.reset();
}

/// A pair costs nothing before its first step.
Refinement SphereTreeAllNarrowPhase::result(std::size_t i) const noexcept {
  return slotOf_[i] == noSlot ? sphereTreeBounds(shapes_, bodies_, bodyPairs_[i])
                              : slots_[slotOf_[i]].known;
}

bool SphereTreeAllNarrowPhase::refine(std::size_t i, const TimeBudget& budget) {
  NEARMISS_ASSERT(i < slotOf_.size(), i, slotOf_.size());
  NEARMISS_ASSERT(result(i).canRefine, i);
  if (slotOf_[i] == noSlot) {
    taken_ = none;
    if (slots_.size() == slotsUsed_) slots_.emplace_back();
    levels_.begin(slots_[slotsUsed_], bodyPairs_[i]);
    slotOf_[i] = slotsUsed_++;
  }
  if (taken_ != i) switchTo(i);
  SpherePairWork& w = slots_[slotOf_[i]];
  const bool completed = w.known.level < levels_.lastLevel(w) ? levels_.descend(w, budget)
                                                              : compareTriangles(w, budget);
  meter_.settle(budget);
  return completed;
}

void SphereTreeAllNarrowPhase::switchTo(std::size_t i) {
  const SpherePairWork& w = slots_[slotOf_[i]];
  taken_ = i;
  levels_.switchTo(w);
  leaves_.switchTo(w);
}

/// The step after the last level of spheres. Returns false if time ran out.
bool SphereTreeAllNarrowPhase::compareTriangles(SpherePairWork& w, const TimeBudget& budget) {
  const LeafComparison::Outcome outcome = leaves_.compare(w, budget);
  if (outcome == LeafComparison::Outcome::Unfinished) return false;
  const bool meet = outcome == LeafComparison::Outcome::Meet;
  w.known.stage = Stage::Exact;
  if (meet) {
    w.known.triangleA = leaves_.triangleA();
    w.known.triangleB = leaves_.triangleB();
    w.known.deepest = levels_.spheresOf(w, leaves_.leafA(), leaves_.leafB());
  }
  levels_.finish(w, meet);
  return true;
}

void SphereTreeAllNarrowPhase::contacts(std::size_t i, std::size_t most,
                                        std::vector<ContactSpheres>& out) const {
  if (slotOf_[i] != noSlot) {
    levels_.contacts(slots_[slotOf_[i]], most, out);
    return;
  }
  out.clear();
  if (most > 0) out.push_back(result(i).deepest);
}

}  // namespace

std::unique_ptr<NarrowPhase> makeSphereTreeAllNarrowPhase(const Shapes& shapes) {
  for (const Shape& shape : shapes) NEARMISS_DEMAND(shape.sphereTree() != nullptr);
  return std::make_unique<SphereTreeAllNarrowPhase>(shapes);
}

}  // namespace nearmiss
