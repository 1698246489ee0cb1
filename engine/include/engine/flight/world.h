// SPDX-License-Identifier: MIT
/// The motion of the ships. Independent of windows, drawing and the wall clock.
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/worker_pool.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// Neighbours in Ships::states() whose motion one worker predicts.
struct ShipGroup;
/// Up to eight of them, which move together.
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
  /// An equal world, which flies on as this one would; it shares work with nobody. Between two
  /// predictions it takes memory for the ships alone.
  [[nodiscard]] World copy() const;

  [[nodiscard]] const Ships& ships() const noexcept { return ships_; }
  /// What is set or created here takes effect from this instant on.
  [[nodiscard]] Ships& ships() noexcept { return ships_; }
  [[nodiscard]] std::span<const BodyState> states() const noexcept { return ships_.states(); }
  [[nodiscard]] Real time() const noexcept { return ships_.time(); }  ///< simulation seconds

  /// Predicts how all ships move in the next `dt` simulation seconds: second-order Runge-Kutta
  /// with adaptive steps by step doubling, the fine solution kept and not extrapolated, so that the
  /// motion never leaves the parabolic horn of its acceleration bound [H96 §11.1; H93]. Nothing
  /// moves yet, and where ships are looked at on the way makes no difference to their motion.
  void predict(Real dt);
  /// Moves all ships on to `time`, at most to the end of what was predicted, and not back. What was
  /// predicted of a ship whose velocity, position or control was set since is predicted again from
  /// there.
  void moveTo(Real time);
  /// Predicts `dt` simulation seconds and moves to their end.
  void integrate(Real dt);
  [[nodiscard]] Real predictedUntil() const noexcept { return predictedUntil_; }
  [[nodiscard]] std::uint64_t stepsTaken() const noexcept { return stepsTaken_; }

  /// Shares the ships among the workers of a pool, which must outlive that; null for none. The
  /// motion is the same to the last bit.
  void shareWork(WorkerPool* pool) noexcept { pool_ = pool; }

 private:
  World(const World&);
  void forEachBlock(const auto& begin, const auto& act);
  void arrange(ShipGroup& group, std::size_t first, std::size_t count) const;
  [[nodiscard]] LaneStates gather(const ShipBlock& block) const noexcept;
  void predictTogether(const ShipBlock& block);
  void attemptSteps(const ShipBlock& block, LaneProgress& progress) const;
  void predictAlone(const ShipBlock& block, std::size_t lane, Real from, Real dt);
  void move(const ShipBlock& block, Real before);
  void moveTogether(const ShipBlock& block) noexcept;
  [[nodiscard]] LaneStates statesOnTheWay(const ShipBlock& block,
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
