// SPDX-License-Identifier: MIT
#include "fly/tour/tour.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app {
namespace {

constexpr double easeSeconds = 1.8;

}  // namespace

bool Tour::next(const Camera& from) noexcept {
  if (at_ + 1 >= tourStops().size()) return false;
  ++at_;
  passed_ = 0.0;
  beats_ = 0;
  held_ = false;
  last_ = from;
  collisions_ = {};
  detection_ = {};
  allowed_ = mostAllowed_ = 0.0;
  return true;
}

std::optional<Action> Tour::pass(double seconds) noexcept {
  passed_ += seconds;
  const TourBeat& beat = stop().beat;
  // Whoever tries keys is not disturbed by others
  if (held_ || beats_ >= beat.times || passed_ < beat.first + beats_ * beat.every)
    return std::nullopt;
  ++beats_;
  return beat.key;
}

Camera Tour::eased(const Camera& wanted) const noexcept {
  const double part = std::clamp(passed_ / easeSeconds, 0.0, 1.0);
  const double smooth = part * part * (3.0 - 2.0 * part);
  Camera camera = wanted;
  camera.pose.position = glm::mix(last_.pose.position, wanted.pose.position, smooth);
  camera.pose.rotation = glm::slerp(last_.pose.rotation, wanted.pose.rotation, smooth);
  return camera;
}

}  // namespace nearmiss::app
