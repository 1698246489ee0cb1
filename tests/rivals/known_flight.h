// SPDX-License-Identifier: MIT
/// A flight of bodies that is known at every instant: their promises, and motions within these as
/// wild as allowed.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "broad/admissible_motion.h"
#include "support/random.h"

namespace nearmiss::test {

/// Seconds, metres.
struct KnownFlightSettings {
  int count = 5;
  Real end = 2.0;
  Real arena = 2.0;         ///< half edge of the cube to which bodies are thrown back
  Real speed = 2.0;         ///< per axis, at first
  Real acceleration = 4.0;  ///< the largest bound
  bool planes = false;
};

class KnownFlight {
 private:
  struct Leg {
    Real until = 0.0;  ///< the promise
    Real acceleration = 0.0;
    std::uint32_t epoch = 0;
    std::vector<CuttingPlane> planes;
  };
  struct Piece {
    Real from = 0.0;
    Vec3 position{0.0}, velocity{0.0}, acceleration{0.0};
    std::size_t leg = 0;
  };
  struct Path {
    Real radius = 0.0;
    std::uint32_t epoch = 0;
    std::vector<Leg> legs;
    std::vector<Piece> pieces;
    std::vector<Real> jumps;
  };

 public:
  KnownFlight(Random& random, const KnownFlightSettings& settings)
      : random_(random), settings_(settings) {
    paths_.resize(static_cast<std::size_t>(settings.count));
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
      Path& path = paths_[i];
      path.radius = random.between(0.1, 0.5);
      // Some fly together, so that touches last
      const bool follows = i > 0 && random.chance(0.3);
      const Vec3 place = random.inCube(settings.arena);
      flyOn(path, 0.0, follows ? paths_[i - 1].pieces[0].position + 0.3 * place : place,
            follows ? paths_[i - 1].pieces[0].velocity : random.inCube(settings.speed), 0);
    }
  }

  /// All bodies at an instant. The planes are those of the flight.
  [[nodiscard]] std::vector<BodyState> at(Real time) const {
    std::vector<BodyState> bodies(paths_.size());
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
      const Path& path = paths_[i];
      const Piece& piece = pieceAt(path, time);
      const Leg& leg = path.legs[piece.leg];
      const Real s = time - piece.from;
      BodyState& body = bodies[i];
      body.key = i + 1;
      body.motionEpoch = leg.epoch;
      body.shape = ShapeRef::ofRadius(path.radius);
      body.pose.position = placeIn(piece, time);
      body.velocity = piece.velocity + piece.acceleration * s;
      body.accelerationBound = leg.acceleration;
      body.boundHoldsUntil = leg.until;
      body.planes = leg.planes;
    }
    return bodies;
  }

  /// The first jump of a body after `time`; infinite if there is none.
  [[nodiscard]] Real nextJump(Real time) const {
    Real next = std::numeric_limits<Real>::infinity();
    for (const Path& path : paths_)
      for (const Real jump : path.jumps)
        if (jump > time) next = std::min(next, jump);
    return next;
  }

  /// A response: the two exchange their velocities, and fly on by other promises.
  void bounce(const BodyPair& pair, Real time) {
    const std::vector<BodyState> now = at(time);
    for (const auto& [own, other] : {BodyPair{pair.a, pair.b}, BodyPair{pair.b, pair.a}}) {
      Path& path = paths_[own];
      std::erase_if(path.pieces, [time](const Piece& piece) { return piece.from >= time; });
      std::erase_if(path.jumps, [time](Real jump) { return jump >= time; });
      flyOn(path, time, now[own].pose.position, now[other].velocity, path.epoch + 1);
    }
  }

  /// Where one body is at instants that do not go back.
  class Walk {
   public:
    Walk(const KnownFlight& flight, std::size_t body) : path_(flight.paths_[body]) {}
    Vec3 at(Real time) {
      while (piece_ + 1 < path_.pieces.size() && path_.pieces[piece_ + 1].from <= time) ++piece_;
      return placeIn(path_.pieces[piece_], time);
    }
    [[nodiscard]] Real radius() const noexcept { return path_.radius; }

   private:
    const Path& path_;
    std::size_t piece_ = 0;
  };

 private:
  static Vec3 placeIn(const Piece& piece, Real time) {
    const Real s = time - piece.from;
    return piece.position + piece.velocity * s + piece.acceleration * (0.5 * s * s);
  }

  static const Piece& pieceAt(const Path& path, Real time) {
    const auto after = std::upper_bound(path.pieces.begin(), path.pieces.end(), time,
                                        [](Real t, const Piece& piece) { return t < piece.from; });
    return *std::prev(after);
  }

  /// Adds legs and pieces from `time` to the end of the flight.
  void flyOn(Path& path, Real time, Vec3 position, Vec3 velocity, std::uint32_t epoch) {
    path.epoch = epoch;
    while (time < settings_.end) {
      const Leg& leg = path.legs.emplace_back(drawLeg(time, path.epoch));
      SpaceTimeBound promise;
      promise.acceleration = leg.acceleration;
      promise.planes = leg.planes;
      const int parts = random_.whole(1, 3);
      for (int part = 0; part < parts; ++part) {
        const Real until = part + 1 < parts ? random_.between(time, leg.until) : leg.until;
        const Piece& piece = path.pieces.emplace_back(
            Piece{time, position, velocity, admissibleAcceleration(random_, promise),
                  path.legs.size() - 1});
        position = placeIn(piece, until);
        velocity += piece.acceleration * (until - time);
        time = until;
      }
      bool jumps = random_.chance(0.05);
      if (jumps) velocity = random_.inCube(settings_.speed);
      for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(position[axis]) < settings_.arena) continue;
        if (position[axis] * velocity[axis] < 0.0) continue;
        velocity[axis] = -random_.unit() * velocity[axis];
        jumps = true;
      }
      if (!jumps) continue;
      path.jumps.push_back(time);
      ++path.epoch;
    }
  }

  Leg drawLeg(Real time, std::uint32_t epoch) {
    Leg leg;
    leg.until = time + random_.between(0.1, 1.2);
    leg.acceleration = random_.chance(0.2) ? 0.0 : settings_.acceleration * random_.unit();
    leg.epoch = epoch;
    if (settings_.planes && random_.chance(0.6))
      leg.planes.push_back(
          {random_.direction(), random_.chance(0.5) ? 0.0 : 0.3 * leg.acceleration});
    return leg;
  }

  Random& random_;
  KnownFlightSettings settings_;
  std::vector<Path> paths_;
};

}  // namespace nearmiss::test
