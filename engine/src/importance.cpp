// SPDX-License-Identifier: MIT
#include <engine/importance.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {

void assignImportance(World& world, std::size_t user, const ImportanceRule& rule) noexcept {
  const auto states = world.states();
  const Vec3 centre = states[user].pose.position;
  const Real radius = states[user].boundingRadius;
  for (std::size_t place = 0; place < states.size(); ++place) {
    const BodyState& body = states[place];
    const Real apart = glm::distance(body.pose.position, centre) - body.boundingRadius - radius;
    const Real within = std::isnan(rule.fullWithin) ? 0.0 : rule.fullWithin;
    if (place == user || !(apart > within)) {
      world.setImportance(place, fullImportance);
      continue;
    }
    // Half at one metre beyond, a third at two: told apart to (1 + d)^2 / 2^32 metres
    constexpr Real almostFull = 4294967040.0;
    world.setImportance(place, static_cast<std::uint32_t>(almostFull / (1.0 + apart - within)));
  }
}

}  // namespace nearmiss::engine
