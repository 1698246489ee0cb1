// SPDX-License-Identifier: MIT
#include "convex/convex_pair.h"

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

}  // namespace nearmiss
