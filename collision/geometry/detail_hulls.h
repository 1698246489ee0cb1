// SPDX-License-Identifier: MIT
/// A convex polytope at several levels of detail, and distances that are refined starting from the
/// coarsest level [EL00].
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <span>
#include <vector>

#include "geometry/convex_polytope.h"
#include "geometry/gjk.h"
#include "geometry/lin_canny.h"

namespace nearmiss {

/// Hulls of subsets of a polytope's corners, which therefore lie within it: its farthest corners in
/// evenly distributed directions. A polytope with few corners has no levels.
class DetailHulls {
 public:
  struct Level {
    ConvexPolytope shape;
    std::vector<std::uint32_t> finer;  ///< by corner: the same corner in the next finer level
    /// metres: upper bound of the distance of points of the polytope from this hull
    Real excess = 0.0;
  };

  DetailHulls() = default;
  explicit DetailHulls(const ConvexPolytope& full);
  /// The levels, finest first.
  [[nodiscard]] std::span<const Level> levels() const noexcept { return levels_; }

 private:
  std::vector<Level> levels_;
};

/// A polytope and its levels.
struct DetailedPolytope {
  const ConvexPolytope& full;
  std::span<const DetailHulls::Level> coarser;
};

/// As linCannyDistance() of the full polytopes; each level starts where the coarser one ended.
/// Stops at a coarser level if that is enough to decide: if the coarser hulls meet, or if their
/// distance minus their excesses is above `enough` metres. In the latter case this is the lower
/// bound. `features` are set to the features of the full polytopes that were found or are nearest
/// to them.
[[nodiscard]] ConvexDistance detailedDistance(const DetailedPolytope& a, const DetailedPolytope& b,
                                              const glm::dmat3& axesOfB, const Vec3& positionOfB,
                                              Real enough, ClosestFeatures& features);

}  // namespace nearmiss
