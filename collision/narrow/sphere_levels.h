// SPDX-License-Identifier: MIT
/// Finds all colliding pairs of spheres, level by level [H96 §4.1, Fig. 3], until inner spheres
/// prove contact.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "narrow/inner_contact.h"
#include "narrow/level_descent.h"

namespace nearmiss {

/// Works on one pair of bodies at a time, and can resume any pair that it has begun.
class SphereLevels {
 public:
  /// Both arguments must outlive this; the shapes have sphere trees.
  SphereLevels(const Shapes& shapes, WorkMeter& meter);
  SphereLevels(const SphereLevels&) = delete;
  SphereLevels& operator=(const SphereLevels&) = delete;

  /// Sets the bodies of the pairs below. They must outlive the last call.
  void setBodies(std::span<const BodyState> bodies) noexcept { bodies_ = bodies; }
  /// Call before the first step of a pair.
  /// @pre the lists of `w` are empty or released.
  void begin(SpherePairWork& w, const BodyPair& pair);
  /// Call before the steps of a pair other than the last.
  void switchTo(const SpherePairWork& w);
  /// Descends one level for all colliding pairs of spheres, first for inner spheres: if they prove
  /// contact, the rest is unnecessary. Returns false if time ran out.
  /// @pre w.known.level < lastLevel(w)
  bool descend(SpherePairWork& w, const TimeBudget& budget);
  /// Releases all lists of the pair.
  void release(SpherePairWork& w);
  /// Sets the final result, once it is known whether the surfaces intersect.
  void finish(SpherePairWork& w, bool surfacesMeet);

  /// As NarrowPhase::contacts().
  void contacts(const SpherePairWork& w, std::size_t most, std::vector<ContactSpheres>& out) const;
  [[nodiscard]] ContactSpheres spheresOf(const SpherePairWork& w, SphereId a,
                                         SphereId b) const noexcept;
  /// Returns the last level that has spheres in either tree.
  [[nodiscard]] int lastLevel(const SpherePairWork& w) const noexcept {
    return std::max(treeA(w).levelCount(), treeB(w).levelCount()) - 1;
  }

  /// Returns the trees of the current pair, for a step that continues with its leaves.
  [[nodiscard]] SphereTreePair& trees() noexcept { return inFrame_; }
  [[nodiscard]] PackPairPool& pool() noexcept { return pool_; }

 private:
  const SphereTree& treeOf(std::uint32_t id) const noexcept { return *shapes_[id].sphereTree(); }
  const SphereTree& treeA(const SpherePairWork& w) const noexcept { return treeOf(w.setup.shapeA); }
  const SphereTree& treeB(const SpherePairWork& w) const noexcept { return treeOf(w.setup.shapeB); }
  bool mayBeProven(const SpherePairWork& w) const noexcept;
  void acceptProof(SpherePairWork& w);
  void completeLevel(SpherePairWork& w);

  const Shapes& shapes_;
  WorkMeter& meter_;
  std::span<const BodyState> bodies_;
  PackPairPool pool_;
  SphereTreePair inFrame_;
  InnerContact inner_;
  SphereDescent descent_;
};

/// Lists all colliding pairs of spheres of one pair of bodies on request.
struct LevelList {
  explicit LevelList(const Shapes& shapes) : levels(shapes, meter) {}

  /// Writes up to `most` colliding pairs of `level`, by the published list. Ignores inner spheres,
  /// because a proof of contact would end the list before that level.
  void collect(std::span<const BodyState> bodies, const BodyPair& pair, int level, std::size_t most,
               std::vector<ContactSpheres>& out) {
    levels.release(work);
    levels.setBodies(bodies);
    levels.begin(work, pair);
    levels.pool().release(work.inner);
    levels.switchTo(work);
    const TimeBudget open = TimeBudget::unlimited();
    while (work.known.canRefine && work.known.level < level) levels.descend(work, open);
    levels.contacts(work, most, out);
  }

  WorkMeter meter;
  SphereLevels levels;
  SpherePairWork work;
};

}  // namespace nearmiss
