// SPDX-License-Identifier: MIT
/// The step after the last level of spheres: compares triangles in colliding leaves exactly [H96
/// §9.1, §11.2].
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "narrow/level_descent.h"
#include "narrow/visited_pairs.h"
#include "spheres/moved_packs.h"

namespace nearmiss {

/// Compares triangles of `a` with triangles of `b` transformed into the frame of `a`. Works on one
/// pair of bodies and one pair of leaves at a time; transformed vertices are kept for all leaves of
/// a pair of bodies.
class LeafTriangles {
 public:
  /// Reserves memory for the largest of `shapes`, so that nothing grows later.
  explicit LeafTriangles(const Shapes& shapes);

  /// Sets a pair of bodies. All arguments must outlive the last compare().
  void setBodies(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept;

  /// Sets a pair of leaves. Keeps the triangles that extend into `region` (frame of a), outside
  /// which these leaves need not be compared.
  void setLeaves(std::span<const std::uint32_t> inA, std::span<const std::uint32_t> inB,
                 const Box& region, WorkCount& work);

  enum class Outcome : std::uint8_t { Apart, Meet, Unfinished };
  /// Compares combinations starting at `from`, which it advances. Stops at the first two triangles
  /// that intersect, or unfinished after about `effort` bound tests or equivalent work.
  Outcome compare(std::size_t& from, std::size_t effort, WorkCount& work);

  [[nodiscard]] std::uint32_t triangleA() const noexcept { return triangleA_; }
  [[nodiscard]] std::uint32_t triangleB() const noexcept { return triangleB_; }

 private:
  struct Candidate {
    Box box;  ///< of the part in the region
    std::uint32_t triangle;
  };
  static void keep(std::vector<Candidate>& list, const Triangle& corners, std::uint32_t triangle,
                   const Box& region);
  [[nodiscard]] const Vec3& movedVertex(std::uint32_t vertex) noexcept;
  [[nodiscard]] Triangle movedTriangle(std::uint32_t triangle) noexcept;

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  MovedCache<Vec3> moved_{0};  ///< vertices of b, with room for all
  std::vector<Candidate> inA_, inB_;
  /// Large triangles lie in many leaves, so the same two soon meet again.
  RecentPairs apart_{true};
  std::uint32_t triangleA_ = 0, triangleB_ = 0;
};

/// Compares the leaves of the pair of bodies set in `trees`.
class LeafComparison {
 public:
  using Outcome = LeafTriangles::Outcome;

  /// All arguments must outlive this.
  LeafComparison(const Shapes& shapes, SphereTreePair& trees, PackPairPool& pool, WorkMeter& meter)
      : shapes_(shapes), triangles_(shapes), trees_(trees), pool_(pool), meter_(meter) {}

  /// Continues with a pair of bodies, possibly in the middle of the step.
  void switchTo(const SpherePairWork& w) noexcept;

  /// Compares the deepest pair of leaves of w.colliding first, then all others by depth. Stops at
  /// the first two triangles that intersect, or unfinished if time ran out.
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
