// SPDX-License-Identifier: MIT
/// All ships at one instant: poses, controls, velocities and certified bounds on their motion.
#pragma once

#include <engine/flight/arena.h>
#include <engine/flight/jumps.h>
#include <engine/flight/ship.h>
#include <engine/flight/ship_ids.h>
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

struct MotionState;

/// The ships of a world. Indices refer to states().
class Ships {
 public:
  /// Negative or non-finite values of the arena count as 0.
  explicit Ships(const Arena& arena = {}) noexcept;
  Ships(const Ships& other);
  Ships(Ships&&) noexcept = default;
  Ships& operator=(Ships&&) noexcept = default;

  /// Creates a ship. Normalises its rotation and lowers limits that are too large. Errors:
  /// Unsupported, with the first invalid field and the key that the ship would have had; then
  /// nothing changes.
  Result<ShipId> create(const ShipDef& def);
  /// Does nothing for a stale id.
  void destroy(ShipId id) noexcept;
  [[nodiscard]] const ShipIds& ids() const noexcept { return ids_; }

  /// All ships as detectors see them, in a fixed order. Valid until a ship next moves or changes.
  /// Each ship has at most one cutting plane, along its heading; articulated ships also have links.
  [[nodiscard]] std::span<const BodyState> states() const noexcept { return states_; }
  [[nodiscard]] Real time() const noexcept { return time_; }  ///< simulation seconds
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  /// The definition at creation, or the start set by setStart(); not changed by motion.
  [[nodiscard]] const ShipDef& definition(std::size_t index) const noexcept {
    return records_[index].definition;
  }

  /// Sets the controls, clamped; non-finite sticks count as released.
  void setControl(std::size_t index, const ShipControl& control) noexcept {
    setControl(index, control, time_);
  }
  /// As above, and promises to keep these controls until simulation time `promiseEnd`, so that
  /// tighter bounds can be certified. Breaking the promise is allowed; it ends the ship's motion
  /// epoch.
  void setControl(std::size_t index, const ShipControl& control, Real promiseEnd) noexcept;
  [[nodiscard]] const ShipControl& control(std::size_t index) const noexcept {
    return records_[index].control;
  }
  /// Sets the velocity, as in a bounce. Ends the ship's motion epoch. Errors: as create(); then the
  /// ship does not change.
  Result<Success> setVelocity(std::size_t index, const Vec3& velocity);
  /// Sets the angular momentum, world frame, for a mass of 1 kg [m^2/s]. Drag decreases it as it
  /// does speed. Ends the ship's motion epoch. Errors: as setVelocity().
  Result<Success> setAngularMomentum(std::size_t index, const Vec3& momentum);
  [[nodiscard]] const Vec3& angularMomentum(std::size_t index) const noexcept {
    return records_[index].angularMomentum;
  }
  /// Rotation rate due to angular momentum, without the sticks: rad/s, world frame.
  [[nodiscard]] Vec3 angularVelocity(std::size_t index) const noexcept {
    return turnedBy(index, records_[index].angularMomentum);
  }
  /// Converts an angular momentum to an angular velocity; frames and units as above.
  [[nodiscard]] Vec3 turnedBy(std::size_t index, const Vec3& momentum) const noexcept;
  /// Sets the pose. Ends the ship's motion epoch. Errors: as setVelocity().
  Result<Success> setPose(std::size_t index, const Pose& pose);
  /// Sets the start pose in definition(). The ship does not move. Errors: as setVelocity().
  Result<Success> setStart(std::size_t index, const Pose& pose);
  /// See BodyState::importance. Does not affect the motion.
  void setImportance(std::size_t index, std::uint32_t importance) noexcept {
    states_[index].importance = importance;
  }
  /// See BodyState::unimportant. Does not affect the motion.
  void setUnimportant(std::size_t index, bool unimportant) noexcept {
    states_[index].unimportant = unimportant;
  }

  /// Simulation seconds for which every ship's bound holds if its control is kept.
  [[nodiscard]] Real shortestPromise() const noexcept { return shortestPromise_; }

  [[nodiscard]] const Jumps& jumps() const noexcept { return jumps_; }
  void forgetJumps() noexcept { jumps_.forget(); }

 private:
  /// To move the ships.
  friend class World;
  /// To steer several ships concurrently.
  friend class DronePilots;

  /// Data of a ship in addition to its state.
  struct Record {
    ShipDef definition{};
    CuttingPlane plane{};     ///< its state refers to it
    std::vector<Link> links;  ///< its state refers to them, if it has joints
    ShipControl control{};
    Real promiseEnd = 0.0;      ///< end of the control promise
    Real promisedAt = 0.0;      ///< time of the bound's certification
    Real horizon = 0.0;         ///< simulation seconds for which the bound holds
    Vec3 angularMomentum{0.0};  ///< for a mass of 1 kg
    Real step = 0.0;            ///< step size last accepted by the integrator

    /// Whether the control promise is long enough to certify a bound.
    [[nodiscard]] bool promiseHolds(Real now) const noexcept {
      return promiseEnd - now >= 0.75 * horizon;
    }
  };

  /// setControl() without ending the motion epoch; the caller must end it if this returns true.
  /// Touches only this ship, so several ships can be steered concurrently.
  [[nodiscard]] bool steer(std::size_t index, const ShipControl& control, Real promiseEnd) noexcept;
  [[nodiscard]] MotionState motionOf(std::size_t index) const noexcept;
  void placeLinks(std::size_t index) noexcept;
  void renewBound(std::size_t index) noexcept;
  void extendBound(std::size_t index) noexcept;
  void endEpoch(std::size_t index) noexcept;

  Arena arena_;
  Real time_ = 0.0;
  std::vector<BodyState> states_;  ///< dense; read by detectors every step
  std::vector<Record> records_;    ///< by ship index
  /// By ship index: 1 if state or promises changed since the ship's motion was predicted.
  std::vector<std::uint8_t> stale_;
  ShipIds ids_;
  Jumps jumps_;
  std::uint32_t nextKey_ = 1;
  Real shortestPromise_ = 0.0;
};

/// Returns a 64-bit hash of every ship's pose, velocity and control, and of the time. Equal states
/// have equal hashes on every machine.
[[nodiscard]] std::uint64_t stateHash(const Ships& ships) noexcept;
/// Returns the hash of one ship, without the time.
[[nodiscard]] std::uint64_t stateHash(const Ships& ships, std::size_t index) noexcept;

}  // namespace nearmiss::engine
