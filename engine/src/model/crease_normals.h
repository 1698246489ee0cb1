// SPDX-License-Identifier: MIT
/// Normals for drawing a surface without normals: smooth over its curves, broken at its edges.
#pragma once

#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace nearmiss::engine {

/// A number for every vertex, the same for equal positions; dense from 0, in the order of
/// coordinates.
[[nodiscard]] std::vector<std::uint32_t> distinctPositions(const TriangleMesh& mesh);

/// One normal a corner of each triangle, unit length: the mean over the triangles about the same
/// position that turn away by at most 40 degrees, weighted by their angle there. A triangle without
/// area gets (0, 0, 1).
[[nodiscard]] std::vector<std::array<Vec3, 3>> creaseNormals(
    const TriangleMesh& mesh, const std::vector<std::uint32_t>& distinctPositions);

}  // namespace nearmiss::engine
