// SPDX-License-Identifier: MIT
/// The edges of a mesh over shared vertices.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// One side of a triangle, run from its low to its high vertex or back.
struct EdgeUse {
  std::uint32_t low, high;
  std::uint32_t triangle;
  bool backward;
};

/// Those of one edge side by side, in the order of their triangles.
[[nodiscard]] std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh);

/// Calls visit with each run of uses of one edge.
void forEachEdge(const std::vector<EdgeUse>& edges, const auto& visit) {
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    end = begin + 1;
    while (end < edges.size() && edges[end].low == edges[begin].low &&
           edges[end].high == edges[begin].high)
      ++end;
    visit(std::span(edges).subspan(begin, end - begin));
  }
}

}  // namespace nearmiss
