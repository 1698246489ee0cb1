// SPDX-License-Identifier: MIT
#include "fly/flight/throttle.h"

#include <algorithm>
#include <glm/geometric.hpp>

namespace nearmiss::app::fly {
namespace {

constexpr double grip = 3.0;  // 1/s: acceleration of the assist per speed that is missing

}  // namespace

void makeHeavy(engine::Scene& scene) noexcept {
  if (scene.playerLimits == engine::briskLimits) scene.playerLimits = heavyLimits;
}

bool isHeavy(const engine::Scene& scene) noexcept { return scene.playerLimits == heavyLimits; }

double Throttle::apply(double stick, bool boost, bool assist, const BodyState& ship,
                       double seconds) noexcept {
  empty_ = boost && (empty_ || reserve_ <= 0.0);
  boosting_ = boost && stick > 0.0 && !empty_;
  reserve_ += boosting_ ? -seconds / boostSeconds : seconds / refillSeconds;
  reserve_ = std::clamp(reserve_, 0.0, 1.0);
  const double most = boosting_ ? 1.0 : cruiseShare;
  if (!assist) return most * stick;
  const double along = glm::dot(ship.velocity, ship.pose.rotation * Vec3(0.0, 0.0, -1.0));
  const double wanted = stick * (boosting_ ? boostSpeed : cruiseSpeed);
  // The thrust that holds the speed, and what is missing
  const double needed = heavyLimits.drag * wanted + grip * (wanted - along);
  const double share = needed / heavyLimits.accelerationMax;
  // A ship that comes to rest needs no thrust
  if (stick == 0.0 && std::abs(share) < 0.002) return 0.0;
  return std::clamp(share, -most, most);
}

}  // namespace nearmiss::app::fly
