// SPDX-License-Identifier: MIT
/// A soup, put together by the readers of single formats.
#pragma once

#include <span>

#include "model/model_assembly.h"

namespace nearmiss::engine {

class SoupBuilder {
 public:
  explicit SoupBuilder(std::size_t mostTriangles) : most_(mostTriangles) {
    soup_.materials.emplace_back();
  }

  /// Returns its index. Errors: TooLarge.
  Result<std::uint32_t> addVertex(const Vec3& position, const Vec3& normal = Vec3(0.0));
  /// One with fewer than three corners is counted as a point or line. Errors: TooLarge.
  /// @pre all corners were added
  Result<Success> addPolygon(std::span<const std::uint32_t> corners, std::uint32_t material = 0);
  void leaveOutPointOrLine() noexcept { ++soup_.pointsAndLines; }
  /// A sentence, said once the model is read, on what in the file is not part of it.
  void note(std::string sentence) { soup_.notes.push_back(std::move(sentence)); }

  [[nodiscard]] std::size_t vertexCount() const noexcept { return soup_.mesh.positions.size(); }
  [[nodiscard]] Soup& soup() noexcept { return soup_; }
  [[nodiscard]] Soup take() noexcept { return std::move(soup_); }

 private:
  Soup soup_;
  std::size_t most_;
  std::vector<Vec3> corners_;                            ///< of one polygon
  std::vector<std::array<std::uint32_t, 3>> triangles_;  ///< of one polygon
};

}  // namespace nearmiss::engine
