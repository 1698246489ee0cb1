// SPDX-License-Identifier: MIT
#include "fly/view/collision_marks.h"

#include <engine/flight/depth.h>
#include <engine/flight/response.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr std::size_t maxMissed = 8;

Triangle worldTriangle(const Flight& flight, const Link& link, std::uint32_t triangle) {
  Triangle corners = flight.shapes().polyhedron(link.shape.index()).mesh().corners(triangle);
  for (Vec3& corner : corners) corner = transformed(link.pose, corner);
  return corners;
}

/// By the manifold, or between the deepest spheres.
Vec3 placeOf(const engine::Collision& collision) noexcept {
  return collision.contact ? collision.contact->mean.position
                           : engine::pointBetween(collision.refinement.deepest);
}

}  // namespace

void CollisionMarks::clear() noexcept {
  for (CollisionMark& mark : marks_) spare_.push_back(std::move(mark));
  marks_.clear();
  missed_.clear();
  lastHit_.clear();
  now_ = 0.0;
}

void CollisionMarks::update(const Flight& flight, double now, double lifetime) {
  const engine::FrameOutput& output = flight.output();
  now_ = now;
  lifetime_ = lifetime;
  lastHit_.resize(output.bodies.size());

  // The oldest come first; reuse their memory
  while (!marks_.empty() && now_ - marks_.front().time > lifetime) {
    spare_.push_back(std::move(marks_.front()));
    marks_.erase(marks_.begin());
  }
  std::erase_if(missed_, [&](const MissedContact& m) { return now_ - m.time > lifetime; });
  for (const engine::Collision& collision : output.collisions) take(flight, collision);
  for (const BodyPair& pair : output.missedByDriver) {
    if (missed_.size() >= maxMissed) missed_.erase(missed_.begin());
    missed_.push_back({pair.a, pair.b, now_});
  }
}

void CollisionMarks::take(const Flight& flight, const engine::Collision& collision) {
  const engine::FrameOutput& output = flight.output();
  const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
  // Two ships that stay in contact keep one mark
  CollisionMark mark;
  const auto same = std::ranges::find_if(
      marks_, [&](const CollisionMark& m) { return m.a == collision.a && m.b == collision.b; });
  const bool kept = same != marks_.end();
  if (kept) {
    mark = std::move(*same);
    marks_.erase(same);
  } else if (marks_.size() >= maxMarks) {
    mark = std::move(marks_.front());
    marks_.erase(marks_.begin());
  } else if (!spare_.empty()) {
    mark = std::move(spare_.back());
    spare_.pop_back();
  }
  // They also keep letter and colour while they touch
  if (!kept) mark.slot = freeSlot();
  const Vec3 place = placeOf(collision);
  for (const std::uint32_t index : {collision.a, collision.b}) {
    const Pose& pose = output.bodies[index].pose;
    lastHit_[index] = {now_, glm::conjugate(pose.rotation) * (place - pose.position), mark.slot};
  }

  const Refinement& found = collision.refinement;
  mark.a = collision.a;
  mark.b = collision.b;
  mark.level = engine::depthOf(found);
  mark.time = now_;
  mark.bound = found.separationBound;
  mark.radius = std::min(a.shape.radius(), b.shape.radius());
  mark.conservative = found.conservative;
  mark.deepest = found.deepest;
  mark.contacts.clear();
  mark.contact = collision.contact;
  mark.proven = found.verdict == Verdict::Contact;
  mark.hasTriangles = mark.proven && found.triangleA != Refinement::noTriangle &&
                      found.triangleB != Refinement::noTriangle;
  if (mark.hasTriangles) {
    mark.triangleA = worldTriangle(flight, linkOf(a, found.linkA), found.triangleA);
    mark.triangleB = worldTriangle(flight, linkOf(b, found.linkB), found.triangleB);
  }
  // All contact spheres are available only for the last detection of the frame
  const auto& pairs = output.detection->pairs;
  const BodyPair bodies{collision.a, collision.b};
  const auto pair = std::ranges::find(pairs, bodies, &DetectedPair::bodies);
  if (pair != pairs.end() && pair->refinement.level == found.level &&
      pair->refinement.stage == found.stage && collision.time == output.detection->time)
    flight.simulation().detector().contacts(static_cast<std::size_t>(pair - pairs.begin()),
                                            maxSpherePairs, mark.contacts);
  if (mark.contacts.empty()) mark.contacts.push_back(found.deepest);
  marks_.push_back(std::move(mark));
}

/// There are as many slots as marks.
std::size_t CollisionMarks::freeSlot() const noexcept {
  std::size_t slot = 0;
  while (std::ranges::find(marks_, slot, &CollisionMark::slot) != marks_.end()) ++slot;
  return slot;
}

float CollisionMarks::freshness(double time) const noexcept {
  // Constant for two thirds of the time, then fading
  const double age = (now_ - time) / lifetime_;
  return static_cast<float>(std::clamp((1.0 - age) * 3.0, 0.0, 1.0));
}

float CollisionMarks::glow(std::size_t index) const noexcept {
  return index < lastHit_.size() ? freshness(lastHit_[index].time) : 0.0f;
}

std::size_t CollisionMarks::hitSlot(std::size_t index) const noexcept {
  return index < lastHit_.size() ? lastHit_[index].slot : 0;
}

Vec3 CollisionMarks::hitPlace(std::size_t index) const noexcept {
  return index < lastHit_.size() ? lastHit_[index].place : Vec3(0.0);
}

namespace {

constexpr int sparksEach = 18;
constexpr double streak = 0.03;    // length of a spark as seconds of its motion
constexpr double fullSpeed = 4.0;  // maximum speed that increases the brightness, m/s
const glm::vec3 hot(1.0f, 0.72f, 0.38f), cool(0.85f, 0.22f, 0.04f);

double strengthOf(const Impact& impact) noexcept {
  return std::clamp(impact.speed / fullSpeed, 0.15, 1.0);
}

}  // namespace

Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                double wallSeconds) {
  const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
  const ContactSpheres& deepest = collision.refinement.deepest;
  Impact impact{collision.a, collision.b, placeOf(collision), Vec3(0.0), 0.0, wallSeconds};
  Vec3 apart =
      collision.contact ? collision.contact->mean.normal : deepest.a.centre - deepest.b.centre;
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
    if (impacts_.size() == maxImpacts) impacts_.erase(impacts_.begin());
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
    // Seed by the place, so that every frame draws the same sparks
    SplitMix random(static_cast<std::uint64_t>(std::llround(1e6 * glm::length(impact.place))));
    for (int i = 0; i < sparksEach; ++i) {
      const Vec3 aside(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                       random.between(-1.0, 1.0));
      const Vec3 across = aside - glm::dot(aside, impact.normal) * impact.normal;
      const double along = random.between(-0.35, 0.35);
      const double pace = (0.6 + 1.6 * strength) * random.between(0.4, 1.0);
      const Vec3 velocity = pace * (across + along * impact.normal);
      // Sparks slow down
      const double way = (1.0 - std::exp(-3.0 * age)) / 3.0;
      const Vec3 tip = impact.place + way * velocity;
      const double shown = std::min(streak, age) * std::exp(-3.0 * age) * double{left};
      const Vec3 tail = tip - shown * velocity;
      sparks.push_back({tail, tip, glm::mix(cool, hot, left)});
    }
  }
}

}  // namespace nearmiss::app::fly
