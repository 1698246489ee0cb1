// SPDX-License-Identifier: MIT
/// What every narrow phase needs of a pair first: shapes, one relative pose, the bounding spheres.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <span>

namespace nearmiss {

struct PairSetup {
  ShapeId shapeA{};
  ShapeId shapeB{};
  Pose bToA;                ///< every point of b is moved by transformed() with this, and no other
  ContactSpheres bounding;  ///< the bodies' bounding spheres, world space; bound infinite
};

[[nodiscard]] inline ContactSpheres boundingSpheres(std::span<const BodyState> bodies,
                                                    const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  return {{a.pose.position, a.shape.radius()}, {b.pose.position, b.shape.radius()}};
}

[[nodiscard]] inline PairSetup setUpPair(std::span<const BodyState> bodies,
                                         const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  PairSetup setup;
  setup.shapeA = a.shape.id();
  setup.shapeB = b.shape.id();
  setup.bToA = relativePose(a.pose, b.pose);
  setup.bounding = boundingSpheres(bodies, pair);
  return setup;
}

/// The result of a pair before its first step: the bounding spheres collide.
[[nodiscard]] inline Refinement boundingLevel(const ContactSpheres& bounding) noexcept {
  Refinement known;
  known.collidingSpheres = 1;
  known.deepest = bounding;
  return known;
}

/// The final answer of a method that compares the solids exactly in one step.
[[nodiscard]] inline Refinement exactAnswer(const PairSetup& setup, bool contact) noexcept {
  Refinement answer = boundingLevel(setup.bounding);
  answer.canRefine = false;
  answer.stage = Stage::Exact;
  if (contact) {
    answer.verdict = Verdict::Contact;
    answer.separationBound = answer.separationEstimate = 0.0;
    answer.deepest.separationBound = 0.0;
  } else {
    answer.verdict = Verdict::Separate;
    answer.collidingSpheres = 0;
  }
  return answer;
}

}  // namespace nearmiss
