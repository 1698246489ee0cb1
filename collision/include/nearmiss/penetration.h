// SPDX-License-Identifier: MIT
/// How far one of two bodies that touch has to be moved until they part.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <memory>

namespace nearmiss {

/// The least translation that parts two bodies, in metres, between two bounds.
struct PenetrationBounds {
  Real lower = 0.0;       ///< no shorter translation parts them: by spheres inside both solids
  Real upper = 0.0;       ///< one of this length does, along `direction`: it parts their hulls
  Vec3 direction{0.0};    ///< unit vector in which b is moved, world frame; zero: already apart
  bool canRefine = true;  ///< false: all spheres were compared
};

/// A search that can be continued: the hulls first, in one step (`upper` is final with it), then
/// the inner spheres, which raise `lower`. Both bounds are the depth itself for convex bodies, up
/// to what their inner spheres leave out. A hull is made when its shape is first taken up by any
/// query, and kept with the shape.
class PenetrationQuery {
 public:
  PenetrationQuery();
  PenetrationQuery(PenetrationQuery&&) noexcept;
  PenetrationQuery& operator=(PenetrationQuery&&) noexcept;
  ~PenetrationQuery();

  /// Takes up two shapes in the poses of their bodies, world frame.
  /// @pre Positions are finite, rotations of unit length.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// The first call compares the hulls however short the time.
  /// @pre begin() was called.
  PenetrationBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
