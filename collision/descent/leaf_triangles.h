// SPDX-License-Identifier: MIT
/// The exact comparison of the triangles in two leaves of sphere trees.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "narrow/moved_cache.h"
#include "narrow/recent_pairs.h"
#include "narrow/work_meter.h"

namespace nearmiss {

/// Compares triangles of `a` as they are with triangles of `b` moved into the frame of `a`. Works
/// on one pair of bodies and one pair of leaves at a time; moved vertices are kept for all leaves
/// of a pair of bodies.
class LeafTriangles {
 public:
  /// Room for the largest of `shapes`, so that nothing grows later.
  explicit LeafTriangles(const Shapes& shapes);

  /// Takes up a pair of bodies. All must outlive the last compare().
  void setBodies(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept;

  /// Takes up a pair of leaves: keeps the triangles that reach into `region` (frame of a), outside
  /// of which these leaves need not be compared.
  void setLeaves(std::span<const std::uint32_t> inA, std::span<const std::uint32_t> inB,
                 const Box& region, WorkCount& work);

  enum class Outcome : std::uint8_t { Apart, Meet, Unfinished };
  /// Compares from combination `from` on, which it advances; stops at the first two triangles that
  /// meet, or unfinished after about `effort` bound tests or what costs as much.
  Outcome compare(std::size_t& from, std::size_t effort, WorkCount& work);

  [[nodiscard]] std::uint32_t triangleA() const noexcept { return triangleA_; }
  [[nodiscard]] std::uint32_t triangleB() const noexcept { return triangleB_; }

 private:
  struct Candidate {
    Box box;  ///< of the part within the region
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
  RecentPairs apart_{true};  ///< large triangles lie in many leaves: the same two meet again soon
  std::uint32_t triangleA_ = 0, triangleB_ = 0;
};

}  // namespace nearmiss
