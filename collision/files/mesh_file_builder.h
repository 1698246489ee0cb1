// SPDX-License-Identifier: MIT
/// Assembles a mesh for the readers of single formats.
#pragma once

#include <nearmiss/advanced/mesh_file.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::files {

class MeshFileBuilder {
 public:
  explicit MeshFileBuilder(std::size_t maxTriangles) : max_(maxTriangles) {}

  /// Reserves memory.
  /// @pre the file has enough bytes for that many vertices and triangles
  void reserve(std::size_t vertices, std::size_t triangles) {
    file_.mesh.positions.reserve(vertices);
    file_.normals.reserve(vertices);
    file_.mesh.triangles.reserve(triangles);
    file_.materialOf.reserve(triangles);
  }
  /// Adds a vertex and returns its index. Errors: TooLarge.
  Result<std::uint32_t> addVertex(const Vec3& position, const Vec3& normal = Vec3(0.0));
  /// Adds a polygon. If it has fewer than three corners, it is counted as a point or line. Errors:
  /// TooLarge.
  /// @pre all corners were added
  Result<Success> addPolygon(std::span<const std::uint32_t> corners, std::uint32_t material = 0);
  void leaveOutPointOrLine() noexcept { ++file_.pointsAndLines; }
  /// Adds a sentence, reported after the model is read, about contents of the file that were not
  /// imported.
  void note(std::string sentence) { file_.notes.push_back(std::move(sentence)); }

  [[nodiscard]] std::size_t vertexCount() const noexcept { return file_.mesh.positions.size(); }
  [[nodiscard]] MeshFile& file() noexcept { return file_; }
  [[nodiscard]] MeshFile take() noexcept { return std::move(file_); }

 private:
  MeshFile file_;
  std::size_t max_;
  std::vector<Vec3> corners_;                            ///< of one polygon
  std::vector<std::array<std::uint32_t, 3>> triangles_;  ///< of one polygon
};

}  // namespace nearmiss::files
