// SPDX-License-Identifier: MIT
/// One pair of shapes, compared as deeply as time allows. For many bodies see detector.h.
///
/// Any number of threads may ask at once, also about the same shapes; a query object is for one
/// thread at a time.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

namespace nearmiss {

/// A resumable comparison. Uses sphere trees; a shape without one has a single sphere around it, so
/// that only exact answers follow its bounding sphere. Uses BSP trees where both shapes have one
/// and neither has spheres. Shapes without trees that reach farther than 4e17 m compare every
/// triangle with every other.
///
/// Keeps its memory from pair to pair: the same two shapes again, in other poses, allocate nothing.
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
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

  /// Refines the pair until the answer is final or `budget` is exhausted, and returns the answer.
  /// If only bounding spheres have been compared, the first step is completed however short the
  /// time.
  /// @pre begin() was called.
  Refinement refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// The same, but ends as well once `level` is complete: what is asked first goes on later from
  /// there. Level 1 is the first below the bounding spheres; the triangles come after the last.
  /// @pre begin() was called.
  Refinement refineTo(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// As refineTo(), where no more is wanted than whether they touch: for less, because the spheres
  /// that were found are not described. known() still has the whole answer.
  /// @pre begin() was called.
  Verdict verdictAt(int level, const TimeBudget& budget = TimeBudget::unlimited());

  /// The answer so far. Separate at Stage::Bounds where the bounding spheres do not meet.
  /// @pre begin() was called.
  [[nodiscard]] Refinement known() const noexcept;

  /// Up to `most` of the pairs of spheres that collide at known().level, world frame.
  /// @pre begin() was called.
  void contacts(std::size_t most, std::vector<ContactSpheres>& out) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One comparison from its start, within `budget`. For repeated comparisons PairQuery costs less.
/// @pre as PairQuery::begin()
[[nodiscard]] Refinement collide(const Shape& a, const Pose& poseA, const Shape& b,
                                 const Pose& poseB,
                                 const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
