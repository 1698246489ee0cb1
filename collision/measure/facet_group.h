// SPDX-License-Identifier: MIT
/// Four triangles side by side, whose distances from a point one pass finds.
#pragma once

#include "geometry/four_floats.h"

#include <nearmiss/triangle_intersection.h>

#include <cstddef>

namespace nearmiss {

/// Triangles in float, about an origin near the mesh, which query points refer to as well.
class FacetGroup {
 public:
  static constexpr std::size_t width = 4;

  /// Puts a triangle into a lane. All lanes must be set.
  void set(std::size_t lane, const Triangle& triangle) noexcept;

  /// The squares of the distances of `p`, four times the same point, from the triangles.
  [[nodiscard]] FourFloats squaredDistances(const FourVectors& p) const noexcept {
    const FourVectors a = p - corner_, b = a - edge1_, opposite = edge2_ - edge1_;
    // Of a point above the triangle the distance from its plane, else that from the nearest edge
    const FourFloats toEdge1 = square(a - withinOne(dot(a, edge1_) * perSquare1_) * edge1_);
    const FourFloats toEdge2 = square(a - withinOne(dot(a, edge2_) * perSquare2_) * edge2_);
    const FourFloats toOpposite = square(b - withinOne(dot(b, opposite) * perSquare3_) * opposite);
    const FourFloats height = dot(a, normal_);
    const FourFloats s = dot(a, along1_), t = dot(a, along2_);
    const FourFloats within = lesser(lesser(s, t), most_ - (s + t));
    return within >= four(0.0f) ? height * height : lesser(lesser(toEdge1, toEdge2), toOpposite);
  }

  /// Whether `p` is in the plane of a triangle or on the side that its corners run clockwise about.
  [[nodiscard]] bool isBehind(std::size_t lane, const FourVectors& p) const noexcept {
    return dot(p - corner_, normal_)[lane] <= 0.0f;
  }

 private:
  [[nodiscard]] static FourFloats withinOne(FourFloats at) noexcept {
    return lesser(greater(at, four(0.0f)), four(1.0f));
  }

  FourVectors corner_, edge1_, edge2_;  ///< edges from the corner
  FourVectors normal_;                  ///< of length 1
  FourVectors along1_, along2_;  ///< a point's products with them: coordinates along the edges
  FourFloats most_;  ///< limit of their sum: 1; less than 0 without an area, which leaves the edges
  FourFloats perSquare1_, perSquare2_, perSquare3_;  ///< 1 / square of the length of an edge
};

}  // namespace nearmiss
