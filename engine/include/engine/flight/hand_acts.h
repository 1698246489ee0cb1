// SPDX-License-Identifier: MIT
/// What a user does to ships by hand, beside steering: an input of a frame, so that it is recorded
/// and repeated like the others.
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
    Put,    ///< a ship is elsewhere and has another velocity: held, thrown or placed
    Shoot,  ///< the user's ship shoots a small body along its nose
  };
  Kind kind = Kind::Put;
  std::uint32_t ship = 0;  ///< BodyState::key, of Put
  Vec3 position{0.0};      ///< world, metres, of Put
  Vec3 velocity{0.0};      ///< m/s, the same
};

/// In one frame.
inline constexpr std::size_t maxHandActs = 1024;

/// Does a Put. Nothing happens to a ship that is gone, and none is put where it cannot be.
void putShip(Ships& ships, const HandAct& act);

/// The bodies that the user's ship has shot. They are the last of the ships, and fly, collide and
/// are answered like all others; what no pilot steers. The oldest vanishes where the next appears.
class Shots {
 public:
  static constexpr std::size_t most = 8;
  /// m/s along the nose, beside the ship's own velocity.
  static constexpr Real speed = 9.0;

  Shots() = default;
  /// Such bodies are shot; their pose and velocity do not count.
  explicit Shots(const ShipDef& body) : body_(std::make_shared<const ShipDef>(body)) {}
  /// False: nothing can be shot.
  [[nodiscard]] bool armed() const noexcept { return body_ != nullptr; }

  /// Does the acts of a frame, in their order, of the ship `user` if it flies.
  void act(Ships& ships, ShipId user, std::span<const HandAct> acts);
  /// How many fly, and how many will after these acts.
  [[nodiscard]] std::size_t count() const noexcept { return flying_.size(); }
  [[nodiscard]] std::size_t countAfter(std::span<const HandAct> acts) const noexcept;

 private:
  void shoot(Ships& ships, const BodyState& from);

  std::shared_ptr<const ShipDef> body_;
  std::vector<ShipId> flying_;
  std::size_t oldest_ = 0;  ///< once there are as many as can be
};

}  // namespace nearmiss::engine
