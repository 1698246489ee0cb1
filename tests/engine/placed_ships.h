// SPDX-License-Identifier: MIT
/// Ships at given places, and numbers that no ship may have.
#pragma once

#include <engine/flight/ship.h>

#include <array>
#include <limits>

namespace nearmiss::test {}

namespace nearmiss::engine::test {

// Helpers of all tests have the same name here
using namespace nearmiss::test;

inline constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
inline constexpr Real infinity = std::numeric_limits<Real>::infinity();
inline constexpr std::array hostile{nan, infinity, -infinity, 1e308, -1e308};

inline ShipDef at(Real x, Real y = 0.0, Real z = 0.0) {
  ShipDef def;
  def.pose.position = {x, y, z};
  return def;
}

}  // namespace nearmiss::engine::test
