// SPDX-License-Identifier: MIT
/// The motion of the ships. Independent of windows, drawing and the wall clock.
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/advanced/worker_pool.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A range of Ships::states() whose motion one worker predicts.
struct ShipGroup;
/// Up to eight ships of a group that are integrated together.
struct ShipBlock;
struct LaneStates;
struct LaneProgress;

class World {
 public:
  /// See Ships.
  explicit World(const Arena& arena = {}) noexcept;
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();
  /// Returns an equal world with the same future and no worker pool. Between two predictions the
  /// copy holds memory for the ships only.
  [[nodiscard]] World copy() const;

  [[nodiscard]] const Ships& ships() const noexcept { return ships_; }
  /// Changes take effect from the current instant on.
  [[nodiscard]] Ships& ships() noexcept { return ships_; }
  [[nodiscard]] std::span<const BodyState> states() const noexcept { return ships_.states(); }
  [[nodiscard]] Real time() const noexcept { return ships_.time(); }  ///< simulation seconds

  /// Predicts the motion of all ships for the next `dt` simulation seconds. Second-order
  /// Runge-Kutta; adaptive steps by step doubling; keeps the fine solution without extrapolation,
  /// so that the motion stays in the parabolic horn of its acceleration bound [H96 §11.1; H93].
  /// Does not move the ships. Intermediate calls of moveTo() do not affect the motion.
  void predict(Real dt);
  /// Moves all ships forward to `time`, at most to the end of the prediction. For a ship whose
  /// velocity, position or control was set since, the motion is predicted again from now.
  void moveTo(Real time);
  /// Predicts `dt` simulation seconds and moves the ships to the end.
  void integrate(Real dt);
  [[nodiscard]] Real predictedUntil() const noexcept { return predictedUntil_; }
  [[nodiscard]] std::uint64_t stepsTaken() const noexcept { return stepsTaken_; }

  /// Shares the ships among the workers of a pool, which must outlive the world; null for none. The
  /// motion is bitwise the same.
  void shareWork(WorkerPool* pool) noexcept { pool_ = pool; }

 private:
  World(const World&);
  void forEachBlock(const auto& begin, const auto& act);
  void arrange(ShipGroup& group, std::size_t first, std::size_t count) const;
  [[nodiscard]] LaneStates gather(const ShipBlock& block) const noexcept;
  void predictBlock(const ShipBlock& block);
  void attemptSteps(const ShipBlock& block, LaneProgress& progress) const;
  void predictAlone(const ShipBlock& block, std::size_t lane, Real from, Real dt);
  void move(const ShipBlock& block, Real before);
  void moveBlock(const ShipBlock& block) noexcept;
  [[nodiscard]] LaneStates intermediateStates(const ShipBlock& block,
                                              std::uint32_t lanes) const noexcept;
  void moveAlone(const ShipBlock& block, std::size_t lane) noexcept;
  void stopOverflowed() noexcept;

  Ships ships_;
  std::vector<ShipGroup> groups_;
  WorkerPool* pool_ = nullptr;
  std::uint64_t stepsTaken_ = 0;
  Real predictedFrom_ = 0.0, predictedFor_ = 0.0, predictedUntil_ = 0.0;  ///< simulation seconds
};

}  // namespace nearmiss::engine
