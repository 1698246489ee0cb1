// SPDX-License-Identifier: MIT
/// The corners of triangles about each vertex: from them edges, fans and stars of a mesh come in
/// linear time.
#pragma once

#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A corner's number is three times its triangle's, plus its index.
class VertexCorners {
 public:
  /// @param workers threads; the same for any number
  VertexCorners(const TriangleMesh& mesh, int workers);

  /// Ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const noexcept {
    return std::span(corners_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
  }
  [[nodiscard]] std::size_t vertices() const noexcept { return begins_.size() - 1; }

 private:
  std::vector<std::uint32_t> begins_;  ///< by vertex, and one more: in corners_
  std::vector<std::uint32_t> corners_;
};

/// Vertices whose triangles form more than one fan, connected over edges that end in the vertex.
/// Ascending.
[[nodiscard]] std::vector<std::uint32_t> nonManifoldVertices(const TriangleMesh& mesh,
                                                             const VertexCorners& corners,
                                                             int workers);

/// Sets `plain` by vertex to 1 where its triangles are proven to meet nowhere but in the vertex and
/// in the edges that two of them share: seen along some direction they lie side by side once around
/// it.
void findPlainStars(const TriangleMesh& mesh, const VertexCorners& corners, int workers,
                    std::vector<char>& plain);

}  // namespace nearmiss
