// SPDX-License-Identifier: MIT
/// Storage of predicted motion: eight ships at a time, or single ships.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flight/motion_lanes.h"
#include "flight/ship_motion.h"

namespace nearmiss::engine {

/// A range of Ships::states() whose motion one worker predicts.
struct ShipGroup {
  /// Large enough to amortise scheduling, small enough to balance the load.
  static constexpr std::size_t size = 128;
  static_assert(size <= 256, "an index in the group is a byte");

  /// A step that the ships of a block took together.
  struct Step {
    LaneStates start;
    LaneReals from;  ///< seconds since the start of the prediction; infinite: this ship took no
                     ///< step
    LaneReals h;     ///< its length
  };
  /// Ships that move together, one per lane.
  struct Block {
    LaneForces forces;
    LaneStates end;
    std::size_t firstStep = 0, steps = 0;
    std::uint32_t alone = 0;  ///< bit k: the ship in lane k has its own path
  };
  /// The path of a single ship: pieces `first` to `last`; `now` is the current one.
  struct Path {
    std::size_t first = 0, now = 0, last = 0;
    Real start = 0.0;  ///< simulation time at the start of the first piece
  };

  /// Index in the group of each ship, in lane order.
  std::vector<std::uint8_t> order;
  std::vector<Block> blocks;
  std::vector<Step> steps;  ///< of all blocks; the first `stepCount` are valid
  std::size_t stepCount = 0;
  std::vector<Path> paths;          ///< by place in `order`; unused for ships that move together
  std::vector<MotionPiece> pieces;  ///< of all paths, including abandoned ones
  std::vector<std::uint32_t> overflowed;  ///< ships that were stopped in place
  std::uint64_t taken = 0;                ///< integration steps since the last sum
};

/// Progress of the prediction of a block, by lane.
struct LaneProgress {
  LaneReals left;  ///< seconds to the end of the prediction
  LaneReals step;  ///< last accepted step size
  LaneReals h;     ///< length of the last attempt
  std::array<StepRule, laneCount> rules;
  std::array<std::uint64_t, laneCount> taken{};
  std::uint32_t active = 0;  ///< bit k: lane k has not reached the end
};

/// View of one block of a group.
struct ShipBlock {
  ShipGroup& group;
  ShipGroup::Block& motion;
  ShipGroup::Path* paths;                      ///< by lane
  std::array<std::size_t, laneCount> ships{};  ///< by lane; unused lanes repeat another ship
  std::uint32_t lanes = 0;                     ///< bit k: lane k is used
};

}  // namespace nearmiss::engine
