// SPDX-License-Identifier: MIT
#include "model/format/soup_builder.h"

#include <fmt/format.h>

#include "model/format/polygon_triangles.h"

namespace nearmiss::engine {

Result<std::uint32_t> SoupBuilder::addVertex(const Vec3& position, const Vec3& normal) {
  if (soup_.mesh.positions.size() >= 4 * most_)
    return Error{ErrorCode::TooLarge, fmt::format("more than the {} vertices allowed", 4 * most_)};
  soup_.mesh.positions.push_back(position);
  soup_.normals.push_back(unitOrZero(normal));
  return static_cast<std::uint32_t>(soup_.mesh.positions.size() - 1);
}

Result<Success> SoupBuilder::addPolygon(std::span<const std::uint32_t> corners,
                                        std::uint32_t material) {
  if (corners.size() < 3) {
    leaveOutPointOrLine();
    return Success{};
  }
  if (soup_.mesh.triangles.size() + corners.size() - 2 > most_)
    return Error{ErrorCode::TooLarge, fmt::format("more than the {} triangles allowed", most_)};
  corners_.clear();
  for (const std::uint32_t v : corners) corners_.push_back(soup_.mesh.positions[v]);
  triangles_.clear();
  triangulate(corners_, triangles_);
  for (const auto& [a, b, c] : triangles_) {
    soup_.mesh.triangles.push_back({corners[a], corners[b], corners[c]});
    soup_.materialOf.push_back(material);
  }
  return Success{};
}

}  // namespace nearmiss::engine
