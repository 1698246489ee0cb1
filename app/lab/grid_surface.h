// SPDX-License-Identifier: MIT
/// Surfaces made of a grid of cells, used for the lab's models.
#pragma once

#include <nearmiss/mesh.h>

#include <cmath>
#include <cstdint>
#include <glm/gtc/constants.hpp>

namespace nearmiss::app::lab {

inline constexpr Real turn = glm::two_pi<Real>();

/// How a surface ends after its last row or column.
enum class Edge {
  Open,
  Joined,  ///< joined to the first
  Capped,  ///< closed by a fan around the centre of each end; rows only
};

/// Makes a surface of `rows` times `columns` cells; point(v, u) takes fractions 0 to 1 of the rows
/// and columns.
[[nodiscard]] TriangleMesh surface(std::uint32_t rows, Edge rowEdge, std::uint32_t columns,
                                   Edge columnEdge, const auto& point) {
  TriangleMesh mesh;
  const std::uint32_t wide = columnEdge == Edge::Joined ? columns : columns + 1;
  const std::uint32_t high = rowEdge == Edge::Joined ? rows : rows + 1;
  for (std::uint32_t i = 0; i < high; ++i)
    for (std::uint32_t k = 0; k < wide; ++k)
      mesh.positions.push_back(point(static_cast<Real>(i) / rows, static_cast<Real>(k) / columns));
  const auto at = [&](std::uint32_t i, std::uint32_t k) { return i % high * wide + k % wide; };
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t k = 0; k < columns; ++k) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
  if (rowEdge != Edge::Capped) return mesh;
  for (const std::uint32_t i : {0u, rows}) {
    Vec3 middle(0.0);
    for (std::uint32_t k = 0; k < wide; ++k) middle += mesh.positions[at(i, k)];
    const auto centre = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(middle / static_cast<Real>(wide));
    for (std::uint32_t k = 0; k < columns; ++k) {
      if (i == 0)
        mesh.triangles.push_back({at(i, k + 1), at(i, k), centre});
      else
        mesh.triangles.push_back({at(i, k), at(i, k + 1), centre});
    }
  }
  return mesh;
}

/// Makes the solid of revolution of radius(v, u) around z, at height(v).
[[nodiscard]] TriangleMesh lathed(std::uint32_t rows, std::uint32_t columns, const auto& radius,
                                  const auto& height) {
  return surface(rows, Edge::Capped, columns, Edge::Joined, [&](Real v, Real u) {
    const Real r = radius(v, u);
    return Vec3(r * std::cos(turn * u), r * std::sin(turn * u), height(v));
  });
}

}  // namespace nearmiss::app::lab
