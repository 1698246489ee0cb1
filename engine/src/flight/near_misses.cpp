// SPDX-License-Identifier: MIT
#include <engine/flight/near_misses.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flight/ship_distance.h"

namespace nearmiss::engine {
namespace {

constexpr Clock::Duration maxWork{500'000};

/// linkOf() for a ship in another pose.
Link linkIn(const BodyState& ship, const Pose& pose, std::uint32_t link) noexcept {
  if (ship.links.empty()) return {ship.shape, pose};
  return {ship.links[link].shape, composed(pose, ship.links[link].pose)};
}

}  // namespace

DistanceBounds ShipDistance::between(const BodyState& a, const Pose& poseA, const BodyState& b,
                                     const Pose& poseB, const Shapes& shapes, Real within) {
  DistanceBounds nearest;
  Real lower = std::numeric_limits<Real>::infinity();
  for (std::uint32_t i = 0; i < linkCount(a); ++i) {
    const Link partA = linkIn(a, poseA, i);
    for (std::uint32_t j = 0; j < linkCount(b); ++j) {
      const Link partB = linkIn(b, poseB, j);
      // Skip parts whose spheres are too far apart
      const Real gap = glm::distance(partA.pose.position, partB.pose.position) -
                       partA.shape.radius() - partB.shape.radius();
      if (gap > within) {
        lower = std::min(lower, gap);
        continue;
      }
      ++comparisons_;
      const TimeBudget budget(clock_, maxWork);
      query_.begin(shapes[partA.shape.index()], partA.pose, shapes[partB.shape.index()],
                   partB.pose);
      DistanceBounds bounds = query_.refineUntil(within, budget);
      if (bounds.upper <= within) bounds = query_.refine(budget);
      lower = std::min(lower, bounds.lower);
      if (bounds.upper < nearest.upper) nearest = bounds;
    }
  }
  nearest.lower = lower;
  return nearest;
}

namespace {

/// Maximum distance that is resolved, relative to the radius of the user's ship.
constexpr Real resolvedShare = 1.5 * NearMisses::nearShare;
/// Resolution of the search within a frame, relative to the limit, and maximum number of halvings.
constexpr Real accuracy = 0.01;
constexpr int maxHalvings = 6;

/// Interpolates between two rotations without trigonometric functions; even enough for a frame.
Quat between(const Quat& a, const Quat& b, Real share) noexcept {
  const Quat nearer = glm::dot(a, b) < 0.0 ? -b : b;
  return glm::normalize(a * (1.0 - share) + nearer * share);
}

Pose between(const Pose& a, const Pose& b, Real share) noexcept {
  return {a.position + share * (b.position - a.position), between(a.rotation, b.rotation, share)};
}

/// Upper bound on the angle between two rotations, radians.
Real angleAtMost(const Quat& a, const Quat& b) noexcept {
  const Real cosine = std::min(std::abs(glm::dot(a, b)), 1.0);
  return std::numbers::pi * std::sqrt(1.0 - cosine * cosine);
}

/// Minimum distance of the origin from the segment between two points.
Real minOnSegment(const Vec3& from, const Vec3& to) noexcept {
  const Vec3 along = to - from;
  const Real square = glm::dot(along, along);
  const Real share = square > 0.0 ? std::clamp(-glm::dot(from, along) / square, 0.0, 1.0) : 0.0;
  return glm::length(from + share * along);
}

}  // namespace

/// The motion of the user's ship and another ship within the frame.
struct NearMisses::Course {
  const BodyState& own;
  const BodyState& other;
  Pose ownFrom, otherFrom;
  Real begin = 0.0, end = 0.0;  ///< simulation seconds
  Real limit = 0.0;             ///< metres; smaller distances are near misses
  Real resolved = 0.0;          ///< metres; distances up to this are exact
  Real most = 0.0;              ///< maximum change of the distance within the frame, metres
  Real passed = 0.0;            ///< see NearMiss::ownSpeed; here a way within the frame, metres

  Course(const BodyState& user, const Pose& userFrom, const BodyState& ship, const Pose& shipFrom,
         Real from, Real to) noexcept
      : own(user),
        other(ship),
        ownFrom(userFrom),
        otherFrom(shipFrom),
        begin(from),
        end(to),
        limit(nearShare * user.shape.radius()),
        resolved(resolvedShare * user.shape.radius()) {
    const Vec3 flown = own.pose.position - ownFrom.position;
    const Vec3 moved = flown - (other.pose.position - otherFrom.position);
    passed = std::min(glm::length(flown), glm::length(moved));
    most = glm::length(moved) +
           own.shape.radius() * angleAtMost(ownFrom.rotation, own.pose.rotation) +
           other.shape.radius() * angleAtMost(otherFrom.rotation, other.pose.rotation);
  }

  /// Whether the bounding spheres come close enough for the distance to matter.
  [[nodiscard]] bool maybeNear() const noexcept {
    const Real apart = minOnSegment(otherFrom.position - ownFrom.position,
                                    other.pose.position - own.pose.position);
    return apart <= own.shape.radius() + other.shape.radius() + resolved;
  }
  [[nodiscard]] Real ownSpeed() const noexcept {
    return end > begin ? passed / (end - begin) : 0.0;
  }
};

NearMisses::NearMisses() : distance_(std::make_unique<ShipDistance>()) {}
NearMisses::NearMisses(const NearMisses& other)
    : distance_(std::make_unique<ShipDistance>()),
      ships_(other.ships_),
      ended_(other.ended_),
      own_(other.own_),
      time_(other.time_),
      begun_(other.begun_) {}
NearMisses& NearMisses::operator=(const NearMisses& other) { return *this = NearMisses(other); }
NearMisses::NearMisses(NearMisses&&) noexcept = default;
NearMisses& NearMisses::operator=(NearMisses&&) noexcept = default;
NearMisses::~NearMisses() = default;

std::uint64_t NearMisses::comparisons() const noexcept { return distance_->comparisons(); }

void NearMisses::clear() noexcept {
  ships_.clear();
  ended_.clear();
  begun_ = false;
}

void NearMisses::take(const FrameOutput& output, std::size_t user, const Shapes& shapes) {
  ended_.clear();
  const Real now = output.profile.simTime;
  const BodyState& own = output.bodies[user];
  // Shot bodies have no passes
  ships_.resize(output.bodies.size() - output.shots);
  noteTouches(output, user);
  for (std::size_t i = 0; i < ships_.size(); ++i) {
    if (i == user) continue;
    Watched& ship = ships_[i];
    const BodyState& other = output.bodies[i];
    // A new ship has no previous pose
    if (!begun_ || ship.key != other.key) ship = {other.key, {}, ship.touching, other.pose, {}, {}};
    ship.pass.ship = static_cast<std::uint32_t>(i);
    follow(ship, Course(own, begun_ ? own_ : own.pose, other, ship.pose, begun_ ? time_ : now, now),
           shapes);
    ship.pose = other.pose;
  }
  own_ = own.pose;
  time_ = now;
  begun_ = true;
}

void NearMisses::noteTouches(const FrameOutput& output, std::size_t user) {
  for (Watched& ship : ships_) ship.touching = false;
  for (const Touch& touch : output.touches) {
    // b is the larger index
    if (touch.bodies.b >= ships_.size()) continue;
    if (touch.bodies.a == user) ships_[touch.bodies.b].touching = true;
    if (touch.bodies.b == user) ships_[touch.bodies.a].touching = true;
  }
}

void NearMisses::follow(Watched& ship, const Course& course, const Shapes& shapes) {
  if (!course.maybeNear()) {
    if (ship.phase == Phase::Near) end(ship);
    ship.phase = Phase::Away;
    ship.lower = course.resolved;
    return;
  }
  if (ship.touching) {
    ship.phase = Phase::Over;
    ship.lower = 0.0;
    return;
  }

  // The distance now, and the minimum on the way
  const DistanceBounds now = distance_->between(course.own, course.own.pose, course.other,
                                                course.other.pose, shapes, course.resolved);
  NearMiss nearest = ship.pass;
  nearest.distance = now.upper;
  nearest.time = course.end;
  nearest.ownSpeed = course.ownSpeed();
  if (ship.phase != Phase::Over)
    searchWithin(course, shapes, 0.0, ship.lower, 1.0, now.lower, maxHalvings, nearest);
  ship.lower = now.lower;

  if (ship.phase == Phase::Away && nearest.distance <= course.limit) {
    ship.phase = Phase::Near;
    ship.pass = nearest;
  }
  if (ship.phase == Phase::Near) {
    if (nearest.distance < ship.pass.distance) ship.pass = nearest;
    if (ship.pass.distance <= 0.0)
      ship.phase = Phase::Over;  // a contact that detection missed
    else if (now.lower > ship.pass.distance + growth * course.own.shape.radius())
      end(ship);
  }
  if (ship.phase == Phase::Over && now.lower > course.limit) {
    ship.phase = Phase::Away;
  }
}

/// Recursively halves the frame where the distance may fall below the known minimum; it changes by
/// at most `most` over the frame.
void NearMisses::searchWithin(const Course& course, const Shapes& shapes, Real from, Real lowerFrom,
                              Real to, Real lowerTo, int halvings, NearMiss& nearest) {
  const Real least = 0.5 * (lowerFrom + lowerTo - course.most * (to - from));
  const Real wanted = std::min(nearest.distance, course.limit) - accuracy * course.limit;
  if (halvings == 0 || !(least < wanted)) return;
  const Real middle = 0.5 * (from + to);
  const DistanceBounds there = distance_->between(
      course.own, between(course.ownFrom, course.own.pose, middle), course.other,
      between(course.otherFrom, course.other.pose, middle), shapes, course.resolved);
  if (there.upper < nearest.distance) {
    nearest.distance = there.upper;
    nearest.time = course.begin + middle * (course.end - course.begin);
  }
  searchWithin(course, shapes, from, lowerFrom, middle, there.lower, halvings - 1, nearest);
  searchWithin(course, shapes, middle, there.lower, to, lowerTo, halvings - 1, nearest);
}

void NearMisses::end(Watched& ship) {
  ended_.push_back(ship.pass);
  ship.phase = Phase::Over;
}

Hits::Hits() : distance_(std::make_unique<ShipDistance>()) {}
Hits::Hits(const Hits& other) : distance_(std::make_unique<ShipDistance>()), hits_(other.hits_) {}
Hits& Hits::operator=(const Hits& other) { return *this = Hits(other); }
Hits::Hits(Hits&&) noexcept = default;
Hits& Hits::operator=(Hits&&) noexcept = default;
Hits::~Hits() = default;

void Hits::take(const FrameOutput& output, std::size_t user, const Shapes& shapes) {
  hits_.clear();
  for (const Collision& collision : output.collisions) {
    if (collision.a != user && collision.b != user) continue;
    if (std::max(collision.a, collision.b) >= output.bodies.size() - output.shots) continue;
    const Refinement& found = collision.refinement;
    Hit hit{collision.a == user ? collision.b : collision.a,
            collision.time,
            found.stage,
            found.level,
            found.canRefine,
            0.0};
    // Proven contacts need no check. Bounds that did not converge in time prove nothing
    if (found.verdict != Verdict::Contact) {
      const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
      const DistanceBounds bounds = distance_->between(
          a, collision.poseA, b, collision.poseB, shapes, std::numeric_limits<Real>::infinity());
      if (bounds.lower > 0.0) hit.gap = bounds.upper;
    }
    hits_.push_back(hit);
  }
}

}  // namespace nearmiss::engine
