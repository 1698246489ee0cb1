// SPDX-License-Identifier: MIT
/// Actions of users besides steering the user's ship. They are part of a frame's input, so they are
/// recorded and replayed like steering.
#pragma once

#include <engine/flight/ships.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss::engine {

struct HandAct {
  enum class Kind : std::uint8_t {
    Put,    ///< sets position and velocity of a ship that the user drags, throws or places
    Shoot,  ///< a ship shoots a small body along its nose
    Push,   ///< adds `velocity` to that of a ship, as a tow beam does
    Steer,  ///< sets the controls of a ship for this frame, instead of its pilot's
  };
  Kind kind = Kind::Put;
  std::uint32_t ship = 0;  ///< BodyState::key; 0: the user's ship, except for Put
  Vec3 position{0.0};      ///< world, metres; used by Put
  Vec3 velocity{0.0};      ///< m/s, world; used by Put and Push
  ShipControl control{};   ///< used by Steer
};

/// Maximum number of acts in one frame.
inline constexpr std::size_t maxHandActs = 1024;

/// Performs a Put. Does nothing if the ship does not exist or the position is invalid.
void putShip(Ships& ships, const HandAct& act);
/// Performs all acts of kind Steer. Does nothing for ships that do not exist.
void steerShips(Ships& ships, ShipId user, std::span<const HandAct> acts);

/// The bodies that ships have shot. They are the last of the ships. They fly, collide and
/// bounce like all others, but no pilot steers them. At the maximum the oldest one is replaced.
class Shots {
 public:
  static constexpr std::size_t most = 8;
  /// Speed along the nose, added to the ship's own velocity [m/s].
  static constexpr Real speed = 9.0;

  Shots() = default;
  /// Sets the definition of shot bodies; its pose and velocity are ignored.
  explicit Shots(const ShipDef& body) : body_(std::make_shared<const ShipDef>(body)) {}
  /// Returns true if ships can shoot.
  [[nodiscard]] bool armed() const noexcept { return body_ != nullptr; }

  /// Performs the acts of a frame in order, except those of kind Steer. Does nothing for ships that
  /// do not exist.
  void act(Ships& ships, ShipId user, std::span<const HandAct> acts);
  /// Returns the number of bodies in flight, now and after these acts.
  [[nodiscard]] std::size_t count() const noexcept { return flying_.size(); }
  [[nodiscard]] std::size_t countAfter(std::span<const HandAct> acts) const noexcept;

 private:
  void shoot(Ships& ships, const BodyState& from);

  std::shared_ptr<const ShipDef> body_;
  std::vector<ShipId> flying_;
  std::size_t oldest_ = 0;  ///< used once the maximum is reached
};

}  // namespace nearmiss::engine
