// SPDX-License-Identifier: MIT
/// The drones' pilots. Every few seconds they choose new controls, at random [H96 §11.1] or
/// relative to the user. Each drone has its own random sequence, so adding a drone does not change
/// the others.
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// The target of a drone each time it chooses new controls.
enum class Temper : std::uint8_t {
  Random,
  Hunt,   ///< towards the predicted position of the user's ship
  Flee,   ///< away from that position
  Cross,  ///< towards a point in front of the user's ship
};
/// By Temper.
inline constexpr std::array<std::string_view, 4> temperNames{"random", "hunt", "flee", "cross"};

struct PilotSettings {
  /// Minimum time between two choices [simulation s], enforced for all settings.
  static constexpr Real shortestWait = 0.1;
  Real retargetLow = 4.0;  ///< minimum time between two choices [simulation s]
  Real retargetHigh = 10.0;
  Temper temper = Temper::Random;
};

/// Returns `control` with the yaw and pitch that turn the nose of a ship towards a world direction
/// of any length, without overshooting. Thrust and roll do not change.
[[nodiscard]] ShipControl steerTowards(ShipControl control, const Pose& pose,
                                       const Vec3& direction) noexcept;

class DronePilots {
 public:
  /// `settings` is the default for drones added without their own.
  DronePilots(std::uint64_t seed, const PilotSettings& settings) noexcept
      : random_(seed), settings_(settings) {}
  void add(ShipId drone) { add(drone, settings_); }
  void add(ShipId drone, const PilotSettings& settings);
  /// Sets the ship that tempers refer to. Without one, all choices are random.
  void follow(ShipId user) noexcept { user_ = user; }
  /// From now on drones keep within `radius` metres of a point in front of the user's ship instead
  /// of the origin. They also evade the ship: they turn aside if the distance of the centres would
  /// soon be less than `clearance` times the sum of both radii. 0 disables evasion.
  void gather(Real radius, Real clearance = 0.0) noexcept {
    gathering_ = radius;
    clearance_ = clearance;
  }
  /// Chooses new controls for the drones that are due. Turns a drone back to the origin, or to the
  /// point of gather(), if it has left the arena or points outward in its outer 15 %. Skips
  /// destroyed drones.
  ///
  /// A drone of a pair in `struck` turns away from the other ship until it is clear of it and
  /// chooses again. Otherwise two drones with the same target would hit each other repeatedly. Uses
  /// the workers of `pool` if it is not null.
  /// @pre no drone was added twice
  void steer(Ships& ships, std::span<const BodyPair> struck = {}, WorkerPool* pool = nullptr);

 private:
  struct Pilot {
    ShipId drone;
    SplitMix random;
    PilotSettings settings;
    Real nextDraw = 0.0;                    ///< simulation seconds
    std::uint32_t other = 0, otherKey = 0;  ///< the ship to avoid; key 0: none
  };
  /// The sphere that drones stay in.
  [[nodiscard]] Sphere homeOf(const Ships& ships) const;
  void recordCollisions(const Ships& ships, std::span<const BodyPair> struck);
  void forgetStruck(std::span<const BodyPair> struck) noexcept;
  [[nodiscard]] bool steer(Ships& ships, Pilot& pilot, const Sphere& home) const;
  [[nodiscard]] std::optional<ShipControl> evasion(const Ships& ships, Pilot& pilot,
                                                   const BodyState& body, const Sphere& home) const;
  [[nodiscard]] std::optional<Vec3> wayAside(const Ships& ships, const BodyState& drone) const;
  [[nodiscard]] ShipControl applyTemper(Temper temper, const ShipControl& random,
                                        const Ships& ships, const BodyState& body,
                                        Real seconds) const;
  static constexpr std::uint32_t nobody = 0xffffffff;
  std::vector<Pilot> pilots_;
  /// By ship, during steer(): the other ship of its last pair in `struck`.
  std::vector<std::uint32_t> struckBy_;
  /// By worker's piece of the pilots: ships whose pilots broke a control promise, in pilot order.
  std::vector<std::vector<std::uint32_t>> broken_;
  SplitMix random_;
  PilotSettings settings_;
  ShipId user_;
  std::optional<Real> gathering_;
  Real clearance_ = 0.0;
};

}  // namespace nearmiss::engine
