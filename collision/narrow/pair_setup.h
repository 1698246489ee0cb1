// SPDX-License-Identifier: MIT
/// Data of a pair that every narrow phase needs first: shapes, one relative pose, the bounding
/// spheres. Also the results common to methods with sphere trees.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <array>
#include <span>

#include "base/work_meter.h"
#include "geometry/pieces_inside.h"

namespace nearmiss {

/// Two shapes, one in the frame of the other.
struct PairFrame {
  std::uint32_t shapeA{};
  std::uint32_t shapeB{};
  Pose bToA;  ///< the only transform of points of b, by transformed()
};

struct PairSetup : PairFrame {
  ContactSpheres bounding;  ///< bounding spheres, world space; infinite bound
};

[[nodiscard]] inline ContactSpheres boundingSpheres(std::span<const BodyState> bodies,
                                                    const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  return {{a.pose.position, a.shape.radius()}, {b.pose.position, b.shape.radius()}};
}

[[nodiscard]] inline PairFrame frameOf(std::span<const BodyState> bodies,
                                       const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  return {a.shape.index(), b.shape.index(), relativePose(a.pose, b.pose)};
}

[[nodiscard]] inline PairSetup setUpPair(std::span<const BodyState> bodies,
                                         const BodyPair& pair) noexcept {
  return {frameOf(bodies, pair), boundingSpheres(bodies, pair)};
}

/// Returns the result of a pair before its first step: the bounding spheres collide.
[[nodiscard]] inline Refinement boundingLevel(const ContactSpheres& bounding) noexcept {
  Refinement known;
  known.collidingSpheres = 1;
  known.deepest = bounding;
  return known;
}

/// Returns the final result of a method that compares the solids exactly in one step.
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

/// Returns the result before the first step: the bounding spheres, and whether the coverage of the
/// trees is guaranteed.
[[nodiscard]] inline Refinement sphereTreeBounds(const Shapes& shapes,
                                                 std::span<const BodyState> bodies,
                                                 const BodyPair& pair) noexcept {
  const auto guaranteed = [&](std::uint32_t body) {
    return shapes[bodies[body].shape.index()].sphereTree()->coverage() == Coverage::Guaranteed;
  };
  Refinement known = boundingLevel(boundingSpheres(bodies, pair));
  known.conservative = guaranteed(pair.a) && guaranteed(pair.b);
  return known;
}

/// Sets the final result of two solids that are apart.
inline void concludeApart(Refinement& known) noexcept {
  known.canRefine = false;
  known.verdict = Verdict::Separate;
  known.collidingSpheres = 0;
}

/// Sets the final result for bodies in contact: their surfaces intersect, or one contains the
/// other.
inline void concludeContact(Refinement& known) noexcept {
  known.canRefine = false;
  known.verdict = Verdict::Contact;
  known.collidingSpheres = 1;
  known.separationBound = known.separationEstimate = 0.0;
  known.deepest.separationBound = 0.0;
}

/// Sets the final result if one body contains the other and their surfaces do not intersect.
/// Spheres around the surfaces may then be separate.
inline void concludeHeld(const ContactSpheres& bounding, Refinement& known) noexcept {
  known.deepest = bounding;
  concludeContact(known);
}

/// Sets the final result, once it is known whether the surfaces intersect. Tests all pieces of both
/// bodies, without a time limit, and counts that work.
inline void conclude(const Shapes& shapes, const PairSetup& setup, bool surfacesMeet,
                     WorkMeter& meter, Refinement& known) {
  if (surfacesMeet) return concludeContact(known);
  PiecesInside pieces;
  pieces.begin(shapes[setup.shapeA].polyhedron(), shapes[setup.shapeB].polyhedron(), setup.bToA);
  while (!pieces.ended()) pieces.step(meter.open().boundTests);
  if (pieces.found())
    concludeHeld(setup.bounding, known);
  else
    concludeApart(known);
}

/// Returns two spheres of the trees in world space, whose parts are at most `bound` metres apart.
[[nodiscard]] inline ContactSpheres inWorld(const SphereTree& treeA, SphereId a,
                                            const SphereTree& treeB, SphereId b,
                                            const std::array<Pose, 2>& poses, Real bound) noexcept {
  ContactSpheres spheres{treeA.sphere(a), treeB.sphere(b), bound};
  spheres.a.centre = transformed(poses[0], spheres.a.centre);
  spheres.b.centre = transformed(poses[1], spheres.b.centre);
  return spheres;
}

}  // namespace nearmiss
