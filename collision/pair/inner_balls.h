// SPDX-License-Identifier: MIT
/// Balls inside a solid that touch its surface, dense enough to find where two solids overlap.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "spheres/surface_samples.h"

namespace nearmiss {

/// A hierarchy of a few hundred of the largest balls that lie inside and touch the surface at
/// sample points. Their centres lie on the medial axis. Empty if the shape is not a solid. Plain
/// data.
class InnerBalls {
 public:
  struct Node {
    Sphere around;       ///< contains all balls below
    Real reach = 0.0;    ///< maximum distance of a centre below from that of `around`
    Real largest = 0.0;  ///< maximum radius below
    /// An inner node's second child; the first one follows the node. 0: a leaf.
    std::uint32_t second;
    std::uint32_t first = 0, count = 0;  ///< range of balls()
  };

  /// Adds the largest ball inside that touches the surface at `sample`, if there is one.
  void add(const Polyhedron& solid, const SurfaceSample& sample);
  /// Builds the hierarchy after the last ball was added.
  void finish();

  [[nodiscard]] const std::vector<Sphere>& balls() const noexcept { return balls_; }
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }

 private:
  void build(std::uint32_t first, std::uint32_t count);

  std::vector<Sphere> balls_;
  std::vector<Node> nodes_;
};

/// The balls of one shape, built one by one by queries that have time left.
class InnerBallsMaking {
 public:
  /// Builds balls until all are done or time runs out; returns null in the latter case. Checks the
  /// clock after each ball but charges it nothing, so that results do not depend on which query
  /// builds them. Thread-safe: concurrent callers build balls in turn.
  [[nodiscard]] const InnerBalls* refine(const Polyhedron& polyhedron,
                                         const TimeBudget& budget) const;

 private:
  void step(const Polyhedron& polyhedron) const;

  mutable Mutex taking_;
  mutable std::atomic<bool> sampled_{false}, finished_{false};
  mutable std::vector<SurfaceSample> samples_;
  mutable std::size_t next_ = 0;  ///< next sample
  mutable InnerBalls balls_;
};

/// Returns the balls of a shape, cached with it so that later queries reuse them. Null if time ran
/// out.
[[nodiscard]] const InnerBalls* innerBallsOf(const Shape& shape, const TimeBudget& budget);

/// Two balls, one of each body, frame of a.
struct BallPair {
  Sphere a, b;
  Real overlap = -std::numeric_limits<Real>::infinity();
};

/// Finds the two balls with the deepest overlap, or else the nearest two.
class DeepestPair {
 public:
  /// Starts a search. `b` is transformed by `bToA`. Considers pairs that overlap by more than
  /// `least`. The balls must outlive the last step.
  void begin(const InnerBalls& a, const InnerBalls& b, const Pose& bToA, Real least);

  /// Tests some pairs, and adds their number to `tests`. Returns false if none is left.
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
  std::uint64_t tests_ = 0;  ///< not yet added to the caller's count
};

}  // namespace nearmiss
