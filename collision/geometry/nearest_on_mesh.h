// SPDX-License-Identifier: MIT
/// The point of a mesh that is nearest to a point, by a hierarchy of boxes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "geometry/box_tree.h"
#include "geometry/closest_points.h"

namespace nearmiss {

/// Returns the nearest point, or any point within `enough` metres once one is known.
/// @param tree of the mesh, which has at least one triangle
/// @param guess a triangle; the nearer it is, the fewer boxes are visited. With any guess, a tie is
/// decided in favour of the lowest index
[[nodiscard]] inline SurfacePoint nearestOn(const TriangleMesh& mesh, const BoxTree& tree,
                                            const Vec3& point, Real enough = 0.0,
                                            std::optional<std::uint32_t> guess = {}) noexcept {
  SurfacePoint best;
  Real least = std::numeric_limits<Real>::infinity();
  const auto compare = [&](std::uint32_t t) {
    const Vec3 position = closestOnTriangle(point, mesh.corners(t));
    const Real squared = squaredDistance(position, point);
    if (squared < least || (guess && squared == least && t < best.triangle)) {
      least = squared;
      best.position = position;
      best.triangle = t;
    }
  };
  if (guess) compare(*guess);
  // A triangle whose box is farther cannot be nearer, even by rounding
  const Box& all = tree.nodes[0].box;
  const Vec3 farthest = glm::max(glm::abs(all.low), glm::abs(all.high));
  const Real doubt = 1e-18 * glm::dot(farthest, farthest);
  const auto isFarther = [&](std::uint32_t t) {
    const Triangle corners = mesh.corners(t);
    const Box box{glm::min(glm::min(corners[0], corners[1]), corners[2]),
                  glm::max(glm::max(corners[0], corners[1]), corners[2])};
    return squaredDistance(box, point) > 1.0001 * least + doubt;
  };
  const Real goal = enough * enough;
  // With a guess, boxes at the same distance may hold a triangle of a lower index
  const auto mayHelp = [&](Real squared) { return squared < least || (guess && squared == least); };

  // Depth-first traversal, nearer child first. The stack holds only nodes farther than their
  // visited siblings.
  struct Waiting {
    std::uint32_t node;
    Real squared;
  };
  std::array<Waiting, BoxTree::maxDepth> stack;
  std::size_t size = 0;
  stack[size++] = {0, squaredDistance(tree.nodes[0].box, point)};
  while (size > 0 && (guess || least > goal)) {
    Waiting at = stack[--size];
    while (mayHelp(at.squared) && tree.nodes[at.node].count == 0) {
      const std::uint32_t second = tree.nodes[at.node].offset;
      Waiting near{at.node + 1, squaredDistance(tree.nodes[at.node + 1].box, point)};
      Waiting far{second, squaredDistance(tree.nodes[second].box, point)};
      if (far.squared < near.squared) std::swap(near, far);
      stack[size++] = far;
      at = near;
    }
    if (!mayHelp(at.squared)) continue;
    for (const std::uint32_t t : tree.trianglesOf(tree.nodes[at.node]))
      if (!isFarther(t)) compare(t);
  }
  best.distance = std::sqrt(least);
  return best;
}

}  // namespace nearmiss
