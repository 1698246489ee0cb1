// SPDX-License-Identifier: MIT
#include "builders/meeting_measure.h"

#include <algorithm>
#include <cmath>

#include "spheres/seeded_random.h"

namespace nearmiss {
namespace {

/// Even among all rotations: a point of the ball in four dimensions, brought to its surface.
Quat randomTurn(SeededRandom& random) noexcept {
  for (;;) {
    const Real w = 2.0 * random.unit() - 1.0, x = 2.0 * random.unit() - 1.0;
    const Real y = 2.0 * random.unit() - 1.0, z = 2.0 * random.unit() - 1.0;
    const Real square = w * w + x * x + y * y + z * z;
    if (square < 0.01 || square > 1.0) continue;
    const Real scale = 1.0 / std::sqrt(square);
    return Quat(scale * w, scale * x, scale * y, scale * z);
  }
}

Vec3 randomDirection(SeededRandom& random) noexcept {
  for (;;) {
    const Vec3 at = random.inBall();
    const Real length = glm::length(at);
    if (length > 0.1) return at / length;
  }
}

}  // namespace

MeetingMeasure::MeetingMeasure(const Sphere& bound, std::size_t ways) : bound_(bound) {
  SeededRandom random(1);
  for (std::size_t i = 0; i < ways; ++i) {
    const Quat turn = randomTurn(random);
    ways_.push_back({turn, randomDirection(random)});
  }
}

Real MeetingMeasure::meanDistance(std::span<const Sphere> balls) const {
  Real sum = 0.0;
  std::vector<Vec3> turned(balls.size());
  for (const Way& way : ways_) {
    for (std::size_t i = 0; i < balls.size(); ++i)
      turned[i] = way.turn * (balls[i].centre - bound_.centre);
    // Coming from afar, the first pair of balls to touch decides
    Real first = 0.0;
    for (const Sphere& own : balls)
      for (std::size_t i = 0; i < balls.size(); ++i) {
        const Vec3 offset = turned[i] - (own.centre - bound_.centre);
        const Real reach = own.radius + balls[i].radius;
        const Real along = glm::dot(offset, way.from);
        const Real square = along * along - glm::dot(offset, offset) + reach * reach;
        if (square >= 0.0) first = std::max(first, std::sqrt(square) - along);
      }
    sum += first;
  }
  return sum / (static_cast<Real>(ways_.size()) * bound_.radius);
}

}  // namespace nearmiss
