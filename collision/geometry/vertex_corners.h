// SPDX-License-Identifier: MIT
/// The corners of triangles about each vertex, from which edges, fans and stars of a mesh are found
/// in linear time.
#pragma once

#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The number of a corner is three times its triangle's number, plus its index.
class VertexCorners {
 public:
  /// @param workers threads; the result is the same for any number
  VertexCorners(const TriangleMesh& mesh, int workers);

  /// The corners about a vertex, ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const noexcept {
    return std::span(corners_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
  }
  [[nodiscard]] std::size_t vertices() const noexcept { return begins_.size() - 1; }

 private:
  std::vector<std::uint32_t> begins_;  ///< by vertex, and one more: start in corners_
  std::vector<std::uint32_t> corners_;
};

/// Returns the vertices whose triangles form more than one fan, ascending. Triangles of a fan are
/// connected by edges that end at the vertex.
[[nodiscard]] std::vector<std::uint32_t> nonManifoldVertices(const TriangleMesh& mesh,
                                                             const VertexCorners& corners,
                                                             int workers);

/// Sets `plain` to 1 for each vertex whose triangles are proven to meet only in the vertex and in
/// the edges that two of them share: projected along some direction, they lie side by side once
/// around the vertex.
void findPlainStars(const TriangleMesh& mesh, const VertexCorners& corners, int workers,
                    std::vector<char>& plain);

}  // namespace nearmiss
