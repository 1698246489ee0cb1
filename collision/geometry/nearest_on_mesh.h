// SPDX-License-Identifier: MIT
/// The point of a mesh that is nearest to a point, by a hierarchy of boxes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/box_tree.h"
#include "geometry/closest_points.h"

namespace nearmiss {

/// Returns the nearest point, or any point within `enough` metres once one is known.
/// @param tree of the mesh, which has at least one triangle
[[nodiscard]] inline SurfacePoint nearestOn(const TriangleMesh& mesh, const BoxTree& tree,
                                            const Vec3& point, Real enough = 0.0) noexcept {
  SurfacePoint best;
  Real least = std::numeric_limits<Real>::infinity();
  const Real goal = enough * enough;

  // Depth-first traversal, nearer child first. The stack holds only nodes farther than their
  // visited siblings.
  struct Waiting {
    std::uint32_t node;
    Real squared;
  };
  std::array<Waiting, BoxTree::maxDepth> stack;
  std::size_t size = 0;
  stack[size++] = {0, squaredDistance(tree.nodes[0].box, point)};
  while (size > 0 && least > goal) {
    Waiting at = stack[--size];
    while (at.squared < least && tree.nodes[at.node].count == 0) {
      const std::uint32_t second = tree.nodes[at.node].offset;
      Waiting near{at.node + 1, squaredDistance(tree.nodes[at.node + 1].box, point)};
      Waiting far{second, squaredDistance(tree.nodes[second].box, point)};
      if (far.squared < near.squared) std::swap(near, far);
      stack[size++] = far;
      at = near;
    }
    if (at.squared >= least) continue;
    for (const std::uint32_t t : tree.trianglesOf(tree.nodes[at.node])) {
      const Vec3 position = closestOnTriangle(point, mesh.corners(t));
      const Real squared = squaredDistance(position, point);
      if (squared < least) {
        least = squared;
        best.position = position;
        best.triangle = t;
      }
    }
  }
  best.distance = std::sqrt(least);
  return best;
}

}  // namespace nearmiss
