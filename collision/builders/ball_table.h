// SPDX-License-Identifier: MIT
/// Balls of clusters in contiguous arrays, for searches that compare a point with all of them.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "spheres/point_table.h"

namespace nearmiss {

/// Stores only the balls, close together in memory. Emptying it keeps its memory.
class BallTable {
 public:
  void clear() noexcept {
    centres_.clear();
    radii_.clear();
    limits_.clear();
  }
  void add(const Sphere& ball) {
    centres_.add(ball.centre);
    radii_.push_back(ball.radius);
    limits_.push_back(roomy(ball.radius));
  }
  void set(std::size_t at, const Sphere& ball) noexcept {
    centres_.set(at, ball.centre);
    radii_[at] = ball.radius;
    limits_[at] = roomy(ball.radius);
  }
  [[nodiscard]] std::size_t size() const noexcept { return radii_.size(); }
  [[nodiscard]] Real radius(std::size_t at) const noexcept { return radii_[at]; }
  [[nodiscard]] Sphere operator[](std::size_t at) const noexcept {
    return {centres_[at], radii_[at]};
  }
  /// Squared distance between `p` and a centre.
  [[nodiscard]] Real squaredDistance(const Vec3& p, std::size_t at) const noexcept {
    return centres_.squaredDistance(p, at);
  }

  /// Returns false only if `p` is in none of the balls. May return true near a ball.
  [[nodiscard]] bool anyMayHold(const Vec3& p) const noexcept {
    std::size_t i = 0;
    for (; i + 2 <= size(); i += 2)
      if (any(centres_.twoSquaredDistances(p, i) <= twoAt(limits_.data() + i))) return true;
    return i < size() && centres_.squaredDistance(p, i) <= limits_[i];
  }

  /// Calls visit(index), in order, for all centres within `reach` plus their own reach of `p`, and
  /// for some beyond.
  /// @param own reach of each ball, metres
  void forEachWithin(const Vec3& p, Real reach, std::span<const Real> own,
                     const auto& visit) const {
    const auto limitOf = [reach](Real of) {
      const Real limit = reach + of + 1e-9 * (std::abs(reach) + std::abs(of));
      return limit < 0.0 ? -1.0 : limit * limit;
    };
    std::size_t i = 0;
    for (; i + 2 <= size(); i += 2) {
      const TwoReals limits{limitOf(own[i]), limitOf(own[i + 1])};
      const TwoMasks within = centres_.twoSquaredDistances(p, i) <= limits;
      if (within[0] != 0) visit(i);
      if (within[1] != 0) visit(i + 1);
    }
    if (i < size() && centres_.squaredDistance(p, i) <= limitOf(own[i])) visit(i);
  }
  void forEachWithin(const Vec3& p, Real reach, const auto& visit) const {
    forEachWithin(p, reach, radii_, visit);
  }

  /// Returns the index of the ball with the smallest difference of the distance from its centre to
  /// `p` and its reach. Ties go to the first ball; 0 if there are no balls.
  /// @param reach of each ball, metres
  [[nodiscard]] std::size_t nearest(const Vec3& p, std::span<const Real> reach) const noexcept {
    constexpr Real infinite = std::numeric_limits<Real>::infinity();
    TwoReals least{infinite, infinite}, at{0.0, 0.0}, next{0.0, 1.0};
    std::size_t i = 0;
    for (; i + 2 <= size(); i += 2, next += 2.0) {
      const TwoReals distances =
          roots(centres_.twoSquaredDistances(p, i)) - twoAt(reach.data() + i);
      const TwoMasks nearer = distances < least;
      least = select(nearer, distances, least);
      at = select(nearer, next, at);
    }
    const bool second = least[1] < least[0] || (least[1] == least[0] && at[1] < at[0]);
    auto found = static_cast<std::size_t>(second ? at[1] : at[0]);
    if (i < size() &&
        std::sqrt(centres_.squaredDistance(p, i)) - reach[i] < (second ? least[1] : least[0]))
      found = i;
    return found;
  }

 private:
  /// Slightly more than the square of the radius; negative for a radius below 0.
  [[nodiscard]] static Real roomy(Real radius) noexcept {
    const Real more = radius * (1.0 + 1e-9);
    return radius < 0.0 ? -1.0 : more * more;
  }
  [[nodiscard]] static TwoReals roots(TwoReals squares) noexcept {
#ifdef __SSE2__
    return _mm_sqrt_pd(squares);
#else
    return TwoReals{std::sqrt(squares[0]), std::sqrt(squares[1])};
#endif
  }

  PointTable centres_;
  std::vector<Real> radii_, limits_;
};

}  // namespace nearmiss
