// SPDX-License-Identifier: MIT
/// Proofs of contact: spheres inside one body that overlap spheres inside another.
#pragma once

#include "base/work_meter.h"
#include "narrow/inner_proofs.h"
#include "narrow/level_descent.h"
#include "spheres/moved_packs.h"

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>

namespace nearmiss {

/// Searches for a proof for the pair of bodies set in `trees`.
class InnerContact {
 public:
  /// All arguments must outlive this; the shapes have sphere trees.
  InnerContact(const Shapes& shapes, SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter);

  /// Starts a pair of bodies before its first step. w.inner gets the roots if they overlap.
  void begin(SpherePairWork& w, const InnerSpheres& a, const InnerSpheres& b);

  /// Continues with a pair of bodies, possibly in the middle of a step.
  void switchTo() noexcept;

  enum class Outcome : std::uint8_t { Unknown, Proven, Unfinished };
  /// Descends one level from the pairs of w.inner, up to the first proof.
  Outcome descend(SpherePairWork& w, const TimeBudget& budget);

 private:
  bool expand(SpherePairWork& w, const PackPair& parents, int bit);
  bool compareRow(const SpherePairWork& w, PackPair& found, int row, std::uint32_t columns);
  bool prove(const SpherePairWork& w, SphereId a, SphereId b);

  SphereTreePair& trees_;
  PackPairPool& pool_;
  WorkMeter& meter_;
  InnerProofs proofs_;
  MovedCache<MovedPack> movedBounds_, movedSpheres_;
};

}  // namespace nearmiss
