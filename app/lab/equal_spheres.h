// SPDX-License-Identifier: MIT
/// How few spheres fit as well as those of the paper's builder: `nearmiss lab equal-spheres`.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/tree_quality.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// What to reach: the spheres of one level and the mean, over even points of the surface, of the
/// least H, the Hausdorff distance, of a sphere that holds the point (Hw, metres).
struct WantedFit {
  std::size_t spheres = 0;
  double hWeighted = 0.0;
};

/// A tree that was built for this, and how its deepest level fits.
struct TriedTree {
  std::string_view objective;  ///< as `tree build` names it
  int levels = 0, branching = 0;
  std::size_t mostSpheres = 0;  ///< the limit that it was built with
  std::size_t spheres = 0;
  double hWeighted = 0.0;
};

struct EqualSpheresRow {
  std::string model, builder;
  WantedFit wanted;
  /// The one of fewest spheres that fits as well; without spheres if there is none.
  TriedTree smallest;
  std::vector<TriedTree> tried;  ///< all, in their order
};

/// Builds trees of that builder for a few objectives and numbers of levels, each with fewer and
/// fewer spheres, for the smallest that reaches `wanted` with no more spheres. As Hw does not fall
/// with every single sphere that is added, the sizes just below the smallest are all tried.
/// @param measure as `wanted` was measured; its threads build as well
/// @param quick trees of one and two levels only
/// Errors: the builder's; Cancelled.
[[nodiscard]] Result<EqualSpheresRow> equalSpheres(const std::string& model,
                                                   std::string_view builder,
                                                   const Polyhedron& polyhedron,
                                                   const WantedFit& wanted,
                                                   const LevelMeasureSettings& measure, bool quick);

}  // namespace nearmiss::app
