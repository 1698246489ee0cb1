// SPDX-License-Identifier: MIT
#include "model/coordinate_check.h"

#include <nearmiss/mesh.h>

#include <cmath>

namespace nearmiss::engine {
namespace {

/// Larger numbers are damage, not models: an atom in metres beside the Earth's orbit is within it.
constexpr Real greatestCoordinate = 1e15;

}  // namespace

std::string_view coordinateFault(const Vec3& vertex) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const Real magnitude = std::abs(vertex[axis]);
    if (!std::isfinite(magnitude)) return "a vertex has a coordinate that is not a finite number";
    if (magnitude > greatestCoordinate) return "a vertex has a coordinate beyond 1e15";
    if (magnitude != 0.0 && magnitude < leastMagnitude)
      return "a vertex has a coordinate nearer to 0 than 1e-60, but not 0";
  }
  return {};
}

}  // namespace nearmiss::engine
