// SPDX-License-Identifier: MIT
#include "convex/convex_pair.h"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace nearmiss {
namespace {

/// From plane to plane, where each was found to be better than the last.
constexpr int mostRounds = 8;

}  // namespace

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
  Vec3 best(0.0);
  const auto look = [&](const Vec3& unit) {
    const Real gap = gapAlong(unit, cornerA, cornerB);
    if (!(gap > most)) return;
    most = gap;
    best = unit;
  };
  // A better plane touches other corners, at which there may be a better one still
  for (int round = 0; round < mostRounds; ++round) {
    const Real before = most;
    lookAlongFaces(cornerA, cornerB, look);
    lookAlongEdges(cornerA, cornerB, look);
    if (!(most > before)) break;
    const SupportPoint touched = support(best, cornerA, cornerB);
    if (touched.a == cornerA && touched.b == cornerB) break;
    cornerA = touched.a;
    cornerB = touched.b;
  }
  return most;
}

/// Directions that point away from a.
void ConvexPair::lookAlongFaces(std::uint32_t cornerA, std::uint32_t cornerB,
                                const auto& look) const noexcept {
  if (!a_.flat())
    for (const std::uint32_t e : a_.edgesAt(cornerA))
      for (const std::uint32_t f : a_.edges()[e].faces) look(a_.faces()[f].normal);
  if (!b_.flat())
    for (const std::uint32_t e : b_.edgesAt(cornerB))
      for (const std::uint32_t f : b_.edges()[e].faces) look(-turned(b_.faces()[f].normal));
}

void ConvexPair::lookAlongEdges(std::uint32_t cornerA, std::uint32_t cornerB,
                                const auto& look) const noexcept {
  if (a_.flat() || b_.flat()) return;
  const auto along = [](const ConvexPolytope& shape, std::uint32_t edge) {
    const auto& ends = shape.edges()[edge].vertices;
    return shape.vertices()[ends[1]] - shape.vertices()[ends[0]];
  };
  for (const std::uint32_t e : a_.edgesAt(cornerA))
    for (const std::uint32_t f : b_.edgesAt(cornerB)) {
      const Vec3 across = glm::cross(along(a_, e), turned(along(b_, f)));
      const Real length = glm::length(across);
      if (!(length > 0.0)) continue;
      look(across / length);
      look(-across / length);
    }
}

}  // namespace nearmiss
