// SPDX-License-Identifier: MIT
/// The vertices of groups of triangles, each vertex once per group.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class VertexGroups {
 public:
  /// Adds the next group.
  void add(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
    const auto begin = static_cast<std::ptrdiff_t>(vertices_.size());
    for (const std::uint32_t t : triangles)
      vertices_.insert(vertices_.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
    std::sort(vertices_.begin() + begin, vertices_.end());
    vertices_.erase(std::unique(vertices_.begin() + begin, vertices_.end()), vertices_.end());
    begins_.push_back(static_cast<std::uint32_t>(vertices_.size()));
  }
  /// Ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t group) const noexcept {
    return std::span(vertices_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }

 private:
  std::vector<std::uint32_t> begins_{0};  ///< by group and one more: in vertices_
  std::vector<std::uint32_t> vertices_;
};

}  // namespace nearmiss
