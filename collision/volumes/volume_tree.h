// SPDX-License-Identifier: MIT
/// One volume for each box of a hierarchy of boxes.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box_tree.h"

namespace nearmiss {

/// The same nodes whatever the volumes are, so that only the volumes make the difference.
template <class Volume>
struct VolumeTree {
  BoxTree boxes;
  std::vector<Volume> volumes;  ///< by node of `boxes`
  /// No point of the volume is farther from the surface: the distance of its farthest point from
  /// one of its corners.
  std::vector<Real> reach;

  explicit VolumeTree(const TriangleMesh& mesh) : boxes(mesh) {
    volumes.resize(boxes.nodes.size());
    reach.resize(boxes.nodes.size());
    std::vector<Vec3> corners;
    fit(mesh, 0, corners);
  }

  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept {
    return boxes.nodes[node].count != 0;
  }

 private:
  /// Appends the corners of all triangles below the node, which are those of its children.
  void fit(const TriangleMesh& mesh, std::uint32_t node, std::vector<Vec3>& corners) {
    const BoxNode& own = boxes.nodes[node];
    const std::size_t first = corners.size();
    if (own.count != 0) {
      for (const std::uint32_t t : boxes.trianglesOf(own))
        for (const Vec3& corner : mesh.corners(t)) corners.push_back(corner);
    } else {
      fit(mesh, node + 1, corners);
      fit(mesh, own.offset, corners);
    }
    const std::span<const Vec3> points(corners.data() + first, corners.size() - first);
    volumes[node] = Volume::around(points);
    const Vec3 middle = volumes[node].enclosing().centre;
    const Vec3 nearest = *std::ranges::min_element(
        points, {}, [&middle](const Vec3& p) { return glm::distance(p, middle); });
    // What rounding takes from products is made up for
    reach[node] = volumes[node].reachFrom(nearest) * (1.0 + 1e-12);
  }
};

}  // namespace nearmiss
