// SPDX-License-Identifier: MIT
#include "mesh/mesh_edges.h"

#include <algorithm>
#include <tuple>

namespace nearmiss {

std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh) {
  std::vector<EdgeUse> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), t, from > to});
    }
  std::sort(edges.begin(), edges.end(), [](const EdgeUse& p, const EdgeUse& q) {
    return std::tie(p.low, p.high, p.triangle, p.backward) <
           std::tie(q.low, q.high, q.triangle, q.backward);
  });
  return edges;
}

}  // namespace nearmiss
