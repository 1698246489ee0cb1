// SPDX-License-Identifier: MIT
/// The levels of a sphere tree in figures.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

/// One level of a tree in figures, all lengths in metres of the body frame.
struct SphereLevelReport {
  std::size_t spheres = 0;
  Real hausdorffMean = 0.0, hausdorffMax = 0.0;  ///< H
  Real outsideMean = 0.0, outsideMax = 0.0;      ///< Ho; as H for what is no solid
  Real radiusMean = 0.0, radiusMax = 0.0;
};
[[nodiscard]] std::vector<SphereLevelReport> levelReports(const SphereTree& tree);

}  // namespace nearmiss
