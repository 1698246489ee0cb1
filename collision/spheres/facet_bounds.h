// SPDX-License-Identifier: MIT
/// Bounds of the distances of a point from triangles: cylinders around patches, four triangles in
/// SIMD lanes, and a grid over a crowd of triangles.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/four_floats.h"

namespace nearmiss {

/// A closed cylinder around a patch of a surface. A box around an oblique patch is thick, so many
/// such boxes seem near to a point that is equally far from all of them. A cylinder along the patch
/// is thin.
struct BoundingCylinder {
  Vec3 middle{0.0};
  Vec3 axis{0.0};  ///< unit length, or 0 for a ball
  Real halfHeight = 0.0;
  Real radius = 0.0;
};

/// Returns a cylinder that contains `facets`, along the mean of their planes, about the middle of
/// their box; a ball if no facet has an area.
[[nodiscard]] BoundingCylinder cylinderAround(std::span<const Triangle> facets) noexcept;

/// The same along the mean of their longest edges: thin if the facets are parallel needles.
[[nodiscard]] BoundingCylinder rodAround(std::span<const Triangle> facets) noexcept;

/// Four cylinders in SIMD lanes.
class BoundingCylinders {
 public:
  static constexpr std::size_t width = 4;

  /// Stores a cylinder in a lane, in float. An unset lane is a point at the origin.
  void set(std::size_t lane, const BoundingCylinder& cylinder) noexcept;

  /// Returns squared distances from the cylinders. `p` contains the same point four times. These
  /// are lower bounds of the distances of the contents, up to float rounding.
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

/// Four triangles in SIMD lanes, in float, relative to an origin near the mesh. Query points are
/// relative to the same origin.
class FacetGroup {
 public:
  static constexpr std::size_t width = 4;

  /// Stores a triangle in a lane. All lanes must be set.
  void set(std::size_t lane, const Triangle& triangle) noexcept;

  /// Returns squared distances from the triangles. `p` contains the same point four times.
  [[nodiscard]] FourFloats squaredDistances(const FourVectors& p) const noexcept {
    const FourVectors a = p - corner_, b = a - edge1_, opposite = edge2_ - edge1_;
    // Points above the triangle use the distance from its plane, others that from the nearest edge
    const FourFloats toEdge1 = square(a - withinOne(dot(a, edge1_) * perSquare1_) * edge1_);
    const FourFloats toEdge2 = square(a - withinOne(dot(a, edge2_) * perSquare2_) * edge2_);
    const FourFloats toOpposite = square(b - withinOne(dot(b, opposite) * perSquare3_) * opposite);
    const FourFloats height = dot(a, normal_);
    const FourFloats s = dot(a, along1_), t = dot(a, along2_);
    const FourFloats within = lesser(lesser(s, t), most_ - (s + t));
    return within >= four(0.0f) ? height * height : lesser(lesser(toEdge1, toEdge2), toOpposite);
  }

  /// Returns true if `p` is in the plane of a triangle, or on the side from which its corners
  /// appear clockwise.
  [[nodiscard]] bool isBehind(std::size_t lane, const FourVectors& p) const noexcept {
    return dot(p - corner_, normal_)[lane] <= 0.0f;
  }

 private:
  [[nodiscard]] static FourFloats withinOne(FourFloats at) noexcept {
    return lesser(greater(at, four(0.0f)), four(1.0f));
  }

  FourVectors corner_, edge1_, edge2_;  ///< edges starting at the corner
  FourVectors normal_;                  ///< unit length
  /// dual basis: dot products with it are coordinates along the edges
  FourVectors along1_, along2_;
  /// limit of their sum: 1, or below 0 if the triangle has no area, so that only edges count
  FourFloats most_;
  FourFloats perSquare1_, perSquare2_, perSquare3_;  ///< 1 / squared length of an edge
};

/// A grid over a crowd of large triangles. Boxes around them are useless, because they all overlap.
/// A cell lists few triangles, and most of these are excluded by their planes.
class FacetCells {
 public:
  using Point = std::array<float, 3>;

  /// Has no cells if the facets are too small for the cells that memory allows.
  explicit FacetCells(std::span<const Triangle> facets);

  [[nodiscard]] bool empty() const noexcept { return begin_.empty(); }

  /// Calls look(facet) for all facets that can be nearer to `p` (frame of the facets, metres) than
  /// the square root of `least`, which look() may decrease. Stops once `goal` is reached. Returns
  /// false if there are too many facets; then some were not visited.
  bool search(const Point& p, float goal, const float& least, const auto& look) const {
    const auto lookIn = [&](std::size_t cell) {
      for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        const Plane& plane = planes_[listed_[i]];
        const float height = plane.x * p[0] + plane.y * p[1] + plane.z * p[2] - plane.offset;
        if (height * height < least) look(listed_[i]);
      }
    };
    // The facets in the point's own cell limit the number of other cells to search
    Range range = rangeAbout(p, 0.0f);
    const std::size_t own = range.count() == 1 ? indexOf(range.low) : begin_.size();
    if (own < begin_.size()) lookIn(own);
    if (least <= goal) return true;
    range = rangeAbout(p, std::sqrt(least));
    if (range.count() > maxCells) return false;
    for (int z = range.low[2]; z <= range.high[2]; ++z)
      for (int y = range.low[1]; y <= range.high[1]; ++y)
        for (int x = range.low[0]; x <= range.high[0]; ++x) {
          const std::size_t cell = indexOf({x, y, z});
          if (cell != own) lookIn(cell);
          if (least <= goal) return true;
        }
    return true;
  }

 private:
  using Cell = std::array<int, 3>;
  static constexpr std::size_t maxCells = 8;
  struct Plane {
    float x = 0.0f, y = 0.0f, z = 0.0f, offset = 0.0f;  ///< all 0 if the facet has no area
  };
  /// From low to high, inclusive; empty if a component of low is above high.
  struct Range {
    Cell low, high;
    [[nodiscard]] std::size_t count() const noexcept {
      std::size_t product = 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        product *= static_cast<std::size_t>(std::max(high[axis] - low[axis] + 1, 0));
      return product;
    }
  };
  struct Entry {
    std::uint32_t cell, facet;
  };
  [[nodiscard]] std::size_t indexOf(const Cell& cell) const noexcept {
    const auto at = [&](std::size_t axis) { return static_cast<std::size_t>(cell[axis]); };
    return (at(2) * static_cast<std::size_t>(counts_[1]) + at(1)) *
               static_cast<std::size_t>(counts_[0]) +
           at(0);
  }
  /// Returns the cells within `reach` along the axes.
  [[nodiscard]] Range rangeAbout(const Point& p, float reach) const noexcept {
    Range range;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto last = static_cast<float>(counts_[axis]);
      const float low = std::floor((p[axis] - reach - low_[axis]) * perMetre_);
      const float high = std::floor((p[axis] + reach - low_[axis]) * perMetre_);
      range.low[axis] = static_cast<int>(std::clamp(low, 0.0f, last));
      range.high[axis] = static_cast<int>(std::clamp(high, -1.0f, last - 1.0f));
    }
    return range;
  }
  [[nodiscard]] static Plane planeOf(const Triangle& facet) noexcept;
  [[nodiscard]] Box boxOf(const Range& range) const noexcept;
  void list(std::uint32_t number, const Triangle& facet, const Range& range,
            std::vector<Entry>& entries) const;

  Cell counts_{0, 0, 0};
  Point low_{};
  float perMetre_ = 0.0f;
  std::vector<std::uint32_t> begin_;  ///< start of each cell in listed_, x fastest, and the end
  std::vector<std::uint32_t> listed_;
  std::vector<Plane> planes_;
};

}  // namespace nearmiss
