// SPDX-License-Identifier: MIT
/// Rigid bodies that fall on a floor and on each other, held by their manifolds alone: the solver
/// of a game, by sequential impulses.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <map>
#include <utility>
#include <vector>

#include "contact/rigid_body.h"
#include "support/bounded_penetration.h"
#include "support/random.h"

namespace nearmiss::test {

/// Bodies, and what their contacts gave in the last step.
class RigidPile {
 public:
  /// Called with each manifold of two bodies and the time that it took.
  using Watch = std::function<void(std::size_t, std::size_t, const ContactManifold&,
                                   std::chrono::nanoseconds)>;
  /// Gives the manifold of two bodies, instead of a query.
  using Source = std::function<const ContactManifold&(std::size_t, std::size_t)>;

  std::vector<RigidBody> bodies;
  SolverSettings settings;
  std::chrono::microseconds allowed{1'000'000};  ///< for the manifold of a pair
  Clock* clock = nullptr;                        ///< of what is allowed; null: counted work
  Clock* watchClock = nullptr;                   ///< of the times that are told to `watch`
  Watch watch;
  Source source;
  std::size_t asked = 0, cut = 0;  ///< manifolds, and those of which the time ran out

  /// Some steps.
  void fall(int steps) {
    for (int i = 0; i < steps; ++i)
      step([](const RigidBody&, const RigidBody&, const ManifoldPoint&) {});
  }

  /// One step; calls see(a, b, point) with each point of two bodies.
  void step(const auto& see) {
    constexpr Real gravity = 9.81;
    for (RigidBody& body : bodies) {
      if (body.inverseMass > 0.0) body.velocity.y -= gravity * settings.seconds;
      body.turned();
    }
    contacts_.clear();
    placeBoxes();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        if (!overlap(boxes_[i], boxes_[j])) continue;
        for (const ManifoldPoint& point : manifoldOf(i, j).points) {
          see(bodies[i], bodies[j], point);
          contacts_.emplace_back(Name{i, j, point.id},
                                 PointContact(bodies[i], bodies[j], point, settings));
        }
      }
    for (auto& [name, contact] : contacts_)
      if (const auto known = given_.find(name); known != given_.end()) contact.warm(known->second);
    for (int round = 0; round < settings.rounds; ++round)
      for (auto& entry : contacts_) entry.second.solve();
    given_.clear();
    for (const auto& [name, contact] : contacts_) given_[name] = contact.given();
    for (RigidBody& body : bodies) move(body);
  }

  /// The query of a pair, which remembers the last manifold.
  [[nodiscard]] ManifoldQuery& queryOf(std::size_t i, std::size_t j) { return queries_[{i, j}]; }

  [[nodiscard]] Real energyOfMotion() const {
    Real sum = 0.0;
    for (const RigidBody& body : bodies) sum += body.energyOfMotion();
    return sum;
  }

 private:
  using Name = std::array<std::uint64_t, 3>;  ///< both bodies and the point

  /// Boxes around the bodies and half of the margin.
  void placeBoxes() {
    boxes_.clear();
    for (const RigidBody& body : bodies) {
      const Box own = body.shape->polyhedron().bounds();
      const glm::dmat3 turn = glm::mat3_cast(body.pose.rotation);
      Vec3 half(0.5 * settings.manifold.margin + 1e-9);
      for (int axis = 0; axis < 3; ++axis) half += 0.5 * own.extent()[axis] * glm::abs(turn[axis]);
      const Vec3 middle = transformed(body.pose, own.centre());
      boxes_.push_back({middle - half, middle + half});
    }
  }

  const ContactManifold& manifoldOf(std::size_t i, std::size_t j) {
    if (source) return source(i, j);
    const RigidBody &a = bodies[i], &b = bodies[j];
    ManifoldQuery& query = queryOf(i, j);
    WorkClock work;
    const auto began = watchClock ? watchClock->now() : Clock::Duration{};
    query.begin(*a.shape, a.pose, *b.shape, b.pose, settings.manifold);
    const ContactManifold& found = query.refine(TimeBudget(clock ? *clock : work, allowed));
    ++asked;
    cut += found.canRefine;
    if (watch) watch(i, j, found, watchClock ? watchClock->now() - began : Clock::Duration{});
    return found;
  }

  void move(RigidBody& body) const {
    if (body.inverseMass == 0.0) return;
    const Vec3 middle = body.middle() + settings.seconds * body.velocity;
    const Real speed = glm::length(body.turning);
    if (speed > 0.0)
      body.pose.rotation = glm::normalize(
          glm::angleAxis(speed * settings.seconds, body.turning / speed) * body.pose.rotation);
    body.pose.position = middle - body.pose.rotation * body.centre;
  }

  std::map<std::pair<std::size_t, std::size_t>, ManifoldQuery> queries_;
  std::map<Name, Vec3> given_;
  std::vector<std::pair<Name, PointContact>> contacts_;
  std::vector<Box> boxes_;
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
      overlaps.push_back(test::boundedPenetration(*a.shape, a.pose, *b.shape, b.pose).lower);
    }
  return overlaps;
}

}  // namespace nearmiss::test
