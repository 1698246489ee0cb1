// SPDX-License-Identifier: MIT
/// Two bodies of one shape, compared again and again.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <array>
#include <memory>

namespace nearmiss::app {

class PairComparison {
 public:
  explicit PairComparison(const Shape& shape) {
    Shapes shapes;
    shape_ = shapes.add(shape);
    narrow_ = makeSphereTreeNarrowPhase(shapes);
  }

  /// Refines to the end, calls atLevel(result) for each level whose spheres collide, and returns
  /// the last verdict. `pose` is the second body's in the frame of the first.
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

}  // namespace nearmiss::app
