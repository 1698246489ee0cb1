// SPDX-License-Identifier: MIT
#include "convex/convex_pair.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace nearmiss {

SupportPoint ConvexPair::support(const Vec3& direction, std::uint32_t startA,
                                 std::uint32_t startB) const noexcept {
  SupportPoint found;
  found.a = a_.farthest(direction, startA);
  found.b = b_.farthest(-(direction * axes_), startB);
  found.difference = cornerOfA(found.a) - cornerOfB(found.b);
  return found;
}

Real ConvexPair::gapAlong(const Vec3& unit, std::uint32_t startA,
                          std::uint32_t startB) const noexcept {
  return -glm::dot(support(unit, startA, startB).difference, unit);
}

Real ConvexPair::gapByFeaturesAt(std::uint32_t cornerA, std::uint32_t cornerB) const noexcept {
  Real most = 0.0;
  const auto look = [&](const ConvexPolytope& shape, std::uint32_t corner, bool ofA) {
    if (shape.flat()) return;
    for (const std::uint32_t e : shape.edgesAt(corner))
      for (const std::uint32_t f : shape.edges()[e].faces) {
        // Away from a
        const Vec3& own = shape.faces()[f].normal;
        most = std::max(most, gapAlong(ofA ? own : -turned(own), cornerA, cornerB));
      }
  };
  look(a_, cornerA, true);
  look(b_, cornerB, false);
  if (a_.flat() || b_.flat()) return most;
  for (const std::uint32_t e : a_.edgesAt(cornerA))
    for (const std::uint32_t f : b_.edgesAt(cornerB)) {
      const auto &p = a_.edges()[e].vertices, &q = b_.edges()[f].vertices;
      const Vec3 across = glm::cross(a_.vertices()[p[1]] - a_.vertices()[p[0]],
                                     turned(b_.vertices()[q[1]] - b_.vertices()[q[0]]));
      const Real length = glm::length(across);
      if (!(length > 0.0)) continue;
      for (const Real sign : {-1.0, 1.0})
        most = std::max(most, gapAlong(sign / length * across, cornerA, cornerB));
    }
  return most;
}

}  // namespace nearmiss
