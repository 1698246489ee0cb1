// SPDX-License-Identifier: MIT
/// All ships at one instant: where they are, how they are steered and thrown, and what is certified
/// of their motion.
#pragma once

#include <engine/flight/arena.h>
#include <engine/flight/jumps.h>
#include <engine/flight/ship.h>
#include <engine/flight/ship_ids.h>
#include <nearmiss/body_state.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

struct MotionState;

/// Indices are those in states().
class Ships {
 public:
  /// Values of the arena that are negative or not finite count as 0.
  explicit Ships(const Arena& arena = {}) noexcept;
  Ships(const Ships& other);
  Ships(Ships&&) noexcept = default;
  Ships& operator=(Ships&&) noexcept = default;

  /// A rotation is made a unit; limits that are too large are lowered. Errors: Unsupported, with
  /// the first field at fault and the key that the ship would have had; all stays as it is.
  Result<ShipId> create(const ShipDef& def);
  /// Does nothing for a stale id.
  void destroy(ShipId id) noexcept;
  [[nodiscard]] const ShipIds& ids() const noexcept { return ids_; }

  /// All ships as detectors see them, in a fixed order, valid until a ship next moves or changes.
  /// Each carries at most one cutting plane, along its heading; those with joints their links.
  [[nodiscard]] std::span<const BodyState> states() const noexcept { return states_; }
  [[nodiscard]] Real time() const noexcept { return time_; }  ///< simulation seconds
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  /// The ship as it was created, or as setStart() has it; its motion changes nothing here.
  [[nodiscard]] const ShipDef& definition(std::size_t index) const noexcept {
    return records_[index].definition;
  }

  /// Clamped; a stick that is not finite counts as released.
  void setControl(std::size_t index, const ShipControl& control) noexcept {
    setControl(index, control, time_);
  }
  /// The same, with the promise to keep it until simulation time `keptUntil`, so that tighter
  /// bounds can be certified. Breaking the promise is allowed, and ends the ship's motion epoch.
  void setControl(std::size_t index, const ShipControl& control, Real keptUntil) noexcept;
  [[nodiscard]] const ShipControl& control(std::size_t index) const noexcept {
    return records_[index].control;
  }
  /// A jump of velocity, as in a bounce: ends the ship's motion epoch. Errors: Unsupported, as
  /// create() has them; the ship flies on as it was.
  Result<Success> setVelocity(std::size_t index, const Vec3& velocity);
  /// A jump of angular momentum, which drag lessens as it does speed: ends the ship's motion epoch.
  /// World frame, for a mass of 1 kg: m^2/s. Errors: as setVelocity().
  Result<Success> setAngularMomentum(std::size_t index, const Vec3& momentum);
  [[nodiscard]] const Vec3& angularMomentum(std::size_t index) const noexcept {
    return records_[index].angularMomentum;
  }
  /// The turn rate due to that, apart from the sticks: rad/s, world frame.
  [[nodiscard]] Vec3 angularVelocity(std::size_t index) const noexcept {
    return turnedBy(index, records_[index].angularMomentum);
  }
  /// Angular velocity for an angular momentum, both as above.
  [[nodiscard]] Vec3 turnedBy(std::size_t index, const Vec3& momentum) const noexcept;
  /// A jump of position: ends the ship's motion epoch. Errors: as setVelocity().
  Result<Success> setPose(std::size_t index, const Pose& pose);
  /// From now on its definition() begins there. No jump. Errors: as setVelocity().
  Result<Success> setStart(std::size_t index, const Pose& pose);
  /// See BodyState::importance; no part of the motion, and no jump.
  void setImportance(std::size_t index, std::uint32_t importance) noexcept {
    states_[index].importance = importance;
  }
  /// See BodyState::unimportant; as above.
  void setUnimportant(std::size_t index, bool unimportant) noexcept {
    states_[index].unimportant = unimportant;
  }

  /// Simulation seconds for which every ship's bound is certified, if its control is kept.
  [[nodiscard]] Real shortestPromise() const noexcept { return shortestPromise_; }

  [[nodiscard]] const Jumps& jumps() const noexcept { return jumps_; }
  void forgetJumps() noexcept { jumps_.forget(); }

 private:
  /// Moves them.
  friend class World;
  /// Steers many at once.
  friend class DronePilots;

  /// Data of a ship besides its state.
  struct Record {
    ShipDef definition{};
    CuttingPlane plane{};     ///< referred to by its state
    std::vector<Link> links;  ///< referred to by its state, if it has joints
    ShipControl control{};
    Real keptUntil = 0.0;       ///< until when the control was promised
    Real promisedAt = 0.0;      ///< when the bound was certified
    Real horizon = 0.0;         ///< simulation seconds for which it is
    Vec3 angularMomentum{0.0};  ///< for a mass of 1 kg
    Real step = 0.0;            ///< the step size that integration last found right

    /// The control is promised long enough to be certified.
    [[nodiscard]] bool isKept(Real now) const noexcept { return keptUntil - now >= 0.75 * horizon; }
  };

  /// setControl(), which ends the motion epoch where this returns true; touches nothing but the
  /// ship, so that several may be steered at once.
  [[nodiscard]] bool steer(std::size_t index, const ShipControl& control, Real keptUntil) noexcept;
  [[nodiscard]] MotionState motionOf(std::size_t index) const noexcept;
  void placeLinks(std::size_t index) noexcept;
  void renewBound(std::size_t index) noexcept;
  void prolongBound(std::size_t index) noexcept;
  void endEpoch(std::size_t index) noexcept;

  Arena arena_;
  Real time_ = 0.0;
  std::vector<BodyState> states_;  ///< dense; read by detectors every step
  std::vector<Record> records_;    ///< by the same index
  /// By the same: 1 where something was set or promised since the ship's motion was predicted.
  std::vector<std::uint8_t> stale_;
  ShipIds ids_;
  Jumps jumps_;
  std::uint32_t nextKey_ = 1;
  Real shortestPromise_ = 0.0;
};

/// A 64-bit hash over every ship's pose, velocity and control and the time: equal states, equal
/// hashes, on every machine.
[[nodiscard]] std::uint64_t stateHash(const Ships& ships) noexcept;
/// The same of one ship, without the time.
[[nodiscard]] std::uint64_t stateHash(const Ships& ships, std::size_t index) noexcept;

}  // namespace nearmiss::engine
