// SPDX-License-Identifier: MIT
/// Guarantees of single steps of the integration: their local error, and that together they make a
/// path within the acceleration bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/hard_flights.h"
#include "flight/ship_motion.h"
#include "support/campaign.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using test::HornCase;
using test::magnitude;
using test::randomCase;
using test::randomStick;

/// Metres, m/s and half radians: what NR calls the desired accuracy.
constexpr Real epsilon = 1e-6;

/// Position, velocity and rotation (x, y, z, w) of a ship, in extended precision.
struct FineState {
  std::array<long double, 10> x{};
};

/// The equation of motion, written independently.
struct FineEquation {
  long double thrust, drag, radius, rim, push;
  std::array<long double, 3> turning;

  FineEquation(const ShipControl& control, const ShipLimits& limits, const Arena& arena)
      : thrust(control.thrust *
               (control.thrust > 0.0 ? limits.accelerationMax : limits.reverseMax)),
        drag(limits.drag),
        radius(arena.radius),
        rim(arena.rim),
        push(arena.pushMax),
        turning{limits.turnMax * control.pitch, limits.turnMax * control.yaw,
                -limits.turnMax * control.roll} {}

  FineState rate(const FineState& s) const {
    const auto& [px, py, pz, vx, vy, vz, qx, qy, qz, qw] = s.x;
    const long double unit = 1.0L / (qx * qx + qy * qy + qz * qz + qw * qw);
    // The third column of the rotation, turned round: forward is -z
    const std::array<long double, 3> nose{-2.0L * (qx * qz + qw * qy) * unit,
                                          -2.0L * (qy * qz - qw * qx) * unit,
                                          -(1.0L - 2.0L * (qx * qx + qy * qy) * unit)};
    const long double away = std::sqrt(px * px + py * py + pz * pz);
    long double pull = 0.0L;
    if (away > radius)
      pull = push * std::min(1.0L, rim > 0.0L ? (away - radius) / rim : 1.0L) / away;
    const auto [wx, wy, wz] = turning;
    return {{vx, vy, vz, thrust * nose[0] - drag * vx - pull * px,
             thrust * nose[1] - drag * vy - pull * py, thrust * nose[2] - drag * vz - pull * pz,
             0.5L * (qw * wx + qy * wz - qz * wy), 0.5L * (qw * wy + qz * wx - qx * wz),
             0.5L * (qw * wz + qx * wy - qy * wx), -0.5L * (qx * wx + qy * wy + qz * wz)}};
  }

  /// The classical fourth-order method with `count` equal steps over `h` seconds.
  FineState after(FineState s, long double h, int count) const {
    const auto plus = [](const FineState& a, const FineState& b, long double by) {
      FineState sum = a;
      for (std::size_t i = 0; i < sum.x.size(); ++i) sum.x[i] += by * b.x[i];
      return sum;
    };
    const long double d = h / count;
    for (int i = 0; i < count; ++i) {
      const FineState k1 = rate(s), k2 = rate(plus(s, k1, d / 2)), k3 = rate(plus(s, k2, d / 2));
      const FineState k4 = rate(plus(s, k3, d));
      s = plus(plus(plus(plus(s, k1, d / 6), k2, d / 3), k3, d / 3), k4, d / 6);
    }
    return s;
  }
};

FineState fine(const MotionState& s) {
  return {{s.position.x, s.position.y, s.position.z, s.velocity.x, s.velocity.y, s.velocity.z,
           s.rotation.x, s.rotation.y, s.rotation.z, s.rotation.w}};
}

/// The largest of the distances of position, velocity and rotation.
Real distance(const FineState& a, const FineState& b) {
  long double largest = 0.0L;
  for (const auto& [from, to] : {std::pair{0u, 3u}, {3u, 6u}, {6u, 10u}}) {
    long double sum = 0.0L;
    for (std::size_t i = from; i < to; ++i) sum += (a.x[i] - b.x[i]) * (a.x[i] - b.x[i]);
    largest = std::max(largest, std::sqrt(sum));
  }
  return static_cast<Real>(largest);
}

struct Flown {
  HornCase c;
  ShipControl control;
  std::vector<MotionPiece> pieces;
};

/// A ship whose sticks are held for a while. Pieces come in twos, the halves of a step.
Flown fly(Random& random, const HornCase& c) {
  Flown flown{c, {}, {}};
  const Real thrust = randomStick(random), pitch = randomStick(random), yaw = randomStick(random);
  flown.control = {thrust, pitch, yaw, randomStick(random)};
  const MotionState start{c.def.pose.position, c.def.velocity, random.rotation()};
  Real step = longestStep;
  integrate(start, flown.control, c.def.limits, c.arena, 0.5, step, flown.pieces);
  return flown;
}

/// Which slope of the arena's push is in force: 0 inside, 1 in the rim, 2 beyond.
int zoneOf(const MotionState& state, const Arena& arena) {
  const Real away = glm::length(state.position);
  return (away > arena.radius) + (away > arena.radius + arena.rim);
}

TEST(LocalError, OfEveryAcceptedStepIsWithinTheTolerance) {
  Random random(20260104);
  Real worst = 0.0;
  int steps = 0, close = 0;
  for (int i = 0; i < nearmiss::test::cases(250); ++i) {
    HornCase c = randomCase(random);
    // A rim with a slope, and turns slow enough for steps above the shortest
    c.arena.rim = random.between(1.0, 3.0);
    c.def.limits.turnMax = magnitude(random, 0.1, 6.0);
    c.def.limits.drag = std::min(c.def.limits.drag, 10.0);
    const Flown flown = fly(random, c);
    const FineEquation equation(flown.control, c.def.limits, c.arena);
    for (std::size_t k = 0; k + 2 < flown.pieces.size(); k += 2) {
      const MotionPiece &begin = flown.pieces[k], &end = flown.pieces[k + 2];
      const Real h = end.from - begin.from;
      // Where the push begins or ends its slope jumps, and no comparison of two steps sees that
      if (zoneOf(begin.start, c.arena) != zoneOf(end.start, c.arena)) continue;
      const Real error = distance(equation.after(fine(begin.start), h, 40), fine(end.start));
      ASSERT_LE(error, epsilon) << "flight " << i << ", step of " << h << " s";
      worst = std::max(worst, error);
      close += error > epsilon / 20.0;
      ++steps;
    }
  }
  EXPECT_GT(steps, 2000);
  EXPECT_GT(close, 200) << "steps are longer than they could be, or the oracle sees nothing";
  EXPECT_GT(worst, epsilon / 5.0);
}

TEST(LocalError, TheOracleKnowsACircle) {
  // Thrust across a velocity that turns as fast as the nose
  const ShipLimits limits{.accelerationMax = 0.3, .reverseMax = 0.1, .turnMax = 0.5, .drag = 0.0};
  const FineEquation equation({.thrust = 1.0, .yaw = 1.0}, limits, Arena{1e6, 1.0, 0.0});
  const MotionState start{Vec3(0.0), Vec3(0.6, 0.0, 0.0), Quat(1.0, 0.0, 0.0, 0.0)};
  const FineState end = equation.after(fine(start), 2.0L, 40);
  EXPECT_NEAR(static_cast<double>(end.x[0]), 1.2 * std::sin(1.0), 1e-8);
  EXPECT_NEAR(static_cast<double>(end.x[2]), 1.2 * (std::cos(1.0) - 1.0), 1e-8);
  EXPECT_NEAR(static_cast<double>(end.x[7]), std::sin(0.5), 1e-8);
}

/// The path has no jumps, and no piece accelerates more than was promised: what extrapolation from
/// two solutions would break, and the horn rests on.
TEST(LocalError, PiecesJoinAndKeepToThePromise) {
  Random random(20260105);
  std::size_t joints = 0, hard = 0;
  for (int i = 0; i < nearmiss::test::cases(1000); ++i) {
    HornCase c = randomCase(random);
    if (i % 2 == 0) {
      // Nothing but thrust, at home: every piece has all of the promised acceleration
      c.arena = {1e6, 1.0, 0.0};
      c.def.limits.drag = 0.0;
    }
    const Flown flown = fly(random, c);
    const MotionPromise promise =
        motionPromise(flown.pieces.front().start, &flown.control, c.def.limits, c.arena);
    for (std::size_t k = 0; k + 1 < flown.pieces.size(); ++k) {
      const MotionPiece &piece = flown.pieces[k], &next = flown.pieces[k + 1];
      // Beyond its end nothing is promised
      if (next.from > boundHorizon(c.def.limits)) break;
      const Real h = next.from - piece.from;
      ASSERT_GE(h, 0.0);
      const Vec3 velocity = piece.start.velocity + h * piece.acceleration;
      const Vec3 position =
          piece.start.position + h * (piece.start.velocity + 0.5 * h * piece.acceleration);
      ASSERT_LE(glm::distance(velocity, next.start.velocity),
                1e-13 * (1.0 + glm::length(velocity)));
      ASSERT_LE(glm::distance(position, next.start.position),
                1e-13 * (1.0 + glm::length(position)));
      const Real pull = glm::length(piece.acceleration);
      ASSERT_LE(pull, promise.acceleration * (1.0 + 1e-12)) << "flight " << i;
      hard += pull > 0.0 && pull > 0.999999 * promise.acceleration;
      ++joints;
    }
  }
  EXPECT_GT(joints, 10000u);
  EXPECT_GT(hard, 1000u);
}

}  // namespace
}  // namespace nearmiss::engine
