// SPDX-License-Identifier: MIT
/// Two ships that meet, and what a response must keep of them.
#pragma once

#include <engine/flight/response.h>
#include <engine/flight/ships.h>

#include <cstddef>
#include <glm/geometric.hpp>

#include "support/random.h"

namespace nearmiss::test {}

namespace nearmiss::engine::test {

// Helpers of all tests have the same name here
using namespace nearmiss::test;

inline InverseInertia randomInertia(nearmiss::test::Random& random) {
  InverseInertia inverse{
      {1.0 + 4.0 * random.unit(), 1.0 + 4.0 * random.unit(), 1.0 + 4.0 * random.unit()},
      random.inCube(0.4)};
  return inverse;
}

/// Of all ships together.
struct Kept {
  Vec3 momentum{0.0}, angular{0.0};
  Real energy = 0.0, size = 0.0;
};

inline Kept keptBy(const Ships& ships) {
  Kept kept;
  for (std::size_t i = 0; i < ships.states().size(); ++i) {
    const BodyState& body = ships.states()[i];
    const Real mass = ships.definition(i).mass;
    const Vec3 spin = ships.angularMomentum(i);
    kept.momentum += mass * body.velocity;
    kept.angular += mass * (glm::cross(body.pose.position, body.velocity) + spin);
    kept.energy +=
        0.5 * mass *
        (glm::dot(body.velocity, body.velocity) + glm::dot(spin, ships.angularVelocity(i)));
    kept.size += mass * (1.0 + glm::length(body.velocity)) *
                 (1.0 + glm::length(body.pose.position) + glm::length(spin));
  }
  return kept;
}

/// The speed at which the two ships' points at the contact part.
inline Real partingSpeed(const Ships& ships, const ImpulsePoint& contact) {
  const auto velocityAt = [&](std::size_t i) {
    return ships.states()[i].velocity +
           glm::cross(ships.angularVelocity(i), contact.position - ships.states()[i].pose.position);
  };
  return glm::dot(velocityAt(0) - velocityAt(1), contact.normal);
}

}  // namespace nearmiss::engine::test
