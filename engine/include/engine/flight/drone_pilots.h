// SPDX-License-Identifier: MIT
/// The drones' pilots: new control values every few seconds, at random [H96 §11.1] or with an eye
/// on the user. Each drone has its own sequence of numbers, so that one more drone changes no
/// other's choices.
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>
#include <nearmiss/worker_pool.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Where a drone heads whenever it draws new controls.
enum class Temper : std::uint8_t {
  Random,
  Hunt,   ///< to where the user's ship will be
  Flee,   ///< away from there
  Cross,  ///< to a point before its bow
};
/// By Temper.
inline constexpr std::array<std::string_view, 4> temperNames{"random", "hunt", "flee", "cross"};

struct PilotSettings {
  /// Simulation seconds: no drone draws sooner, whatever is set.
  static constexpr Real shortestWait = 0.1;
  Real retargetLow = 4.0;  ///< simulation seconds until new controls are drawn, at least
  Real retargetHigh = 10.0;
  Temper temper = Temper::Random;
};

class DronePilots {
 public:
  /// `settings` are those of drones added without their own.
  DronePilots(std::uint64_t seed, const PilotSettings& settings) noexcept
      : random_(seed), settings_(settings) {}
  void add(ShipId drone) { add(drone, settings_); }
  void add(ShipId drone, const PilotSettings& settings);
  /// The ship that tempers are about; without one all is random.
  void follow(ShipId user) noexcept { user_ = user; }
  /// From now on drones keep within `radius` metres of a point before that ship, not of the origin,
  /// and turn aside where they would soon come nearer to it, between the middles, than `clearance`
  /// times the sum of both radii; 0: they do not.
  void gather(Real radius, Real clearance = 0.0) noexcept {
    gathering_ = radius;
    clearance_ = clearance;
  }
  /// Draws new controls for the drones that are due. A drone that has left the arena, or points
  /// outward in its outer 15 %, is turned back to the origin; likewise where they gather(). A
  /// destroyed drone is skipped.
  ///
  /// A drone of a pair in `struck` turns away from the other ship, until it is clear of it and
  /// draws again: else two that head for the same point would hit each other repeatedly. Uses the
  /// workers of a pool, if there is one. @pre no drone was added twice
  void steer(Ships& ships, std::span<const BodyPair> struck = {}, WorkerPool* pool = nullptr);

 private:
  struct Pilot {
    ShipId drone;
    SplitMix random;
    PilotSettings settings;
    Real nextDraw = 0.0;                    ///< simulation seconds
    std::uint32_t other = 0, otherKey = 0;  ///< the ship to keep clear of; key 0: none
  };
  /// The sphere that drones keep within.
  [[nodiscard]] Sphere homeOf(const Ships& ships) const;
  void noteStruck(const Ships& ships, std::span<const BodyPair> struck);
  void forgetStruck(std::span<const BodyPair> struck) noexcept;
  [[nodiscard]] bool steer(Ships& ships, Pilot& pilot, const Sphere& home) const;
  [[nodiscard]] std::optional<ShipControl> evasion(const Ships& ships, Pilot& pilot,
                                                   const BodyState& body, const Sphere& home) const;
  [[nodiscard]] std::optional<Vec3> wayAside(const Ships& ships, const BodyState& drone) const;
  [[nodiscard]] ShipControl tempered(Temper temper, const ShipControl& random, const Ships& ships,
                                     const BodyState& body, Real seconds) const;
  static constexpr std::uint32_t nobody = 0xffffffff;
  std::vector<Pilot> pilots_;
  /// By ship, while they are steered: the other ship of its last pair.
  std::vector<std::uint32_t> struckBy_;
  /// By piece of the pilots: ships whose pilots broke a promise, in the order of the pilots.
  std::vector<std::vector<std::uint32_t>> broken_;
  SplitMix random_;
  PilotSettings settings_;
  ShipId user_;
  std::optional<Real> gathering_;
  Real clearance_ = 0.0;
};

}  // namespace nearmiss::engine
