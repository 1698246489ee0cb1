// SPDX-License-Identifier: MIT
#include "fly/view/impacts.h"

#include <engine/flight/response.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::app {
namespace {

constexpr int sparksEach = 18;
constexpr double streak = 0.03;    // seconds of its way that a spark shows
constexpr double fullSpeed = 4.0;  // m/s: beyond it no hit is brighter
const glm::vec3 hot(1.0f, 0.72f, 0.38f), cool(0.85f, 0.22f, 0.04f);

double strengthOf(const Impact& impact) noexcept {
  return std::clamp(impact.speed / fullSpeed, 0.15, 1.0);
}

}  // namespace

Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                double wallSeconds) {
  const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
  const ContactSpheres& deepest = collision.refinement.deepest;
  Impact impact{collision.a, collision.b, engine::pointBetween(deepest),
                Vec3(0.0),   0.0,         wallSeconds};
  Vec3 apart = deepest.a.centre - deepest.b.centre;
  if (glm::length(apart) < 1e-9) apart = a.pose.position - b.pose.position;
  const double length = glm::length(apart);
  impact.normal = length > 0.0 ? apart / length : Vec3(0.0, 1.0, 0.0);
  impact.speed = std::abs(glm::dot(a.velocity - b.velocity, impact.normal));
  return impact;
}

void Impacts::clear() noexcept {
  impacts_.clear();
  taken_.clear();
}

std::span<const Impact> Impacts::take(const engine::FrameOutput& output, double wallSeconds) {
  taken_.clear();
  for (const engine::Collision& collision : output.collisions)
    taken_.push_back(impactOf(output, collision, wallSeconds));
  std::erase_if(impacts_,
                [&](const Impact& impact) { return wallSeconds - impact.born > seconds; });
  for (const Impact& impact : taken_) {
    if (impacts_.size() == mostImpacts) impacts_.erase(impacts_.begin());
    impacts_.push_back(impact);
  }
  return taken_;
}

void Impacts::light(double wallSeconds, std::vector<DrawLine>& sparks,
                    std::vector<DrawLight>& marks) const {
  for (const Impact& impact : impacts_) {
    const double age = wallSeconds - impact.born;
    if (age < 0.0 || age > seconds) continue;
    const auto left = static_cast<float>(1.0 - age / seconds);
    const double strength = strengthOf(impact);
    const auto shine = static_cast<float>(strength) * left * left;
    marks.push_back({{impact.place, 0.12 + 0.22 * strength}, shine * glm::mix(cool, hot, left)});
    // The same sparks in every frame of the hit: they are drawn by its place
    SplitMix random(static_cast<std::uint64_t>(std::llround(1e6 * glm::length(impact.place))));
    for (int i = 0; i < sparksEach; ++i) {
      const Vec3 aside(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                       random.between(-1.0, 1.0));
      const Vec3 across = aside - glm::dot(aside, impact.normal) * impact.normal;
      const double along = random.between(-0.35, 0.35);
      const double pace = (0.6 + 1.6 * strength) * random.between(0.4, 1.0);
      const Vec3 velocity = pace * (across + along * impact.normal);
      // Slowed down on their way
      const double way = (1.0 - std::exp(-3.0 * age)) / 3.0;
      const Vec3 tip = impact.place + way * velocity;
      const double shown = std::min(streak, age) * std::exp(-3.0 * age) * double{left};
      const Vec3 tail = tip - shown * velocity;
      sparks.push_back({tail, tip, glm::mix(cool, hot, left)});
    }
  }
}

}  // namespace nearmiss::app
