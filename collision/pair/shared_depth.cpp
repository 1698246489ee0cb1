// SPDX-License-Identifier: MIT
#include "pair/shared_depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// The cost of both depths of a point, in bound tests.
constexpr std::uint64_t depthPrice = 400;

/// Returns a unit vector; `otherwise` if there is none.
Vec3 directionOf(const Vec3& vector, const Vec3& otherwise) noexcept {
  const Real length = glm::length(vector);
  return length > 0.05 ? vector / length : otherwise;
}

}  // namespace

Real depthIn(const Polyhedron& polyhedron, const Vec3& point) {
  const Real distance = polyhedron.nearest(point).distance;
  return polyhedron.contains(point) ? distance : -distance;
}

SharedDepth::SharedDepth(const Polyhedron& a, const InnerBalls& ballsA, const Polyhedron& b,
                         const InnerBalls& ballsB, const Pose& bToA)
    : a_(&a),
      b_(&b),
      ballsA_(&ballsA),
      ballsB_(&ballsB),
      bToA_(bToA),
      toB_(glm::conjugate(bToA.rotation)),
      slack_(slackOf(a, b, bToA)) {}

std::uint64_t SharedDepth::takeWork() noexcept { return std::exchange(work_, 0); }

/// Returns the sum of both depths. Half of a ball with that radius lies in each body, or the ball
/// in one body is so large that a point of the other stays inside it.
Real SharedDepth::value(const Vec3& point, const Vec3& translation) {
  work_ += depthPrice;
  const Real inA = depthIn(*a_, point);
  const Real inB = depthIn(*b_, toB_ * (point - translation - bToA_.position));
  return inA + inB - slack_;
}

void SharedDepth::improve(ContactBall& best, const Vec3& point) {
  const Real depth = value(point, best.translation);
  if (depth > best.radius) {
    best.radius = depth;
    best.point = point;
  }
}

ContactBall SharedDepth::with(const Vec3& translation, const Vec3& point) {
  ContactBall ball;
  ball.translation = translation;
  improve(ball, point);
  return ball;
}

void SharedDepth::beginQuick(const Vec3& translation, const ContactBall& near, Real enough) {
  best_ = {};
  best_.translation = translation;
  enough_ = enough;
  if (std::isfinite(near.radius)) {
    // Its earlier positions in a and in b
    const Vec3 moved = translation - near.translation;
    for (const Real share : {0.5, 0.0, 1.0}) {
      improve(best_, near.point + share * moved);
      if (best_.radius >= enough) return;
    }
  }
  Pose pose = bToA_;
  pose.position += translation;
  pair_.begin(*ballsA_, *ballsB_, pose, best_.radius);
}

bool SharedDepth::stepQuick() {
  if (best_.radius >= enough_) return false;
  if (pair_.step(work_)) return true;
  tryLens();
  return false;
}

/// Tries the centre of the lens, or of the gap, between the two deepest balls.
void SharedDepth::tryLens() {
  const BallPair& pair = pair_.best();
  if (!(pair.overlap > best_.radius)) return;
  const Vec3 between = pair.b.centre - pair.a.centre;
  const Real away = glm::length(between);
  const Real lens = std::min(std::max(pair.a.radius - 0.5 * pair.overlap, 0.0), away);
  const Vec3 middle = away > 0.0 ? pair.a.centre + between * (lens / away) : pair.a.centre;
  for (const Vec3& point : {middle, pair.a.centre, pair.b.centre}) {
    improve(best_, point);
    if (best_.radius >= enough_) return;
  }
}

ContactBall SharedDepth::quick(const Vec3& translation, const ContactBall& near, Real enough) {
  beginQuick(translation, near, enough);
  while (stepQuick()) {
  }
  return best_;
}

/// Returns the direction of steepest increase of a point's depth, frame of the body; zero if
/// unknown.
Vec3 SharedDepth::uphill(const Polyhedron& body, const Vec3& point) {
  work_ += depthPrice / 2;
  const SurfacePoint nearest = body.nearest(point);
  const Vec3 away = point - nearest.position;
  if (nearest.distance > slack_)
    return (body.contains(point) ? 1.0 : -1.0) * away / nearest.distance;
  const Vec3 normal = normalOf(body.mesh().corners(nearest.triangle));
  const Real length = glm::length(normal);
  return body.report().solid() && length > 0.0 ? -normal / length : Vec3(0.0);
}

Vec3 SharedDepth::wayOut(const ContactBall& at) {
  const Vec3 inB = toB_ * (at.point - at.translation - bToA_.position);
  const Vec3 ofA = uphill(*a_, at.point);
  return directionOf(bToA_.rotation * uphill(*b_, inB) - ofA, -ofA);
}

DepthClimb SharedDepth::climbFrom(const ContactBall& from, Real enough) noexcept {
  const Real scale = std::max(std::abs(from.radius), enough);
  return {from, enough, scale, 0.5 * scale};
}

bool SharedDepth::climb(DepthClimb& on) {
  constexpr int maxSteps = 24;
  constexpr Real goldenAngle = 2.399963229728653;
  ContactBall& best = on.best;
  if (on.steps >= maxSteps || !(best.radius < on.enough) || !(on.step > 0.02 * on.scale))
    return false;
  const Vec3 inB = toB_ * (best.point - best.translation - bToA_.position);
  const Vec3 ofA = uphill(*a_, best.point), ofB = bToA_.rotation * uphill(*b_, inB);
  // On a ridge the steepest directions alternate between its sides, and their mean runs along it
  on.mean = 0.5 * on.mean + ofA + ofB;
  const Vec3 main = directionOf(ofA + ofB, directionOf(ofA, Vec3(1.0, 0.0, 0.0)));
  const Vec3 thin = std::abs(main.x) < 0.6 ? Vec3(1.0, 0.0, 0.0) : Vec3(0.0, 1.0, 0.0);
  const Vec3 across = glm::normalize(glm::cross(main, thin));
  const Real angle = goldenAngle * on.steps++;
  const Vec3 second = std::cos(angle) * across + std::sin(angle) * glm::cross(main, across);
  const Vec3 third = glm::cross(main, second);
  const Real before = best.radius;
  const Vec3 start = best.point;
  for (const Vec3& way :
       {main, directionOf(on.mean, main), second, -second, third, -third, -main}) {
    improve(best, start + on.step * way);
    if (best.radius > before + 0.2 * on.step) break;
  }
  on.step *= best.radius > before ? 1.3 : 0.4;
  return true;
}

ContactBall SharedDepth::climbed(const ContactBall& from, Real enough) {
  DepthClimb on = climbFrom(from, enough);
  while (climb(on)) {
  }
  return on.best;
}

}  // namespace nearmiss
