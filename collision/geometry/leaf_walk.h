// SPDX-License-Identifier: MIT
/// Traverses two hierarchies of boxes together, a few pairs of boxes per step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/rounded_motion.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {

/// Boxes of two bodies; for leaves, also the triangles.
struct LeafPair {
  std::uint32_t a = 0, b = 0;               ///< slots of WideBoxes
  unsigned trianglesA = 0, trianglesB = 0;  ///< bit k: triangle k of the leaf may be near
};

/// Finds all pairs of leaves whose boxes may overlap. Depth-first; always descends the larger of
/// two boxes. Prunes a pair once RoundedMotion proves its boxes separate. Can stop between any two
/// steps, and reuses its memory.
class LeafWalk {
 public:
  /// Starts below a pair of boxes; the default is the pair of both roots.
  void begin(const LeafPair& from = {}) { waiting_.assign(1, from); }

  /// Skips the rest.
  void end() noexcept { waiting_.clear(); }
  [[nodiscard]] bool ended() const noexcept { return waiting_.empty(); }

  /// Tests a few pairs of boxes and appends the pairs of leaves among them to `leaves`. Returns the
  /// number of tested pairs.
  std::size_t step(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                   std::vector<LeafPair>& leaves);

  /// Descends level by level until a level has at least `wanted` pairs, or only leaves, and stores
  /// that level in `pairs`. Walks below these pairs find all leaves in order. Returns the number of
  /// pairs that were tested.
  static std::size_t split(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                           std::size_t wanted, std::vector<LeafPair>& pairs);

 private:
  std::vector<LeafPair> waiting_;  ///< stack: the next pair is last
};

}  // namespace nearmiss
