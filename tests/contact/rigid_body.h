// SPDX-License-Identifier: MIT
/// Rigid bodies, and the impulses that two of them exchange at a point of their manifold.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>

namespace nearmiss::test {

/// Velocities of a body that moves, or stays where it is.
struct RigidBody {
  const Shape* shape;
  Pose pose;
  Vec3 velocity{0.0}, turning{0.0};  ///< of the centre of mass, and about it
  Real inverseMass = 0.0;            ///< 0: it stays where it is
  Vec3 centre{0.0};                  ///< of mass, body frame
  glm::dmat3 inertia{1.0};           ///< about the centre, body frame
  glm::dmat3 inverseInertia{0.0};    ///< world frame, of the last call of turned()

  [[nodiscard]] Vec3 middle() const { return transformed(pose, centre); }
  /// Updates what depends on the rotation.
  void turned() {
    if (inverseMass == 0.0) return;
    const glm::dmat3 turn = glm::mat3_cast(pose.rotation);
    inverseInertia = turn * glm::inverse(inertia) * glm::transpose(turn);
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
  const TriangleMesh& mesh = shape.polyhedron().mesh();
  Real volume = 0.0;
  glm::dmat3 spread(0.0);
  const glm::dmat3 ofCorners = glm::dmat3(2, 1, 1, 1, 2, 1, 1, 1, 2) / 120.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle corners = mesh.corners(t);
    const glm::dmat3 cone(corners[0], corners[1], corners[2]);
    const Real sixfold = glm::determinant(cone);
    volume += sixfold / 6.0;
    body.centre += sixfold / 24.0 * (corners[0] + corners[1] + corners[2]);
    spread += sixfold * (cone * ofCorners * glm::transpose(cone));
  }
  body.centre /= volume;
  spread -= volume * glm::outerProduct(body.centre, body.centre);
  body.inertia = (spread[0][0] + spread[1][1] + spread[2][2]) * glm::dmat3(1.0) - spread;
  body.inverseMass = 1.0 / volume;
  return body;
}

/// A body of the mass of its surface, of density 1: for surfaces without an inside.
inline RigidBody shellBody(const Shape& shape, const Pose& pose) {
  RigidBody body{&shape, pose};
  const TriangleMesh& mesh = shape.polyhedron().mesh();
  Real mass = 0.0;
  glm::dmat3 spread(0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle c = mesh.corners(t);
    const Real area = 0.5 * glm::length(glm::cross(c[1] - c[0], c[2] - c[0]));
    const Vec3 sum = c[0] + c[1] + c[2];
    mass += area;
    body.centre += area / 3.0 * sum;
    spread += area / 12.0 * glm::outerProduct(sum, sum);
    for (const Vec3& corner : c) spread += area / 12.0 * glm::outerProduct(corner, corner);
  }
  body.centre /= mass;
  spread -= mass * glm::outerProduct(body.centre, body.centre);
  body.inertia = (spread[0][0] + spread[1][1] + spread[2][2]) * glm::dmat3(1.0) - spread;
  body.inverseMass = 1.0 / mass;
  return body;
}

/// The same body with another mass.
inline RigidBody ofMass(RigidBody body, Real mass) {
  body.inertia *= mass * body.inverseMass;
  body.inverseMass = 1.0 / mass;
  return body;
}

struct SolverSettings {
  Real seconds = 1.0 / 240.0;  ///< of a step
  int rounds = 20;
  Real friction = 0.5;
  Real share = 0.2;    ///< of the overlap beyond the slop that a step takes away
  Real slop = 0.005;   ///< metres of overlap that stay
  Real fastest = 2.0;  ///< metres per second at which an overlap is parted
  ManifoldSettings manifold{0.02, 4};
};

/// What two bodies exchange at one point.
class PointContact {
 public:
  PointContact(RigidBody& a, RigidBody& b, const ManifoldPoint& point,
               const SolverSettings& settings)
      : a_(&a), b_(&b), rub_(settings.friction) {
    const Vec3 at = 0.5 * (point.onA + point.onB);
    fromA_ = at - a.middle();
    fromB_ = at - b.middle();
    const Vec3 across = std::abs(point.normal.x) < 0.6 ? Vec3(1.0, 0.0, 0.0) : Vec3(0.0, 1.0, 0.0);
    axes_[0] = point.normal;
    axes_[1] = glm::normalize(glm::cross(point.normal, across));
    axes_[2] = glm::cross(axes_[0], axes_[1]);
    ofA_ = a.inverseInertia;
    ofB_ = b.inverseInertia;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 leverA = glm::cross(fromA_, axes_[k]), leverB = glm::cross(fromB_, axes_[k]);
      mass_[k] = 1.0 / (a.inverseMass + b.inverseMass + glm::dot(leverA, ofA_ * leverA) +
                        glm::dot(leverB, ofB_ * leverB));
    }
    const Real away = settings.share * std::max(point.depth - settings.slop, 0.0);
    wanted_ = point.depth < 0.0 ? point.depth / settings.seconds
                                : std::min(away / settings.seconds, settings.fastest);
  }

  /// Begins with what it gave one step before.
  void warm(const Vec3& impulses) {
    given_ = impulses;
    for (int k = 0; k < 3; ++k) push(given_[k] * axes_[static_cast<std::size_t>(k)]);
  }

  /// Parts, and rubs with a share of that.
  void solve() {
    const Real friction = rub_ * given_[0];
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
  Real wanted_ = 0.0;  ///< speed of parting
  Real rub_ = 0.0;     ///< coefficient of friction
  Vec3 given_{0.0};
};

}  // namespace nearmiss::test
