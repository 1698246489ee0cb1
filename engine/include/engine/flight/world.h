// SPDX-License-Identifier: MIT
/// The ships and their motion. Independent of windows, drawing and the wall clock.
#pragma once

#include <engine/flight/ship.h>
#include <nearmiss/body_state.h>
#include <nearmiss/result.h>
#include <nearmiss/worker_pool.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A sphere about the origin that pushes back ships that leave it, the harder the farther out.
struct Arena {
  Real radius = 9.0;   ///< metres; inside there is no push
  Real rim = 3.0;      ///< metres over which the push grows to its full strength
  Real pushMax = 0.6;  ///< metres per squared simulation second, towards the origin
};

/// Neighbours in states() whose motion one worker predicts, and how they move.
struct ShipGroup;
struct MotionState;

class World {
 public:
  /// Values of the arena that are negative or not finite count as 0.
  explicit World(const Arena& arena = {}) noexcept;
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();
  /// An equal world, which flies on as this one would; it shares work with nobody.
  [[nodiscard]] World copy() const;

  /// A rotation is made a unit; limits that are too large are lowered. Errors: Unsupported, with
  /// the first field at fault and the key that the ship would have had; the world stays as it is.
  Result<ShipId> create(const ShipDef& def);
  /// Does nothing for a stale id.
  void destroy(ShipId id) noexcept;
  [[nodiscard]] bool contains(ShipId id) const noexcept;
  /// The ship's index in states(), valid until a ship is created or destroyed. @pre contains(id)
  [[nodiscard]] std::size_t indexOf(ShipId id) const noexcept { return slots_[id.index].index; }

  /// Clamped; a stick that is not finite counts as released.
  void setControl(std::size_t index, const ShipControl& control) noexcept {
    setControl(index, control, time_);
  }
  /// The same, with the promise to keep it until simulation time `keptUntil`, so that tighter
  /// bounds can be certified. Breaking the promise is allowed, and ends the ship's motion epoch.
  void setControl(std::size_t index, const ShipControl& control, Real keptUntil) noexcept;
  [[nodiscard]] const ShipControl& control(std::size_t index) const noexcept {
    return ships_[index].control;
  }
  /// A jump of velocity, as in a bounce: ends the ship's motion epoch. Errors: Unsupported, as
  /// create() has them; the ship flies on as it was.
  Result<Success> setVelocity(std::size_t index, const Vec3& velocity);
  /// A jump of angular momentum, which drag lessens as it does speed: ends the ship's motion epoch.
  /// World frame, for a mass of 1 kg: m^2/s. Errors: as setVelocity().
  Result<Success> setAngularMomentum(std::size_t index, const Vec3& momentum);
  [[nodiscard]] const Vec3& angularMomentum(std::size_t index) const noexcept {
    return ships_[index].angularMomentum;
  }
  /// The turn rate due to that, apart from the sticks: rad/s, world frame.
  [[nodiscard]] Vec3 angularVelocity(std::size_t index) const noexcept {
    return turnedBy(index, ships_[index].angularMomentum);
  }
  /// Angular velocity for an angular momentum, both as above.
  [[nodiscard]] Vec3 turnedBy(std::size_t index, const Vec3& momentum) const noexcept;
  /// How fast the joints of a ship move a point of one of its links, world frame: m/s beside the
  /// ship's own motion. 0 for a rigid ship.
  [[nodiscard]] Vec3 jointVelocity(std::size_t index, std::uint32_t link,
                                   const Vec3& point) const noexcept;
  /// A jump of position: ends the ship's motion epoch. Errors: as setVelocity().
  Result<Success> setPose(std::size_t index, const Pose& pose);
  /// See BodyState::importance; no part of the motion, and no jump.
  void setImportance(std::size_t index, std::uint32_t importance) noexcept {
    states_[index].importance = importance;
  }
  /// See BodyState::unimportant; as above.
  void setUnimportant(std::size_t index, bool unimportant) noexcept {
    states_[index].unimportant = unimportant;
  }
  /// kg, may be infinite
  [[nodiscard]] Real mass(std::size_t index) const noexcept { return ships_[index].mass; }
  /// Where the ship was created: the teleport response returns it there.
  [[nodiscard]] const Pose& startPose(std::size_t index) const noexcept {
    return ships_[index].startPose;
  }

  /// Predicts how all ships move in the next `dt` simulation seconds: second-order Runge-Kutta
  /// with adaptive steps by step doubling, the fine solution kept and not extrapolated, so that the
  /// motion never leaves the parabolic horn of its acceleration bound [H96 §11.1; H93]. Nothing
  /// moves yet, and where ships are looked at on the way makes no difference to their motion.
  void predict(Real dt);
  /// Moves all ships on to `time`, at most to the end of what was predicted, and not back. What was
  /// predicted of a ship whose velocity, position or control was set since is predicted again from
  /// there.
  void moveTo(Real time);
  /// Shares the ships among the workers of a pool, which must outlive that; null for none. The
  /// motion is the same to the last bit.
  void shareWork(WorkerPool* pool) noexcept { pool_ = pool; }
  [[nodiscard]] Real predictedUntil() const noexcept { return predictedUntil_; }
  /// Simulation seconds for which every ship's bound is certified, if its control is kept.
  [[nodiscard]] Real shortestPromise() const noexcept;
  /// Predicts `dt` simulation seconds and moves to their end.
  void integrate(Real dt);
  [[nodiscard]] std::uint64_t stepsTaken() const noexcept { return stepsTaken_; }

  /// Grows with every ship that comes or goes and every motion epoch that ends: while it stays the
  /// same, the bounds on the ships' motion hold.
  [[nodiscard]] std::uint64_t jumps() const noexcept { return jumps_; }
  /// Which ships have jumped since the last forgetJumped(), by index, perhaps repeatedly; nothing
  /// if a ship has come or gone since, for that changes the indices of others.
  [[nodiscard]] std::optional<std::span<const std::uint32_t>> jumped() const noexcept {
    if (reordered_) return std::nullopt;
    return jumped_;
  }
  void forgetJumped() noexcept {
    jumped_.clear();
    reordered_ = false;
  }

  /// All ships as detectors see them, in a fixed order, valid until the world next changes.
  /// Each carries at most one cutting plane, along its heading; those with joints their links.
  [[nodiscard]] std::span<const BodyState> states() const noexcept { return states_; }
  [[nodiscard]] Real time() const noexcept { return time_; }  ///< simulation seconds
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }

 private:
  /// How one ship moves: the pieces `first` to `last` of its group, of which `now` is the current
  /// one.
  struct Path {
    std::size_t first = 0, now = 0, last = 0;
    Real start = 0.0;   ///< simulation time at which the first piece begins
    bool stale = true;  ///< something was set or promised since
  };

  /// Data of a ship besides its state.
  struct Ship {
    CuttingPlane plane{};  ///< referred to by its state
    std::shared_ptr<const Articulation> articulation;
    std::vector<Link> links;  ///< referred to by its state, if it has joints
    ShipControl control{};
    Real keptUntil = 0.0;  ///< until when the control was promised
    ShipLimits limits{};
    Real mass = 0.0;
    InverseInertia inverseInertia{};
    Vec3 angularMomentum{0.0};  ///< for a mass of 1 kg
    Real step = 0.0;            ///< the step size that integration last found right
    Path path{};
    Pose startPose{};
    std::uint32_t slot = 0;
  };
  /// The ship that a ShipId names.
  struct Slot {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
  };

  World(const World&);
  void forEachGroup(const auto& act);
  void predict(std::size_t index, ShipGroup& group, Real from, Real dt);
  [[nodiscard]] MotionState motionOf(std::size_t index) const noexcept;
  void move(std::size_t index, ShipGroup& group, Real before);
  void stopOverflowed() noexcept;
  void poseLinks(std::size_t index) noexcept;
  void linksAt(std::size_t index, Real time, std::span<Link> links) const noexcept;
  void renewBound(std::size_t index) noexcept;
  void endEpoch(std::size_t index) noexcept;

  Arena arena_;
  std::vector<BodyState> states_;  ///< dense; read by detectors every step
  std::vector<Ship> ships_;        ///< by the same index
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> freeSlots_;
  std::vector<ShipGroup> groups_;
  WorkerPool* pool_ = nullptr;
  std::uint32_t nextKey_ = 1;
  std::uint64_t stepsTaken_ = 0, jumps_ = 0;
  std::vector<std::uint32_t> jumped_;
  bool reordered_ = false;
  Real time_ = 0.0, predictedUntil_ = 0.0;
};

/// A 64-bit hash over every ship's pose, velocity and control and the time: equal states, equal
/// hashes, on every machine.
[[nodiscard]] std::uint64_t stateHash(const World& world) noexcept;
/// The same of one ship, without the time.
[[nodiscard]] std::uint64_t stateHash(const World& world, std::size_t index) noexcept;

}  // namespace nearmiss::engine
