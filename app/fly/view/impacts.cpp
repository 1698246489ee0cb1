// SPDX-License-Identifier: MIT
#include "fly/view/impacts.h"

#include <engine/flight/depth.h>
#include <engine/flight/response.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "fly/overlay/palette.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

constexpr double fullSpeed = 4.0;  // maximum speed that increases the brightness, m/s
constexpr int sparksEach = 20, calmSparks = 8;
constexpr double streak = 0.09;  // length of a spark as seconds of its motion
constexpr double slowing = 3.0;  // of sparks, 1/s
constexpr int arcsEach = 4, arcSteps = 8;
constexpr float arcWidth = 1.6f, arcGlow = 6.0f;  // half, pixels
constexpr double flicker = 0.07;                  // seconds for which arcs keep their shape
const glm::vec3 hot(1.0f, 0.94f, 0.72f), cool(1.0f, 0.50f, 0.12f);
const glm::vec3 violet(0.66f, 0.48f, 1.0f), pale(0.80f, 0.90f, 1.0f);

double strengthOf(const Impact& impact) noexcept {
  return std::clamp(impact.speed / fullSpeed, 0.15, 1.0);
}

Vec3 anyDirection(SplitMix& random) {
  const Vec3 way(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
  const double length = glm::length(way);
  return length > 1e-3 ? way / length : Vec3(0.0, 1.0, 0.0);
}

/// A random direction across `axis`, a unit vector.
Vec3 anyAcross(SplitMix& random, const Vec3& axis) {
  const Vec3 way = anyDirection(random);
  const Vec3 aside = way - glm::dot(way, axis) * axis;
  const double length = glm::length(aside);
  return length > 1e-3 ? aside / length : across(axis)[0];
}

/// Seed by the place, so that every frame draws the same shapes.
std::uint64_t seedOf(const Impact& impact) noexcept {
  return static_cast<std::uint64_t>(std::llround(1e6 * glm::length(impact.place)));
}

void addSparks(const Impact& impact, double age, bool calm, std::vector<DrawLine>& lines) {
  const double left = 1.0 - age / Impacts::seconds, strength = strengthOf(impact);
  const glm::vec3 colour = glm::mix(cool, hot, static_cast<float>(left));
  SplitMix random(seedOf(impact));
  for (int i = 0; i < (calm ? calmSparks : sparksEach); ++i) {
    const auto point = static_cast<std::size_t>(i) % std::max<std::size_t>(impact.count, 1);
    const Vec3& from = impact.count > 0 ? impact.points[point] : impact.place;
    // Along the tangent plane; half of them rise to each side
    const double rise = (i % 2 == 0 ? 1.0 : -1.0) * random.between(0.05, 0.45);
    const Vec3 way = anyAcross(random, impact.normal) + rise * impact.normal;
    const double pace = (1.6 + 2.4 * strength) * random.between(0.4, 1.0);
    // Calm sparks stand still
    const double shownAge = calm ? 0.12 : age;
    const double travelled = pace * (1.0 - std::exp(-slowing * shownAge)) / slowing;
    const double shown = std::min(streak, shownAge) * pace * std::exp(-slowing * shownAge);
    lines.push_back({from + (travelled - shown) * way, from + travelled * way, colour,
                     static_cast<float>(calm ? 0.6 * left : std::min(1.0, 2.0 * left)), 2.2f});
  }
}

/// Jagged arcs over a sphere, most of them on the side of the hit.
void addArcs(const Sphere& sphere, const Vec3& towards, SplitMix& random, float alpha,
             std::vector<DrawLine>& lines) {
  for (int arc = 0; arc < arcsEach; ++arc) {
    const Vec3 start = glm::normalize(1.2 * towards + anyDirection(random) + Vec3(0.0, 1e-6, 0.0));
    const Vec3 along = anyAcross(random, start), aside = glm::cross(start, along);
    const double sweep = random.between(0.7, 1.5);
    const auto knot = [&](int step) {
      const double angle = sweep * (static_cast<double>(step) / arcSteps - 0.5);
      const bool end = step == 0 || step == arcSteps;
      const double jag = end ? 0.0 : random.between(-0.16, 0.16);
      const double height = end ? 1.0 : random.between(1.02, 1.14);
      const Vec3 way = std::cos(angle) * start + std::sin(angle) * along + jag * aside;
      return sphere.centre + height * sphere.radius * glm::normalize(way);
    };
    const glm::vec3 colour = glm::mix(violet, pale, static_cast<float>(random.unit()));
    Vec3 last = knot(0);
    for (int step = 1; step <= arcSteps; ++step) {
      const Vec3 next = knot(step);
      lines.push_back({last, next, violet, 0.45f * alpha, arcGlow});
      lines.push_back({last, next, colour, alpha, arcWidth});
      last = next;
    }
  }
}

void addCrackle(const Impact& impact, std::span<const BodyState> bodies, double age, bool calm,
                const ImpactLights& out) {
  const auto left = static_cast<float>(1.0 - age / Impacts::seconds);
  const auto shape = calm ? std::uint64_t{0} : static_cast<std::uint64_t>(age / flicker);
  SplitMix random(seedOf(impact) + 977u * shape);
  const auto draw = [&](std::size_t ship, const Sphere& own) {
    if (ship >= bodies.size() || !(own.radius > 0.0)) return;
    const Sphere sphere{transformed(bodies[ship].pose, own.centre), own.radius};
    const Vec3 way = impact.place - sphere.centre;
    const double length = glm::length(way);
    addArcs(sphere, length > 1e-9 ? way / length : Vec3(0.0), random, calm ? 0.6f * left : left,
            out.arcs);
    // A small sphere glows as a whole
    constexpr double glows = 0.7;  // metres
    if (!calm && sphere.radius < glows)
      out.lights.push_back({{sphere.centre, 1.5 * sphere.radius}, 0.35f * left * violet});
    out.spheres.push_back({sphere, srgb(levelColour(impact.level)), left, false});
  };
  draw(impact.a, impact.spheres.a);
  draw(impact.b, impact.spheres.b);
}

}  // namespace

Vec3 placeOf(const engine::Collision& collision) noexcept {
  return collision.contact ? collision.contact->mean.position
                           : engine::pointBetween(collision.refinement.deepest);
}

Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                double wallSeconds) {
  const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
  const ContactSpheres& deepest = collision.refinement.deepest;
  Impact impact;
  impact.a = collision.a;
  impact.b = collision.b;
  impact.place = placeOf(collision);
  impact.born = wallSeconds;
  Vec3 apart =
      collision.contact ? collision.contact->mean.normal : deepest.a.centre - deepest.b.centre;
  if (glm::length(apart) < 1e-9) apart = a.pose.position - b.pose.position;
  const double length = glm::length(apart);
  impact.normal = length > 0.0 ? apart / length : Vec3(0.0, 1.0, 0.0);
  impact.speed = std::abs(glm::dot(a.velocity - b.velocity, impact.normal));
  impact.level = engine::depthOf(collision.refinement);
  impact.proven = collision.refinement.verdict == Verdict::Contact;
  if (collision.contact)
    for (const ManifoldPoint& point : collision.contact->points())
      impact.points[impact.count++] = 0.5 * (point.onA + point.onB);
  const auto own = [](const Pose& pose, const Sphere& sphere) {
    return Sphere{glm::conjugate(pose.rotation) * (sphere.centre - pose.position), sphere.radius};
  };
  impact.spheres = {own(collision.poseA, deepest.a), own(collision.poseB, deepest.b)};
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
    if (impacts_.size() == maxImpacts) impacts_.erase(impacts_.begin());
    impacts_.push_back(impact);
  }
  return taken_;
}

void Impacts::light(double wallSeconds, std::span<const BodyState> bodies, bool calm,
                    const ImpactLights& out) const {
  std::size_t crackles = 0;
  for (auto each = impacts_.rbegin(); each != impacts_.rend(); ++each) {
    const Impact& impact = *each;
    const double age = wallSeconds - impact.born;
    if (age < 0.0 || age > seconds) continue;
    if (impact.proven)
      addSparks(impact, age, calm, out.lines);
    else if (++crackles <= maxCrackles)
      addCrackle(impact, bodies, age, calm, out);
    if (calm) continue;
    const auto left = static_cast<float>(1.0 - age / seconds);
    const double strength = strengthOf(impact);
    const glm::vec3 colour = impact.proven ? glm::mix(cool, hot, left) : 0.5f * violet;
    out.lights.push_back({{impact.place, 0.12 + 0.22 * strength},
                          static_cast<float>(strength) * left * left * colour});
  }
}

}  // namespace nearmiss::app::fly
