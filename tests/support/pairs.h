// SPDX-License-Identifier: MIT
/// Pairs of bodies placed at random, most of them so close that it matters how one looks.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

inline Pose randomPose(Random& random, Real halfRange) {
  return {random.inCube(halfRange), random.rotation()};
}

inline BodyState bodyOf(std::uint32_t key, std::uint32_t shape, const Polyhedron& polyhedron,
                        const Pose& pose) {
  BodyState body;
  body.key = key;
  body.pose = pose;
  body.shape = ShapeRef::ofRadius(polyhedron.radius(), shape);
  return body;
}

/// Bodies of each shape in turn, turned at random, in a cube of twice `halfRange`.
inline std::vector<BodyState> clumpOf(std::span<const Polyhedron> shapes, Random& random, int count,
                                      Real halfRange) {
  std::vector<BodyState> bodies;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
    const auto shape = i % static_cast<std::uint32_t>(shapes.size());
    bodies.push_back(bodyOf(i, shape, shapes[shape], randomPose(random, halfRange)));
  }
  return bodies;
}

/// Two bodies of shapes chosen from `shapes`, turned at random, their bounding spheres meeting:
/// centres between `closest` and 1 times the sum of the radii apart, somewhere within 100 m of the
/// origin.
inline std::array<BodyState, 2> randomNearMissPair(Random& random,
                                                   std::span<const Polyhedron> shapes,
                                                   Real closest = 0.1) {
  const auto a = static_cast<std::uint32_t>(random.whole(0, static_cast<int>(shapes.size()) - 1));
  const auto b = static_cast<std::uint32_t>(random.whole(0, static_cast<int>(shapes.size()) - 1));
  const Pose poseA = randomPose(random, 100.0);
  const Real reach = shapes[a].radius() + shapes[b].radius();
  const Vec3 between = random.direction() * (reach * random.between(closest, 1.0));
  const Pose poseB{poseA.position + between, random.rotation()};
  return {bodyOf(1, a, shapes[a], poseA), bodyOf(2, b, shapes[b], poseB)};
}

/// As above, then b slid along the line of centres until the surfaces are a hair apart or a hair
/// into each other: the distance is halved in `steps` rounds by the verdict of `meet(a, b)`. 40
/// rounds leave about 1e-12 of the size.
inline std::array<BodyState, 2> randomGrazingPair(Random& random,
                                                  std::span<const Polyhedron> shapes,
                                                  const auto& meet, int steps = 40) {
  auto pair = randomNearMissPair(random, shapes);
  const Vec3 from = pair[0].pose.position;
  const Vec3 away = glm::normalize(pair[1].pose.position - from);
  const auto at = [&](Real distance) {
    auto moved = pair;
    moved[1].pose.position = from + away * distance;
    return moved;
  };
  Real apart = pair[0].shape.radius() + pair[1].shape.radius();
  Real touching = 0.0;
  for (int i = 0; i < steps; ++i) {
    const Real middle = 0.5 * (apart + touching);
    const auto tried = at(middle);
    (meet(tried[0], tried[1]) ? touching : apart) = middle;
  }
  return at(random.chance(0.5) ? apart : touching);
}

}  // namespace nearmiss::test
