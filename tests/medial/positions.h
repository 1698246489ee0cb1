// SPDX-License-Identifier: MIT
/// The positions of samples.
#pragma once

#include <vector>

#include "sampling/even_points.h"

namespace nearmiss::test {

inline std::vector<Vec3> positionsOf(const std::vector<SurfaceSample>& points) {
  std::vector<Vec3> positions;
  for (const SurfaceSample& point : points) positions.push_back(point.position);
  return positions;
}

}  // namespace nearmiss::test
