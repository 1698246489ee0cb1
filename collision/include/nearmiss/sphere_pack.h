// SPDX-License-Identifier: MIT
/// Eight spheres side by side, and their ids.
#pragma once

#include <cstdint>

namespace nearmiss {

/// Up to eight siblings side by side, so that one pass compares a sphere with all of them. In the
/// body's own frame, metres. Unused lanes have radius -1 and come last.
struct SpherePack {
  static constexpr int width = 8;
  float x[width], y[width], z[width], r[width];
};

/// A sphere's id is its slot: pack * SpherePack::width + lane.
using SphereId = std::uint32_t;

}  // namespace nearmiss
