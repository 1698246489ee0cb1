// SPDX-License-Identifier: MIT
/// Nearest neighbour search, for any distribution of points.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace nearmiss {

/// A k-d tree: points are recursively halved along the longest side. Immutable.
class PointTree {
 public:
  /// O(n log n).
  explicit PointTree(std::span<const Vec3> points) : order_(points.size()), axes_(points.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    divide(points, 0, order_.size());
    for (const std::uint32_t i : order_) sorted_.push_back(points[i]);
  }

  /// Returns the index of the point nearest to `p`; ties go to the lowest index. O(log n) for most
  /// points.
  /// @param visits if not null, incremented by the number of points compared
  /// @pre there is a point
  [[nodiscard]] std::uint32_t nearest(const Vec3& p, std::size_t* visits = nullptr) const noexcept {
    NEARMISS_ASSERT(!order_.empty());
    Search search{p};
    look(search, 0, order_.size());
    if (visits) *visits += search.visits;
    return search.found;
  }

 private:
  static constexpr std::size_t few = 8;
  struct Search {
    Vec3 p;
    Real best = std::numeric_limits<Real>::infinity();
    std::uint32_t found = 0xffffffff;
    std::size_t visits = 0;
  };

  void divide(std::span<const Vec3> points, std::size_t begin, std::size_t end) {
    if (end - begin <= few) return;
    Box box;
    for (std::size_t i = begin; i < end; ++i) box.include(points[order_[i]]);
    const Vec3 extent = box.extent();
    int axis = extent.y > extent.x ? 1 : 0;
    if (extent.z > extent[axis]) axis = 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [this](std::size_t i) {
      return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      return points[a][axis] != points[b][axis] ? points[a][axis] < points[b][axis] : a < b;
    });
    axes_[middle] = static_cast<std::uint8_t>(axis);
    divide(points, begin, middle);
    divide(points, middle + 1, end);
  }

  void compare(Search& search, std::size_t at) const noexcept {
    const Vec3 between = sorted_[at] - search.p;
    const Real square = glm::dot(between, between);
    ++search.visits;
    if (square > search.best || (square == search.best && order_[at] >= search.found)) return;
    search.best = square;
    search.found = order_[at];
  }

  void look(Search& search, std::size_t begin, std::size_t end) const noexcept {
    if (end - begin <= few) {
      for (std::size_t i = begin; i < end; ++i) compare(search, i);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const int axis = axes_[middle];
    const Real beyond = search.p[axis] - sorted_[middle][axis];
    compare(search, middle);
    if (beyond < 0.0)
      look(search, begin, middle);
    else
      look(search, middle + 1, end);
    // Despite rounding, no point of the other half is nearer than the plane between the halves
    if (beyond * beyond > search.best) return;
    if (beyond < 0.0)
      look(search, middle + 1, end);
    else
      look(search, begin, middle);
  }

  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> axes_;  ///< by index of the middle of a range
  std::vector<Vec3> sorted_;        ///< points in the order of order_
};

}  // namespace nearmiss
