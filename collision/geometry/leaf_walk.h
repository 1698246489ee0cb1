// SPDX-License-Identifier: MIT
/// The descent of two hierarchies of boxes at once, a few pairs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/rounded_motion.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {

/// Boxes of two bodies. Of leaves also the triangles.
struct LeafPair {
  std::uint32_t a = 0, b = 0;               ///< slots of WideBoxes
  unsigned trianglesA = 0, trianglesB = 0;  ///< bit k: triangle k of the leaf may be near
};

/// Finds the pairs of leaves that RoundedMotion does not tell apart, nor any box above them: in the
/// order of a descent that goes down first, of two boxes into the larger. Can stop between any two
/// steps. Keeps its memory.
class LeafWalk {
 public:
  /// Starts below a pair of boxes; the default pair is that of both roots.
  void begin(const LeafPair& from = {}) { waiting_.assign(1, from); }

  /// Leaves out the rest.
  void end() noexcept { waiting_.clear(); }
  [[nodiscard]] bool ended() const noexcept { return waiting_.empty(); }

  /// Looks at a few pairs of boxes, and appends the leaves that come next to `leaves`. Returns how
  /// many pairs it looked at.
  std::size_t step(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                   std::vector<LeafPair>& leaves);

  /// Descends level by level until a level has at least `wanted` pairs, or only leaves, and stores
  /// that level in `pairs`. Walks below these pairs find all leaves in order. Returns the number of
  /// pairs that were tested.
  static std::size_t split(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                           std::size_t wanted, std::vector<LeafPair>& pairs);

 private:
  std::vector<LeafPair> waiting_;  ///< the next one last
};

}  // namespace nearmiss
