// SPDX-License-Identifier: MIT
/// A convex polytope at several levels of detail, and distances that are refined from the coarsest
/// on [EL00].
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <span>
#include <vector>

#include "geometry/convex_polytope.h"
#include "geometry/gjk.h"
#include "geometry/lin_canny.h"

namespace nearmiss {

/// Hulls of ever fewer corners of one polytope, so that they lie within it: its farthest corners in
/// directions that are spread evenly. None for a polytope of few corners.
class DetailHulls {
 public:
  struct Level {
    ConvexPolytope shape;
    std::vector<std::uint32_t> finer;  ///< by corner: the same one in the next finer level
    Real excess = 0.0;  ///< metres: no point of the polytope is farther from this one
  };

  DetailHulls() = default;
  explicit DetailHulls(const ConvexPolytope& full);
  /// The finest first.
  [[nodiscard]] std::span<const Level> levels() const noexcept { return levels_; }

 private:
  std::vector<Level> levels_;
};

/// A polytope with its levels.
struct DetailedPolytope {
  const ConvexPolytope& full;
  std::span<const DetailHulls::Level> coarser;
};

/// As linCannyDistance() of the full polytopes; each level begins where the coarser one ended. Ends
/// at a coarser level where that decides: where coarser hulls meet, or where their distance less
/// what they leave out is above `enough` metres, which is the lower bound then. `features` become
/// those of the full polytopes that were found, or nearest to them.
[[nodiscard]] ConvexDistance detailedDistance(const DetailedPolytope& a, const DetailedPolytope& b,
                                              const glm::dmat3& axesOfB, const Vec3& positionOfB,
                                              Real enough, ClosestFeatures& features);

}  // namespace nearmiss
