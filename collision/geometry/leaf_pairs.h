// SPDX-License-Identifier: MIT
/// The descent of two trees of boxes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/rounded_boxes.h"

namespace nearmiss {

/// Leaves of the trees of two bodies.
struct LeafPair {
  std::uint32_t a, b;               ///< in RoundedBoxes::nodes
  unsigned trianglesA, trianglesB;  ///< bit k: triangle k of the leaf is not known to be apart
};

/// The leaves of two trees that RoundedMotion does not tell apart, nor any box above them: in the
/// order of a descent that goes down first, of two nodes into the larger. Their memory is
/// the thread's: it allocates nothing where an earlier descent needed as much.
class LeafPairs {
 public:
  /// Stops, with an empty list, where a level of the descent has more than `maxPairs`.
  LeafPairs(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
            std::size_t maxPairs);
  ~LeafPairs();
  LeafPairs(const LeafPairs&) = delete;
  LeafPairs& operator=(const LeafPairs&) = delete;

  /// False: there were more than maxPairs.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] std::span<const LeafPair> all() const noexcept {
    return std::span(pairs_).first(count_);
  }

 private:
  void keepNearTriangles(const RoundedBoxes& a, const RoundedBoxes& b,
                         const RoundedMotion& bToA) noexcept;

  std::vector<LeafPair> pairs_, next_;  ///< no shorter than any level was
  std::size_t count_ = 0;
  bool complete_ = true;
};

}  // namespace nearmiss
