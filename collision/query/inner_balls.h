// SPDX-License-Identifier: MIT
/// Balls inside a solid that touch its surface, dense enough to find where two solids overlap.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// A hierarchy over some hundreds of the largest balls inside that touch the surface at samples of
/// it: their centres lie on the medial axis. Empty for what is no solid. Plain data.
class InnerBalls {
 public:
  struct Node {
    Sphere around;         ///< holds all balls below
    Real reach = 0.0;      ///< no centre below is farther from that of `around`
    Real largest = 0.0;    ///< the largest radius below
    std::uint32_t second;  ///< an inner node's second child; its first follows it. 0: a leaf
    std::uint32_t first = 0, count = 0;  ///< range of balls()
  };

  explicit InnerBalls(const Polyhedron& polyhedron);

  [[nodiscard]] const std::vector<Sphere>& balls() const noexcept { return balls_; }
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }

 private:
  void build(std::uint32_t first, std::uint32_t count);

  std::vector<Sphere> balls_;
  std::vector<Node> nodes_;
};

/// Made when they are first asked for, and kept with the shape.
[[nodiscard]] const InnerBalls& innerBallsOf(const Shape& shape);

/// Two balls, one of each body, frame of a.
struct BallPair {
  Sphere a, b;
  Real overlap = -std::numeric_limits<Real>::infinity();
};

/// The two balls that overlap the most, or are the nearest, `b` moved by `bToA`; of those that
/// overlap by more than `least`. Adds to `tests` the pairs that were looked at.
[[nodiscard]] BallPair deepestPair(const InnerBalls& a, const InnerBalls& b, const Pose& bToA,
                                   Real least, std::uint64_t& tests);

}  // namespace nearmiss
