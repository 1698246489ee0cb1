// SPDX-License-Identifier: MIT
#include "fly/view/collision_marks.h"

#include <engine/flight/depth.h>

#include <algorithm>
#include <utility>

#include "fly/view/impacts.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::size_t maxMissed = 8;

Triangle worldTriangle(const Flight& flight, const Link& link, std::uint32_t triangle) {
  Triangle corners = flight.shapes().polyhedron(link.shape.index()).mesh().corners(triangle);
  for (Vec3& corner : corners) corner = transformed(link.pose, corner);
  return corners;
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
    lastHit_[index] = {now_, glm::conjugate(pose.rotation) * (place - pose.position), mark.slot,
                       collision.refinement.verdict == Verdict::Contact};
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

bool CollisionMarks::hitProven(std::size_t index) const noexcept {
  return index < lastHit_.size() && lastHit_[index].proven;
}

Vec3 CollisionMarks::hitPlace(std::size_t index) const noexcept {
  return index < lastHit_.size() ? lastHit_[index].place : Vec3(0.0);
}

}  // namespace nearmiss::app::fly
