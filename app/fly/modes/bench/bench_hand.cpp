// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_hand.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

namespace nearmiss::app::fly {
namespace {

constexpr Real moveRate = 0.5;  // radii of the body per second
constexpr Real turnRate = 0.8;  // radians per second
constexpr Real turnPerPixel = 0.008;
constexpr double sweepSeconds = 10.0, sweepShare = 0.8;  // of the way to the other body's centre

Quat about(const Vec3& axis, Real angle) { return glm::angleAxis(angle, axis); }

Vec3 centreOf(const BenchHand::Reach& reach, std::size_t body) noexcept {
  return reach.bench.around(body, reach.poses[body]).centre;
}

}  // namespace

void BenchHand::turn(const Reach& reach, const Quat& by) const noexcept {
  Pose& pose = reach.poses[body];
  const Vec3 middle = centreOf(reach, body);
  pose.rotation = glm::normalize(by * pose.rotation);
  pose.position = middle - pose.rotation * reach.bench.around(body).centre;
}

void BenchHand::shift(const Reach& reach, const Vec3& by) const noexcept {
  Pose& pose = reach.poses[body];
  // Near bodies reach beyond the picture; only movement farther out is taken back
  const Vec3 before = reach.scene.backInside(body, pose);
  pose.position += by;
  const Vec3 after = reach.scene.backInside(body, pose);
  if (glm::length(after) > glm::length(before)) pose.position += after - before;
}

void BenchHand::grab(const Reach& reach, const glm::vec2& at) {
  sweep_.reset();
  const auto found = reach.scene.bodyAt(reach.bench, reach.poses, at);
  orbits_ = !found;
  if (found) body = *found;
}

void BenchHand::pull(const Reach& reach, const glm::vec2& by, bool other) noexcept {
  const Camera& camera = reach.scene.camera();
  const Quat& eye = camera.pose.rotation;
  const Vec3 right = eye * Vec3(1, 0, 0), up = eye * Vec3(0, 1, 0);
  if (other != turning) {
    turn(reach, about(up, turnPerPixel * by.x) * about(right, turnPerPixel * by.y));
    return;
  }
  const Real depth = -(glm::conjugate(eye) * (centreOf(reach, body) - camera.pose.position)).z;
  shift(reach, reach.scene.perPixel(depth) * (Real{by.x} * right - Real{by.y} * up));
}

void BenchHand::move(const Reach& reach, const engine::ShipControl& sticks,
                     double seconds) noexcept {
  const bool steered =
      sticks.roll != 0.0 || sticks.yaw != 0.0 || sticks.pitch != 0.0 || sticks.thrust != 0.0;
  if (steered) sweep_.reset();
  if (sweep_) {
    sweep_->passed += seconds;
    const double part = std::min(1.0, sweep_->passed / sweepSeconds);
    const double there = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * part);
    reach.poses[body].position = sweep_->from + there * sweep_->way;
    if (part >= 1.0) sweep_.reset();
  }
  if (!steered) return;
  const Quat& eye = reach.scene.camera().pose.rotation;
  const Vec3 right = eye * Vec3(1, 0, 0), up = eye * Vec3(0, 1, 0), back = eye * Vec3(0, 0, 1);
  if (sticks.roll != 0.0) turn(reach, about(back, -turnRate * seconds * sticks.roll));
  if (turning) {
    if (sticks.yaw != 0.0 || sticks.pitch != 0.0)
      turn(reach, about(up, -turnRate * seconds * sticks.yaw) *
                      about(right, -turnRate * seconds * sticks.pitch));
    return;
  }
  const Real way = moveRate * seconds * reach.bench.around(body).radius;
  shift(reach, way * (-sticks.yaw * right + sticks.pitch * up - sticks.thrust * back));
}

void BenchHand::toggleSweep(const Reach& reach) noexcept {
  if (sweep_)
    sweep_.reset();
  else
    sweep_ = Sweep{reach.poses[body].position,
                   sweepShare * (centreOf(reach, 1 - body) - centreOf(reach, body))};
}

}  // namespace nearmiss::app::fly
