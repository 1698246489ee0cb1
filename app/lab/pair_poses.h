// SPDX-License-Identifier: MIT
/// Random poses of two bodies of one shape, and how often the spheres of a level collide although
/// the surfaces do not.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nearmiss::app::lab {

/// Two bodies of one shape, compared repeatedly.
class PairComparison {
 public:
  explicit PairComparison(const Shape& shape) {
    Shapes shapes;
    shape_ = shapes.add(shape);
    narrow_ = makeSphereTreeNarrowPhase(shapes);
  }

  /// Refines to the end, calls atLevel(result) for each level whose spheres collide, and returns
  /// the last verdict. `pose` is the second body's pose in the frame of the first.
  Verdict refine(const Pose& pose, const auto& atLevel) {
    std::array<BodyState, 2> bodies;
    for (BodyState& body : bodies) body.shape = shape_;
    bodies[1].key = 1;
    bodies[1].pose = pose;
    const std::array<BodyPair, 1> pairs{{{0, 1}}};
    narrow_->begin(bodies, pairs);
    Refinement now = narrow_->result(0);
    while (now.canRefine) {
      narrow_->refine(0, TimeBudget::unlimited());
      now = narrow_->result(0);
      if (now.verdict == Verdict::Possible) atLevel(now);
    }
    return now.verdict;
  }

 private:
  ShapeRef shape_;
  std::unique_ptr<NarrowPhase> narrow_;
};

/// Poses of a second ship of the same model relative to the first, by exact verdict.
struct PairPoses {
  std::vector<Pose> separated;
  std::vector<Pose> touching;  ///< those drawn until there were enough separated ones
};

/// Draws poses with random rotation and direction, at distances of 0.2 to 1.0 times the sum of the
/// radii.
[[nodiscard]] std::vector<Pose> drawPoses(const Shape& shape, std::size_t count,
                                          std::uint64_t seed);

/// Draws such poses until `count` are separated; fewer if separated poses are very rare.
[[nodiscard]] PairPoses drawPairPoses(const Shape& shape, std::size_t count, std::uint64_t seed);

struct FalseAlarms {
  std::vector<std::size_t> atLevel;  ///< number of separated poses whose spheres collide at each
                                     ///< level
  std::size_t missed = 0;            ///< touching poses with the verdict Separate
  /// Mean wall time per pose until the final answer; NaN without poses.
  double separatedMicroseconds = 0.0, touchingMicroseconds = 0.0;
};
[[nodiscard]] FalseAlarms countFalseAlarms(const Shape& shape, const PairPoses& poses);

}  // namespace nearmiss::app::lab
