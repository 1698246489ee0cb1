// SPDX-License-Identifier: MIT
/// The pairs of bodies that are near each other, kept from call to call while bodies move little.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <span>
#include <vector>

#include "broad/sphere_meetings.h"

namespace nearmiss {

/// Lists pairs whose bounding spheres nearly meet, and makes a new list only once a body has moved
/// by a share of its radius. Keeps its memory.
class NearPairs {
 public:
  /// Finds every pair that may be within `margin`: bounding spheres, the box of each and the sphere
  /// of the other, and both boxes are. Sorted; valid until the next call.
  /// @param states  in the order of their keys; unless forget() was called, the same bodies as in
  ///                the last call, and those that moved have another motionEpoch
  std::span<const BodyPair> find(std::span<const BodyState> states, const Shapes& shapes,
                                 Real margin, const TimeBudget& budget);

  /// Call it when bodies came or went.
  void forget() noexcept { listed_ = false; }

 private:
  struct ListedPair {
    BodyPair bodies;
    bool near = false;  ///< in the poses of the last call
    friend bool operator<(const ListedPair& a, const ListedPair& b) noexcept {
      return a.bodies < b.bodies;
    }
  };
  struct Seen {
    Vec3 listedAt{0.0};       ///< when the list was made
    std::uint32_t epoch = 0;  ///< BodyState::motionEpoch of the last call
    bool moved = true;        ///< since the last call
  };
  [[nodiscard]] bool stillListed(std::span<const BodyState> states);
  void list(std::span<const BodyState> states, Real margin);

  SphereMeetings meetings_;
  std::vector<ListedPair> pairs_;  ///< sorted
  std::vector<Seen> seen_;         ///< as states
  std::vector<BodyPair> near_;
  Real margin_ = 0.0;
  bool listed_ = false;
  std::uint64_t tests_ = 0;  ///< of this call
};

}  // namespace nearmiss
