// SPDX-License-Identifier: MIT
/// Bounds of the distances of a point from triangles: cylinders around patches, four triangles side
/// by side, a grid over triangles in a heap.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/four_floats.h"

namespace nearmiss {

/// A closed cylinder around a patch of a surface. A box around an oblique patch is thick, so that a
/// point equally far from many such boxes seems near to all of them; a cylinder along it is thin.
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

/// Four triangles side by side, whose distances from a point one pass finds: in float, about an
/// origin near the mesh, which query points refer to as well.
class FacetGroup {
 public:
  static constexpr std::size_t width = 4;

  /// Puts a triangle into a lane. All lanes must be set.
  void set(std::size_t lane, const Triangle& triangle) noexcept;

  /// The squares of the distances of `p`, four times the same point, from the triangles.
  [[nodiscard]] FourFloats squaredDistances(const FourVectors& p) const noexcept {
    const FourVectors a = p - corner_, b = a - edge1_, opposite = edge2_ - edge1_;
    // A point above the triangle has the distance from its plane, others that from the nearest edge
    const FourFloats toEdge1 = square(a - withinOne(dot(a, edge1_) * perSquare1_) * edge1_);
    const FourFloats toEdge2 = square(a - withinOne(dot(a, edge2_) * perSquare2_) * edge2_);
    const FourFloats toOpposite = square(b - withinOne(dot(b, opposite) * perSquare3_) * opposite);
    const FourFloats height = dot(a, normal_);
    const FourFloats s = dot(a, along1_), t = dot(a, along2_);
    const FourFloats within = lesser(lesser(s, t), most_ - (s + t));
    return within >= four(0.0f) ? height * height : lesser(lesser(toEdge1, toEdge2), toOpposite);
  }

  /// True if `p` is in the plane of a triangle or on the side that its corners run clockwise about.
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

/// A grid over large triangles in a heap. Boxes around them are useless, for they all overlap; a
/// point has few of them in its cell, and most of these are excluded by their planes.
class FacetCells {
 public:
  using Point = std::array<float, 3>;

  /// Without cells, if the facets are too small for the cells that memory allows.
  explicit FacetCells(std::span<const Triangle> facets);

  [[nodiscard]] bool empty() const noexcept { return begin_.empty(); }

  /// Calls look(facet) for all facets that can be nearer to `p` (frame of the facets, metres) than
  /// the square root of `least`, which look() lowers; stops at `goal`. False if there are too many:
  /// then some were not looked at.
  bool search(const Point& p, float goal, const float& least, const auto& look) const {
    const auto lookIn = [&](std::size_t cell) {
      for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        const Plane& plane = planes_[listed_[i]];
        const float height = plane.x * p[0] + plane.y * p[1] + plane.z * p[2] - plane.offset;
        if (height * height < least) look(listed_[i]);
      }
    };
    // The facets in the point's own cell bound the number of other cells to search
    Range range = rangeAbout(p, 0.0f);
    const std::size_t own = range.count() == 1 ? indexOf(range.low) : begin_.size();
    if (own < begin_.size()) lookIn(own);
    if (least <= goal) return true;
    range = rangeAbout(p, std::sqrt(least));
    if (range.count() > maxAsked) return false;
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
  static constexpr std::size_t maxAsked = 8;
  struct Plane {
    float x = 0.0f, y = 0.0f, z = 0.0f, offset = 0.0f;  ///< all 0 without an area
  };
  /// From low to high, both included; none where one of low is above high.
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
  /// The cells within `reach` along the axes.
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
  std::vector<std::uint32_t> begin_;  ///< of each cell in listed_, x fastest, and the end
  std::vector<std::uint32_t> listed_;
  std::vector<Plane> planes_;
};

}  // namespace nearmiss
