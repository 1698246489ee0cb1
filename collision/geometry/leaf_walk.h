// SPDX-License-Identifier: MIT
/// The descent of two trees of boxes at once, a few pairs at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/leaf_pairs.h"
#include "geometry/rounded_boxes.h"

namespace nearmiss {

/// Finds the pairs of leaves of LeafPairs in the same order, but for some that are apart, and can
/// stop between any two steps. Keeps its memory.
class LeafWalk {
 public:
  /// Starts below a pair of nodes; the default pair is that of both roots.
  void begin(const LeafPair& from = {0, 0, 0, 0}) { waiting_.assign(1, from); }

  /// Leaves out the rest.
  void end() noexcept { waiting_.clear(); }
  [[nodiscard]] bool ended() const noexcept { return waiting_.empty(); }

  /// Looks at a few pairs of nodes, and appends the leaves that come next to `leaves`. Returns how
  /// many pairs it looked at.
  std::size_t step(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                   std::vector<LeafPair>& leaves);

  /// Descends level by level until a level has at least `wanted` pairs, or only leaves, and stores
  /// that level in `pairs`. Walks below these pairs find all leaves in order. Returns the number of
  /// pairs that were tested.
  static std::size_t split(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                           std::size_t wanted, std::vector<LeafPair>& pairs);

 private:
  std::vector<LeafPair> waiting_;  ///< the next one last
};

}  // namespace nearmiss
