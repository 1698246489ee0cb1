// SPDX-License-Identifier: MIT
/// Bodies that fly within the bounds of their states: accelerations as hard as allowed, planes
/// respected, jumps announced by the motion epoch.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broad/admissible_motion.h"
#include "support/random.h"

namespace nearmiss::test {

struct FlightSettings {
  int count = 40;
  Real arena = 5.0;   ///< half edge of the cube they bounce about in
  Real speed = 1.0;   ///< m/s per axis, at first
  Real radius = 0.5;  ///< the largest
  Real acceleration = 1.0;
  Real promise = 1.0;   ///< longest promise, seconds
  Real jumpRate = 0.0;  ///< impulses per body and second
  bool planes = false;
  Vec3 offset{0.0};
  /// Positions, velocities and radii are whole numbers: with steps of a power of two, an
  /// acceleration of 0 and whole offsets all is exact, and ties, parallel paths, bodies that rest
  /// or coincide and spheres that only just touch abound.
  bool lattice = false;
};

class PromisedFlight {
 public:
  PromisedFlight(std::uint64_t seed, const FlightSettings& settings)
      : random_(seed), settings_(settings) {
    bodies_.resize(static_cast<std::size_t>(settings.count));
    flyers_.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      BodyState& body = bodies_[i];
      body.key = static_cast<std::uint32_t>(3 * i + 1);
      body.pose.position = settings.offset + random_.inCube(settings.arena);
      body.velocity = random_.inCube(settings.speed);
      body.shape = ShapeRef::ofRadius(settings.radius * random_.between(0.2, 1.0));
      if (settings.lattice) {
        body.pose.position = settings.offset + random_.onLattice(static_cast<int>(settings.arena));
        body.velocity = random_.onLattice(static_cast<int>(settings.speed));
        body.shape = ShapeRef::ofRadius(random_.whole(0, 1));
        if (i > 0 && random_.chance(0.2)) body.pose.position = bodies_[i - 1].pose.position;
        if (i > 0 && random_.chance(0.2)) body.velocity = bodies_[i - 1].velocity;
      }
      renewPromise(i);
    }
  }

  void advance(Real dt) {
    time_ += dt;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      BodyState& body = bodies_[i];
      Flyer& flyer = flyers_[i];
      body.pose.position += body.velocity * dt + flyer.acceleration * (0.5 * dt * dt);
      body.velocity += flyer.acceleration * dt;
      bool jumped = false;
      for (int axis = 0; axis < 3; ++axis) {
        const Real out = body.pose.position[axis] - settings_.offset[axis];
        if (std::abs(out) < settings_.arena || out * body.velocity[axis] < 0.0) continue;
        body.velocity[axis] = -body.velocity[axis];
        jumped = true;
      }
      if (random_.chance(settings_.jumpRate * dt)) {
        jumped = true;
        if (random_.chance(0.3))
          body.pose.position = settings_.offset + random_.inCube(settings_.arena);
        else
          body.velocity = random_.inCube(settings_.speed);
      }
      const Real speed = glm::length(body.velocity);
      if (speed > 3.0 * settings_.speed) {
        body.velocity *= settings_.speed / speed;
        jumped = true;
      }
      // The present bound ends before the next step, at the latest. Until then a higher one is a
      // jump
      const Real before = body.accelerationBound;
      if (jumped || time_ + dt > body.boundHoldsUntil) renewPromise(i);
      if (jumped || body.accelerationBound > before) ++body.motionEpoch;
      if (random_.chance(dt * 3.0)) steer(i);
    }
  }

  /// All bodies at an instant before the end of the next step that is no longer than the last ones.
  [[nodiscard]] std::vector<BodyState> at(Real time) const {
    std::vector<BodyState> then = bodies_;
    for (std::size_t i = 0; i < then.size(); ++i) {
      const Real s = time - time_;
      const Vec3& a = flyers_[i].acceleration;
      then[i].pose.position += bodies_[i].velocity * s + a * (0.5 * s * s);
      then[i].velocity += a * s;
    }
    return then;
  }

  /// From `time` on, before the end of the next step, a body flies with another velocity.
  void throwAt(std::size_t i, Real time, const Vec3& velocity) {
    const Vec3 place = at(time)[i].pose.position;
    BodyState& body = bodies_[i];
    ++body.motionEpoch;
    renewPromise(i);
    const Real s = time - time_;
    const Vec3& a = flyers_[i].acceleration;
    body.velocity = velocity - a * s;
    body.pose.position = place - (body.velocity * s + a * (0.5 * s * s));
  }

  [[nodiscard]] std::span<const BodyState> bodies() const noexcept { return bodies_; }
  [[nodiscard]] std::vector<BodyState>& change() noexcept { return bodies_; }
  [[nodiscard]] Real time() const noexcept { return time_; }

 private:
  struct Flyer {
    Vec3 acceleration{0.0};
    std::vector<CuttingPlane> planes;
  };

  void renewPromise(std::size_t i) {
    BodyState& body = bodies_[i];
    Flyer& flyer = flyers_[i];
    body.accelerationBound = settings_.acceleration * (random_.chance(0.2) ? 0.0 : random_.unit());
    body.boundHoldsUntil = time_ + settings_.promise * random_.between(0.1, 1.0);
    flyer.planes.clear();
    if (settings_.planes && random_.chance(0.7))
      flyer.planes.push_back(
          {random_.direction(), random_.chance(0.5) ? 0.0 : 0.3 * body.accelerationBound});
    body.planes = flyer.planes;
    steer(i);
  }

  void steer(std::size_t i) {
    SpaceTimeBound bound;
    bound.acceleration = bodies_[i].accelerationBound;
    bound.planes = flyers_[i].planes;
    flyers_[i].acceleration = admissibleAcceleration(random_, bound);
  }

  Random random_;
  FlightSettings settings_;
  std::vector<BodyState> bodies_;
  std::vector<Flyer> flyers_;
  Real time_ = 0.0;
};

/// The bodies that have jumped or exceeded a bound since `before`, by index, as the application
/// would announce them.
inline std::vector<std::uint32_t> jumpsSince(std::span<const BodyState> before,
                                             std::span<const BodyState> now) {
  std::vector<std::uint32_t> jumped;
  for (std::uint32_t i = 0; i < now.size(); ++i)
    if (i >= before.size() || before[i].motionEpoch != now[i].motionEpoch) jumped.push_back(i);
  return jumped;
}

/// All bodies, of the same importance, at the ends of the next steps.
inline std::vector<std::vector<BodyState>> framesOf(PromisedFlight& flight, int count, Real step,
                                                    std::uint32_t importance) {
  for (BodyState& body : flight.change()) body.importance = importance;
  std::vector<std::vector<BodyState>> frames;
  for (int frame = 0; frame < count; ++frame) {
    flight.advance(step);
    frames.emplace_back(flight.bodies().begin(), flight.bodies().end());
  }
  return frames;
}

}  // namespace nearmiss::test
