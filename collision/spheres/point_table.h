// SPDX-License-Identifier: MIT
/// Points with coordinates in separate arrays. Distances from another point are computed two at a
/// time.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace nearmiss {

/// Two doubles in a SIMD register. Each lane rounds like a single double, so that results are the
/// same on machines that compute lanes one after the other.
using TwoReals = Real __attribute__((vector_size(16)));
using TwoMasks = long long __attribute__((vector_size(16)));

[[nodiscard]] inline TwoReals twoAt(const Real* from) noexcept {
#ifdef __SSE2__
  return _mm_loadu_pd(from);
#else
  return TwoReals{from[0], from[1]};
#endif
}
[[nodiscard]] inline TwoReals select(TwoMasks where, TwoReals a, TwoReals b) noexcept {
  return where ? a : b;
}
[[nodiscard]] inline bool any(TwoMasks where) noexcept { return (where[0] | where[1]) != 0; }

/// Emptying it keeps its memory. Squared distances equal those from glm::dot(), to the bit.
class PointTable {
 public:
  void clear() noexcept { size_ = 0; }
  void add(const Vec3& p) {
    if (size_ == capacity_) grow();
    set(size_++, p);
  }
  void set(std::size_t at, const Vec3& p) noexcept {
    for (int axis = 0; axis < 3; ++axis) list(axis)[at] = p[axis];
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] Vec3 operator[](std::size_t at) const noexcept {
    return {list(0)[at], list(1)[at], list(2)[at]};
  }

  /// Squared distance of a point from `p`.
  [[nodiscard]] Real squaredDistance(const Vec3& p, std::size_t at) const noexcept {
    const Real dx = p.x - list(0)[at], dy = p.y - list(1)[at], dz = p.z - list(2)[at];
    return dx * dx + dy * dy + dz * dz;
  }
  /// The same for two consecutive points.
  /// @pre at + 1 < size()
  [[nodiscard]] TwoReals twoSquaredDistances(const Vec3& p, std::size_t at) const noexcept {
    const TwoReals dx = p.x - twoAt(list(0) + at), dy = p.y - twoAt(list(1) + at),
                   dz = p.z - twoAt(list(2) + at);
    return dx * dx + dy * dy + dz * dz;
  }

  /// Returns the square of the maximum distance of a point from `p`; -1 if there are no points.
  [[nodiscard]] Real maxSquaredDistance(const Vec3& p) const noexcept {
    TwoReals first{-1.0, -1.0}, second = first;
    std::size_t i = 0;
    for (; i + 4 <= size_; i += 4) {
      first = larger(first, twoSquaredDistances(p, i));
      second = larger(second, twoSquaredDistances(p, i + 2));
    }
    first = larger(first, second);
    Real most = std::max(first[0], first[1]);
    for (; i < size_; ++i) most = std::max(most, squaredDistance(p, i));
    return most;
  }
  /// Returns the index of the point farthest from `p`; ties go to the first.
  /// @pre !empty()
  [[nodiscard]] std::size_t farthest(const Vec3& p) const noexcept {
    TwoReals most{-1.0, -1.0}, at{0.0, 0.0}, next{0.0, 1.0};
    std::size_t i = 0;
    for (; i + 2 <= size_; i += 2, next += 2.0) {
      const TwoReals squares = twoSquaredDistances(p, i);
      const TwoMasks farther = squares > most;
      most = larger(squares, most);
      at = select(farther, next, at);
    }
    const bool second = most[1] > most[0] || (most[1] == most[0] && at[1] < at[0]);
    auto found = static_cast<std::size_t>(second ? at[1] : at[0]);
    if (i < size_ && squaredDistance(p, i) > (second ? most[1] : most[0])) found = i;
    return found;
  }

 private:
  [[nodiscard]] static TwoReals larger(TwoReals a, TwoReals b) noexcept {
#ifdef __SSE2__
    return _mm_max_pd(a, b);
#else
    return a > b ? a : b;
#endif
  }
  [[nodiscard]] const Real* list(int axis) const noexcept {
    return numbers_.data() + static_cast<std::size_t>(axis) * capacity_;
  }
  [[nodiscard]] Real* list(int axis) noexcept {
    return numbers_.data() + static_cast<std::size_t>(axis) * capacity_;
  }
  void grow() {
    const std::size_t before = capacity_;
    std::vector<Real> grown(3 * std::max<std::size_t>(2 * before, 16));
    for (std::size_t axis = 0; axis < 3; ++axis)
      std::copy_n(numbers_.data() + axis * before, size_, grown.data() + axis * grown.size() / 3);
    numbers_ = std::move(grown);
    capacity_ = numbers_.size() / 3;
  }

  std::vector<Real> numbers_;  ///< capacity_ x coordinates, then as many of y and z
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace nearmiss
