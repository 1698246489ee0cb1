// SPDX-License-Identifier: MIT
#include "files/mesh_file_builder.h"

#include <cmath>
#include <glm/geometric.hpp>

#include "files/polygon_triangles.h"
#include "files/text_words.h"

namespace nearmiss::files {
namespace {

/// Returns the direction of a normal in a file, or zero if it has none.
Vec3 unitOrZero(const Vec3& normal) noexcept {
  const Real length = glm::length(normal);
  return std::isfinite(length) && length > 0.0 ? normal / length : Vec3(0.0);
}

}  // namespace

Result<std::uint32_t> MeshFileBuilder::addVertex(const Vec3& position, const Vec3& normal) {
  // Divide instead of multiplying, because any limit may be set, and four times it could overflow
  if (file_.mesh.positions.size() / 4 >= max_)
    return Error{ErrorCode::TooLarge, filled("more than the {} vertices allowed", 4 * max_)};
  file_.mesh.positions.push_back(position);
  file_.normals.push_back(unitOrZero(normal));
  return static_cast<std::uint32_t>(file_.mesh.positions.size() - 1);
}

Result<Success> MeshFileBuilder::addPolygon(std::span<const std::uint32_t> corners,
                                            std::uint32_t material) {
  if (corners.size() < 3) {
    leaveOutPointOrLine();
    return Success{};
  }
  if (file_.mesh.triangles.size() + corners.size() - 2 > max_)
    return Error{ErrorCode::TooLarge, filled("more than the {} triangles allowed", max_)};
  corners_.clear();
  for (const std::uint32_t v : corners) corners_.push_back(file_.mesh.positions[v]);
  triangles_.clear();
  triangulate(corners_, triangles_);
  for (const auto& [a, b, c] : triangles_) {
    file_.mesh.triangles.push_back({corners[a], corners[b], corners[c]});
    file_.materialOf.push_back(material);
  }
  return Success{};
}

}  // namespace nearmiss::files
