// SPDX-License-Identifier: MIT
/// Balls inside a solid that touch its surface, dense enough to find where two solids overlap.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "spheres/surface_samples.h"

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

  /// Takes up the largest ball inside that touches the surface at `sample`, if there is one.
  void add(const Polyhedron& solid, const SurfaceSample& sample);
  /// Builds the hierarchy, after the last ball.
  void finish();

  [[nodiscard]] const std::vector<Sphere>& balls() const noexcept { return balls_; }
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }

 private:
  void build(std::uint32_t first, std::uint32_t count);

  std::vector<Sphere> balls_;
  std::vector<Node> nodes_;
};

/// The balls of one shape, made one after the other by whoever has time for some.
class InnerBallsMaking {
 public:
  /// Goes on until all are made or time runs out; null in the latter case. Looks at the clock after
  /// each ball, and charges it nothing: whoever comes later has them for nothing. Any number of
  /// threads may call it at once, each for one ball in turn.
  [[nodiscard]] const InnerBalls* refine(const Polyhedron& polyhedron,
                                         const TimeBudget& budget) const;

 private:
  void step(const Polyhedron& polyhedron) const;

  mutable Mutex taking_;
  mutable std::atomic<bool> sampled_{false}, finished_{false};
  mutable std::vector<SurfaceSample> samples_;
  mutable std::size_t next_ = 0;  ///< of the samples
  mutable InnerBalls balls_;
};

/// Kept with the shape, so that what one query has made is there for the next; null where time ran
/// out.
[[nodiscard]] const InnerBalls* innerBallsOf(const Shape& shape, const TimeBudget& budget);

/// Two balls, one of each body, frame of a.
struct BallPair {
  Sphere a, b;
  Real overlap = -std::numeric_limits<Real>::infinity();
};

/// Finds the two balls that overlap the most, or are the nearest.
class DeepestPair {
 public:
  /// `b` is moved by `bToA`. Of interest are pairs that overlap by more than `least`. The balls
  /// must outlive the last step.
  void begin(const InnerBalls& a, const InnerBalls& b, const Pose& bToA, Real least);

  /// Looks at some pairs, and adds their number to `tests`. False: none is left.
  bool step(std::uint64_t& tests);

  [[nodiscard]] const BallPair& best() const noexcept { return best_; }

 private:
  struct Open {
    std::uint32_t a, b;
    Real most;
  };

  void push(std::uint32_t nodeA, std::uint32_t nodeB);
  void compare(const InnerBalls::Node& ofA, const InnerBalls::Node& ofB);

  const InnerBalls* a_ = nullptr;
  const InnerBalls* b_ = nullptr;
  Pose bToA_;
  BallPair best_;
  std::array<Open, 128> open_;
  std::size_t size_ = 0;
  std::uint64_t tests_ = 0;  ///< that were not handed over
};

}  // namespace nearmiss
