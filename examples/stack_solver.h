// SPDX-License-Identifier: MIT
/// A solver of rigid bodies: sequential impulses, warm started by the ids of contact points.
#pragma once

#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

using namespace nearmiss;

struct Body {
  Shape shape;  ///< its origin is the centre of mass
  Pose pose;
  Real perMass = 0.0;          ///< 1/kg; 0: the body does not move
  glm::dmat3 perInertia{0.0};  ///< body frame
  Vec3 velocity{0.0}, spin{0.0};
};

struct Contact {
  Body *a, *b;
  Vec3 armA, armB;
  std::array<Vec3, 3> axes;       ///< the normal, and two directions of friction
  std::array<Real, 3>* impulses;  ///< along the axes, kept from step to step
  Real wanted;                    ///< speed of parting, m/s
};

class Solver {
 public:
  static constexpr Real dt = 1.0 / 240.0, friction = 0.5, slop = 0.003, baumgarte = 0.2;
  static constexpr ManifoldSettings settings{.margin = 0.01, .maxPoints = 4};

  std::vector<Body> bodies;

  void step() {
    for (Body& body : bodies)
      if (body.perMass > 0.0) body.velocity.z -= 9.81 * dt;
    contacts_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j)
        if (near(bodies[i], bodies[j])) collect(bodies[i], bodies[j], pairs_[{i, j}]);
    for (const Contact& c : contacts_)
      for (std::size_t k = 0; k < 3; ++k) push(c, (*c.impulses)[k] * c.axes[k]);
    for (int round = 0; round < 15; ++round)
      for (const Contact& c : contacts_)
        for (const std::size_t k : {1, 2, 0}) solve(c, k);
    for (Body& body : bodies) {
      body.pose.position += dt * body.velocity;
      body.pose.rotation =
          glm::normalize(body.pose.rotation + Quat(0.0, 0.5 * dt * body.spin) * body.pose.rotation);
    }
  }

 private:
  /// One query for each pair, which keeps its features, and the impulses of its points.
  struct Pair {
    ManifoldQuery query;
    std::map<std::uint64_t, std::array<Real, 3>> impulses;
  };

  static bool near(const Body& a, const Body& b) {
    const Real reach = a.shape.radius() + b.shape.radius() + settings.margin;
    return glm::distance(a.pose.position, b.pose.position) <= reach;
  }
  void collect(Body& a, Body& b, Pair& pair) {
    pair.query.begin(a.shape, a.pose, b.shape, b.pose, settings);
    std::map<std::uint64_t, std::array<Real, 3>> now;
    for (const ManifoldPoint& p : pair.query.refine().points) {
      const auto kept = pair.impulses.find(p.id);
      now[p.id] = kept == pair.impulses.end() ? std::array<Real, 3>{} : kept->second;
      const Vec3 across = std::abs(p.normal.x) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
      const Vec3 side = glm::normalize(glm::cross(p.normal, across));
      const Vec3 at = 0.5 * (p.onA + p.onB);
      // A gap may close within the step; of an overlap beyond the slop a fifth is taken away
      const Real overlap = baumgarte * std::max(p.depth - slop, 0.0);
      contacts_.push_back({&a,
                           &b,
                           at - a.pose.position,
                           at - b.pose.position,
                           {p.normal, side, glm::cross(p.normal, side)},
                           &now[p.id],
                           (p.depth < 0.0 ? p.depth : overlap) / dt});
    }
    pair.impulses.swap(now);  // does not move what the contacts point to
  }
  static Vec3 perTurn(const Body& body, const Vec3& moment) {
    const glm::dmat3 turn = glm::mat3_cast(body.pose.rotation);
    return turn * (body.perInertia * (glm::transpose(turn) * moment));
  }
  static void push(const Contact& c, const Vec3& impulse) {
    c.a->velocity += c.a->perMass * impulse;
    c.a->spin += perTurn(*c.a, glm::cross(c.armA, impulse));
    c.b->velocity -= c.b->perMass * impulse;
    c.b->spin -= perTurn(*c.b, glm::cross(c.armB, impulse));
  }
  static void solve(const Contact& c, std::size_t k) {
    const Vec3 axis = c.axes[k];
    const Vec3 leverA = glm::cross(c.armA, axis), leverB = glm::cross(c.armB, axis);
    const Real speed = glm::dot(c.a->velocity - c.b->velocity, axis) + glm::dot(c.a->spin, leverA) -
                       glm::dot(c.b->spin, leverB);
    const Real perMass = c.a->perMass + c.b->perMass + glm::dot(perTurn(*c.a, leverA), leverA) +
                         glm::dot(perTurn(*c.b, leverB), leverB);
    Real& impulse = (*c.impulses)[k];
    const Real before = impulse, most = friction * (*c.impulses)[0];
    impulse += ((k == 0 ? c.wanted : 0.0) - speed) / perMass;
    impulse = k == 0 ? std::max(impulse, 0.0) : std::clamp(impulse, -most, most);
    push(c, (impulse - before) * axis);
  }

  std::map<std::array<std::size_t, 2>, Pair> pairs_;
  std::vector<Contact> contacts_;
};
