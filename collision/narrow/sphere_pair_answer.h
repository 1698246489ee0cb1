// SPDX-License-Identifier: MIT
/// What both narrow phases over sphere trees say of a pair in the same words.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <array>
#include <span>

#include "narrow/pair_setup.h"

namespace nearmiss {

/// Before the first step: the bounding spheres, and whether the trees promise anything.
[[nodiscard]] inline Refinement sphereTreeBounds(const Shapes& shapes,
                                                 std::span<const BodyState> bodies,
                                                 const BodyPair& pair) noexcept {
  const auto guaranteed = [&](std::uint32_t body) {
    return shapes[bodies[body].shape.id()].sphereTree()->coverage() == Coverage::Guaranteed;
  };
  Refinement known = boundingLevel(boundingSpheres(bodies, pair));
  known.conservative = guaranteed(pair.a) && guaranteed(pair.b);
  return known;
}

/// The final answer, once the surfaces are known to meet or not to meet.
inline void conclude(const Shapes& shapes, const PairSetup& setup, bool surfacesMeet,
                     Refinement& known) {
  known.canRefine = false;
  // Where one solid lies inside the other no spheres around the surfaces need to collide
  const bool contact =
      surfacesMeet || oneInsideOther(shapes[setup.shapeA].polyhedron(),
                                     shapes[setup.shapeB].polyhedron(), setup.bToA);
  if (!contact) {
    known.verdict = Verdict::Separate;
    known.collidingSpheres = 0;
    return;
  }
  known.verdict = Verdict::Contact;
  known.collidingSpheres = 1;
  if (!surfacesMeet) known.deepest = setup.bounding;
  known.separationBound = known.separationEstimate = 0.0;
  known.deepest.separationBound = 0.0;
}

/// Two spheres of the trees in world space, `bound` metres apart at most.
[[nodiscard]] inline ContactSpheres inWorld(const SphereTree& treeA, SphereId a,
                                            const SphereTree& treeB, SphereId b,
                                            const std::array<Pose, 2>& poses, Real bound) noexcept {
  ContactSpheres spheres{treeA.sphere(a), treeB.sphere(b), bound};
  spheres.a.centre = transformed(poses[0], spheres.a.centre);
  spheres.b.centre = transformed(poses[1], spheres.b.centre);
  return spheres;
}

}  // namespace nearmiss
