// SPDX-License-Identifier: MIT
/// Cylinders around patches of a surface. A box around an oblique patch is thick, so that a point
/// equally far from many such boxes seems near to all of them; a cylinder along the patch is thin.
#pragma once

#include "geometry/four_floats.h"

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <cstddef>
#include <span>

namespace nearmiss {

/// A closed cylinder.
struct BoundingCylinder {
  Vec3 middle{0.0};
  Vec3 axis{0.0};  ///< of length 1, or 0 for a ball
  Real halfHeight = 0.0;
  Real radius = 0.0;
};

/// A cylinder that holds `facets`, along the mean of their planes, about the middle of their box; a
/// ball where none of them has an area.
[[nodiscard]] BoundingCylinder cylinderAround(std::span<const Triangle> facets) noexcept;

/// The same along the mean of their longest edges: thin where they are needles side by side.
[[nodiscard]] BoundingCylinder rodAround(std::span<const Triangle> facets) noexcept;

/// Four cylinders side by side, whose distances from a point one pass finds.
class BoundingCylinders {
 public:
  static constexpr std::size_t width = 4;

  /// Puts a cylinder into a lane, in float. A lane that was not set is a point at the origin.
  void set(std::size_t lane, const BoundingCylinder& cylinder) noexcept;

  /// The squares of the distances of `p`, four times the same point, from the cylinders: lower
  /// bounds of the distances of what they hold, up to the rounding of floats.
  [[nodiscard]] FourFloats squaredDistances(const FourVectors& p) const noexcept {
    const FourVectors from = p - middle_;
    const FourFloats height = dot(from, axis_);
    const FourFloats aside = squareRoot(square(from - height * axis_));
    const FourFloats above = greater(greater(height, -height) - halfHeight_, four(0.0f));
    const FourFloats beside = greater(aside - radius_, four(0.0f));
    return above * above + beside * beside;
  }

 private:
  FourVectors middle_{}, axis_{};
  FourFloats halfHeight_{}, radius_{};
};

}  // namespace nearmiss
