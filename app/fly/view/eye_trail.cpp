// SPDX-License-Identifier: MIT
#include "fly/view/eye_trail.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace nearmiss::app {

std::optional<Pose> EyeTrail::before(const Pose& eye, double seconds) {
  constexpr double fastest = 60.0;  // metres per second; what is faster was put elsewhere
  constexpr double leastCosine = 0.97;
  const std::optional<Pose> last = std::exchange(last_, eye);
  if (!last || !(seconds > 0.0)) return std::nullopt;
  const Vec3 moved = eye.position - last->position;
  const double cosine = std::abs(glm::dot(eye.rotation, last->rotation));
  if (glm::length(moved) > fastest * seconds || cosine < leastCosine) return std::nullopt;

  const double times = exposure / seconds;
  Pose before;
  before.position = eye.position - times * moved;
  // Beyond its ends slerp() goes on along the same turn
  before.rotation = glm::normalize(glm::slerp(eye.rotation, last->rotation, times));
  return before;
}

}  // namespace nearmiss::app
