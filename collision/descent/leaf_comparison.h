// SPDX-License-Identifier: MIT
/// The step after the last level of spheres: triangles in colliding leaves [H96 §9.1, §11.2].
#pragma once

#include "descent/leaf_triangles.h"
#include "descent/pack_pairs.h"
#include "descent/sphere_pair_work.h"
#include "descent/sphere_tree_pair.h"
#include "narrow/work_meter.h"

namespace nearmiss {

/// Works on the pair of bodies that `trees` has taken up.
class LeafComparison {
 public:
  using Outcome = LeafTriangles::Outcome;

  /// All must outlive this.
  LeafComparison(const Shapes& shapes, SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter)
      : shapes_(shapes), triangles_(shapes), trees_(trees), pool_(pool), meter_(meter) {}

  /// Goes on with a pair of bodies, perhaps in the middle of the step.
  void takeUp(const SpherePairWork& w) noexcept;

  /// Compares the deepest pair of leaves of w.colliding first, then all others by depth. Stops at
  /// the first two triangles that meet, or unfinished if time ran out.
  Outcome compare(SpherePairWork& w, const TimeBudget& budget);

  /// After Outcome::Meet: the triangles, and the leaves that list them.
  [[nodiscard]] std::uint32_t triangleA() const noexcept { return triangles_.triangleA(); }
  [[nodiscard]] std::uint32_t triangleB() const noexcept { return triangles_.triangleB(); }
  [[nodiscard]] SphereId leafA() const noexcept { return leafA_; }
  [[nodiscard]] SphereId leafB() const noexcept { return leafB_; }

 private:
  bool sort(SpherePairWork& w, const TimeBudget& budget);
  void distribute(SpherePairWork& w, const PackPair& leaves);
  Outcome compareShelves(SpherePairWork& w, const TimeBudget& budget);
  Outcome compareLeaves(SpherePairWork& w, SphereId a, SphereId b);

  const Shapes& shapes_;
  LeafTriangles triangles_;
  bool leavesTaken_ = false;
  SphereId leafA_ = 0, leafB_ = 0;
  SphereTreePair& trees_;
  PackPairPool& pool_;
  WorkMeter& meter_;
};

}  // namespace nearmiss
