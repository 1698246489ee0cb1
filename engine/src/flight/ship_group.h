// SPDX-License-Identifier: MIT
/// How ships move between two predictions: eight at a time, or each alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flight/motion_lanes.h"
#include "flight/ship_motion.h"

namespace nearmiss::engine {

/// Neighbours in Ships::states() whose motion one worker predicts.
struct ShipGroup {
  /// Enough that a thread is not asked too often, few enough to share.
  static constexpr std::size_t size = 128;
  static_assert(size <= 256, "an index in the group is a byte");

  /// A step that ships of a block took at once.
  struct Step {
    LaneStates start;
    LaneReals from;  ///< seconds since the prediction began; infinite: this ship took none
    LaneReals h;     ///< its length
  };
  /// Ships that move together, one in each lane.
  struct Block {
    LaneForces forces;
    LaneStates end;
    std::size_t firstStep = 0, steps = 0;
    std::uint32_t alone = 0;  ///< bit k: the ship in lane k moves on a path of its own
  };
  /// How one ship moves alone: the pieces `first` to `last`, of which `now` is the current one.
  struct Path {
    std::size_t first = 0, now = 0, last = 0;
    Real start = 0.0;  ///< simulation time at which the first piece begins
  };

  /// Its ships in the order in which lanes take them: index in the group.
  std::vector<std::uint8_t> order;
  std::vector<Block> blocks;
  std::vector<Step> steps;  ///< of all blocks the first `stepCount`
  std::size_t stepCount = 0;
  std::vector<Path> paths;          ///< by place in `order`; unused for those that move together
  std::vector<MotionPiece> pieces;  ///< of all paths, those that were given up among them
  std::vector<std::uint32_t> overflowed;  ///< ships that were stopped where they are
  std::uint64_t taken = 0;                ///< steps of integration, since last added up
};

/// How far the prediction of a block has come, by lane.
struct LaneProgress {
  LaneReals left;  ///< seconds to the end
  LaneReals step;  ///< the step size found right so far
  LaneReals h;     ///< of the last attempt
  std::array<StepRule, laneCount> rules;
  std::array<std::uint64_t, laneCount> taken{};
  std::uint32_t active = 0;  ///< bit k: lane k is not at the end
};

/// One of its blocks.
struct ShipBlock {
  ShipGroup& group;
  ShipGroup::Block& motion;
  ShipGroup::Path* paths;                      ///< by lane
  std::array<std::size_t, laneCount> ships{};  ///< by lane; without a ship of its own, another's
  std::uint32_t lanes = 0;                     ///< bit k: there is one
};

}  // namespace nearmiss::engine
