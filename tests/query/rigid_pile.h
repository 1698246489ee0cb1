// SPDX-License-Identifier: MIT
/// Rigid bodies that fall on a floor and on each other, held by their manifolds alone: the solver
/// of a game, by sequential impulses.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/distance.h>
#include <nearmiss/mass_properties.h>
#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

struct RigidBody {
  const Shape* shape;
  Pose pose;
  Vec3 velocity{0.0}, turning{0.0};  ///< of the centre of mass, and about it
  Real inverseMass = 0.0;            ///< 0: it stays where it is
  Vec3 centre{0.0};                  ///< of mass, body frame
  glm::dmat3 inertia{1.0};           ///< about the centre, body frame

  [[nodiscard]] Vec3 middle() const { return transformed(pose, centre); }
  [[nodiscard]] glm::dmat3 inverseInertia() const {
    if (inverseMass == 0.0) return glm::dmat3(0.0);
    const glm::dmat3 turn = glm::mat3_cast(pose.rotation);
    return turn * glm::inverse(inertia) * glm::transpose(turn);
  }
  [[nodiscard]] Real energyOfMotion() const {
    if (inverseMass == 0.0) return 0.0;
    const Vec3 seen = glm::conjugate(pose.rotation) * turning;
    return 0.5 * (glm::dot(velocity, velocity) / inverseMass + glm::dot(seen, inertia * seen));
  }
};

/// A body of density 1.
inline RigidBody solidBody(const Shape& shape, const Pose& pose) {
  RigidBody body{&shape, pose};
  const MassProperties mass = *massProperties(shape);
  body.centre = mass.centre;
  body.inertia = mass.inertia;
  body.inverseMass = 1.0 / mass.volume;
  return body;
}

/// What two bodies exchange at one point.
class PointContact {
 public:
  PointContact(RigidBody& a, RigidBody& b, const ManifoldPoint& point, Real seconds)
      : a_(&a), b_(&b) {
    constexpr Real slop = 0.005, share = 0.2, fastest = 2.0;
    const Vec3 at = 0.5 * (point.onA + point.onB);
    fromA_ = at - a.middle();
    fromB_ = at - b.middle();
    const Vec3 across = std::abs(point.normal.x) < 0.6 ? Vec3(1.0, 0.0, 0.0) : Vec3(0.0, 1.0, 0.0);
    axes_[0] = point.normal;
    axes_[1] = glm::normalize(glm::cross(point.normal, across));
    axes_[2] = glm::cross(axes_[0], axes_[1]);
    ofA_ = a.inverseInertia();
    ofB_ = b.inverseInertia();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 leverA = glm::cross(fromA_, axes_[k]), leverB = glm::cross(fromB_, axes_[k]);
      mass_[k] = 1.0 / (a.inverseMass + b.inverseMass + glm::dot(leverA, ofA_ * leverA) +
                        glm::dot(leverB, ofB_ * leverB));
    }
    wanted_ = point.depth < 0.0
                  ? point.depth / seconds
                  : std::min(share * std::max(point.depth - slop, 0.0) / seconds, fastest);
  }

  /// Begins with what it gave one step before.
  void warm(const Vec3& impulses) {
    given_ = impulses;
    for (int k = 0; k < 3; ++k) push(given_[k] * axes_[static_cast<std::size_t>(k)]);
  }

  /// Parts, and rubs with half of that.
  void solve() {
    const Real friction = 0.5 * given_[0];
    give(1, -friction, friction);
    give(2, -friction, friction);
    give(0, 0.0, std::numeric_limits<Real>::infinity());
  }

  [[nodiscard]] const Vec3& given() const { return given_; }

 private:
  void give(int k, Real least, Real most) {
    const Vec3& axis = axes_[static_cast<std::size_t>(k)];
    const Vec3 speed = a_->velocity + glm::cross(a_->turning, fromA_) - b_->velocity -
                       glm::cross(b_->turning, fromB_);
    const Real more =
        mass_[static_cast<std::size_t>(k)] * ((k == 0 ? wanted_ : 0.0) - glm::dot(speed, axis));
    const Real now = std::clamp(given_[k] + more, least, most);
    push((now - given_[k]) * axis);
    given_[k] = now;
  }
  void push(const Vec3& impulse) {
    a_->velocity += a_->inverseMass * impulse;
    a_->turning += ofA_ * glm::cross(fromA_, impulse);
    b_->velocity -= b_->inverseMass * impulse;
    b_->turning -= ofB_ * glm::cross(fromB_, impulse);
  }

  RigidBody *a_, *b_;
  glm::dmat3 ofA_{0.0}, ofB_{0.0};  ///< inverse inertia, world frame
  Vec3 fromA_{0.0}, fromB_{0.0};
  std::array<Vec3, 3> axes_{Vec3(0.0), Vec3(0.0), Vec3(0.0)};  ///< the normal first
  std::array<Real, 3> mass_{};
  Real wanted_ = 0.0;
  Vec3 given_{0.0};
};

/// Bodies, and what their contacts gave in the last step.
class RigidPile {
 public:
  static constexpr Real seconds = 1.0 / 240.0;

  std::vector<RigidBody> bodies;
  std::chrono::microseconds allowed{1'000'000};  ///< of work, for the manifold of a pair
  std::size_t asked = 0, cut = 0;                ///< manifolds, and those of which the time ran out

  /// Some steps.
  void fall(int steps) {
    for (int i = 0; i < steps; ++i)
      step([](const RigidBody&, const RigidBody&, const ManifoldPoint&) {});
  }

  /// One step; calls see(a, b, point) with each point of two bodies.
  void step(const auto& see) {
    constexpr Real gravity = 9.81;
    for (RigidBody& body : bodies)
      if (body.inverseMass > 0.0) body.velocity.y -= gravity * seconds;
    std::vector<std::pair<Name, PointContact>> contacts;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        ManifoldQuery& query = queries_[{i, j}];
        query.begin(*bodies[i].shape, bodies[i].pose, *bodies[j].shape, bodies[j].pose, {0.02, 4});
        WorkClock clock;
        const ContactManifold& found = query.refine(TimeBudget(clock, allowed));
        ++asked;
        cut += found.canRefine;
        for (const ManifoldPoint& point : found.points) {
          see(bodies[i], bodies[j], point);
          contacts.emplace_back(Name{i, j, point.id},
                                PointContact(bodies[i], bodies[j], point, seconds));
        }
      }
    for (auto& [name, contact] : contacts)
      if (const auto known = given_.find(name); known != given_.end()) contact.warm(known->second);
    for (int round = 0; round < 20; ++round)
      for (auto& entry : contacts) entry.second.solve();
    given_.clear();
    for (const auto& [name, contact] : contacts) given_[name] = contact.given();
    for (RigidBody& body : bodies) move(body);
  }

 private:
  using Name = std::array<std::uint64_t, 3>;  ///< both bodies and the point

  static void move(RigidBody& body) {
    if (body.inverseMass == 0.0) return;
    const Vec3 middle = body.middle() + seconds * body.velocity;
    const Real speed = glm::length(body.turning);
    if (speed > 0.0)
      body.pose.rotation = glm::normalize(glm::angleAxis(speed * seconds, body.turning / speed) *
                                          body.pose.rotation);
    body.pose.position = middle - body.pose.rotation * body.centre;
  }

  std::map<std::pair<std::size_t, std::size_t>, ManifoldQuery> queries_;
  std::map<Name, Vec3> given_;
};

/// Some solids above each other, about to fall on the ground, which is the first body.
inline RigidPile heapOver(const Shape& ground, const std::vector<Shape>& solids, int count,
                          Random& random) {
  RigidPile pile;
  pile.bodies.push_back({&ground, {}});
  for (int k = 0; k < count; ++k) {
    const Vec3 at(random.between(-0.3, 0.3), 1.5 + 1.9 * k, random.between(-0.3, 0.3));
    pile.bodies.push_back(solidBody(random.anyOf(solids), {at, random.rotation()}));
  }
  return pile;
}

/// Of each pair of bodies, the way that parts them at least, metres.
inline std::vector<Real> overlapsIn(const RigidPile& pile) {
  std::vector<Real> overlaps;
  for (std::size_t i = 0; i < pile.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < pile.bodies.size(); ++j) {
      const RigidBody &a = pile.bodies[i], &b = pile.bodies[j];
      overlaps.push_back(penetration(*a.shape, a.pose, *b.shape, b.pose).lower);
    }
  return overlaps;
}

}  // namespace nearmiss::test
