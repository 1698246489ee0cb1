// SPDX-License-Identifier: MIT
/// Points spread over a surface or a cube by an even sequence: quick, the same every time.
#pragma once

#include "sampling/even_points.h"

#include <nearmiss/triangle_mesh.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

/// The k-th point of an even sequence in the unit cube.
[[nodiscard]] Vec3 evenPoint(std::size_t k) noexcept;

/// `count` points of the surface, the same share of them to equal areas, in the order of its
/// triangles. Less even than evenPoints(), and far quicker.
[[nodiscard]] std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count);

}  // namespace nearmiss
