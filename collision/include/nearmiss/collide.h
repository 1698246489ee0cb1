// SPDX-License-Identifier: MIT
/// Compares one pair of shapes, as deeply as time allows. For many bodies see detector.h.
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread at a
/// time.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

namespace nearmiss {

/// A resumable collision query. The method depends on the trees of both shapes:
/// - Sphere trees are used if there are any. A shape without one is a single sphere, so after its
///   bounding sphere only the exact step follows.
/// - BSP trees are used if both shapes have one and neither has a sphere tree.
/// - Shapes without trees that reach farther than 4e17 m are compared triangle by triangle.
///
/// Reuses its memory: the same two shapes in other poses allocate nothing. If a step throws
/// std::bad_alloc, call begin() before the next one. Moved-from queries can only be assigned to or
/// destroyed.
class PairQuery {
 public:
  PairQuery();
  PairQuery(PairQuery&&) noexcept;
  PairQuery& operator=(PairQuery&&) noexcept;
  ~PairQuery();

  /// Starts a comparison of two shapes. Poses are in the world frame. If it throws std::bad_alloc,
  /// the query keeps the previous pair; otherwise it discards it.
  /// @pre check(pose) succeeds for both poses.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Refines the pair until the result is final or `budget` is exhausted, and returns the result.
  /// If only bounding spheres have been compared so far, completes the first step even if the
  /// budget is exhausted.
  /// @pre begin() was called.
  Refinement refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// As refine(), but also stops once `level` is complete. Later calls resume from there. Level 1
  /// is the first below the bounding spheres; the triangles come after the last level,
  /// or instead of it if that would take longer.
  /// @pre begin() was called.
  Refinement refineTo(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// As refineTo(), but returns only the verdict. Faster, because the spheres found are not
  /// described. known() still returns the whole result.
  /// @pre begin() was called.
  Verdict verdictAt(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the result so far. Separate at Stage::Bounds if the bounding spheres do not overlap.
  /// @pre begin() was called.
  [[nodiscard]] Refinement known() const noexcept;

  /// Writes up to `most` pairs of spheres that overlap at known().level to `out`, world frame.
  /// @pre begin() was called.
  void contacts(std::size_t most, std::vector<ContactSpheres>& out) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Compares one pair within `budget`. For repeated comparisons use PairQuery, which reuses its
/// memory.
/// @pre as PairQuery::begin()
[[nodiscard]] Refinement collide(const Shape& a, const Pose& poseA, const Shape& b,
                                 const Pose& poseB,
                                 const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
