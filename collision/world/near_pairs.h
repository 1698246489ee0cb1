// SPDX-License-Identifier: MIT
/// Finds the pairs of bodies that are near each other. The list is kept from call to call while
/// bodies move little.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <span>
#include <vector>

#include "broad/sphere_meetings.h"

namespace nearmiss {

/// Lists pairs whose bounding spheres nearly overlap, and rebuilds the list only after a body has
/// moved by a share of its radius. Reuses its memory.
class NearPairs {
 public:
  /// Finds every pair that may be within `margin`, judged by both bounding spheres, by the box of
  /// each body and the sphere of the other, and by both boxes. Sorted; valid until the next call.
  /// @param states sorted by key. Unless forget() was called, the same bodies as in the last call;
  /// bodies that moved must have another motionEpoch.
  std::span<const BodyPair> find(std::span<const BodyState> states, const Shapes& shapes,
                                 Real margin, const TimeBudget& budget);

  /// Call it when bodies were added or removed.
  void forget() noexcept { listed_ = false; }

 private:
  struct ListedPair {
    BodyPair bodies;
    bool near = false;  ///< at the poses of the last call
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
