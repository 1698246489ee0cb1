// SPDX-License-Identifier: MIT
/// Eight spheres side by side, and their names.
#pragma once

#include <cstdint>

namespace nearmiss {

/// Up to eight siblings side by side, so that one pass compares a sphere with all of them. In the
/// body's own frame, metres. Unused places have radius -1 and come last.
struct SpherePack {
  static constexpr int width = 8;
  float x[width], y[width], z[width], r[width];
};

/// A sphere is named by its place: pack * SpherePack::width + lane.
using SphereId = std::uint32_t;

}  // namespace nearmiss
