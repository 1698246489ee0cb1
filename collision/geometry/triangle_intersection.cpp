// SPDX-License-Identifier: MIT
#include <nearmiss/triangle_intersection.h>

#include <utility>

#include "geometry/exact_predicates.h"

namespace nearmiss {
namespace {

/// The sides of a plane on which three corners lie.
struct Sides {
  std::array<int, 3> of;
  [[nodiscard]] bool allOnOne() const noexcept {
    return of[0] != 0 && of[0] == of[1] && of[0] == of[2];
  }
  [[nodiscard]] bool allOnPlane() const noexcept { return (of[0] | of[1] | of[2]) == 0; }
};

Sides sidesOf(const TrianglePlane& plane, const Triangle& t) noexcept {
  return {{plane.side(t[0]), plane.side(t[1]), plane.side(t[2])}};
}

/// A triangle seen from the other's plane, which it crosses or touches: the apex and two more
/// corners, so that both edges from the apex end or begin on the plane or cross it.
struct Crossing {
  Vec3 apex, left, right;
  int apexSide;  ///< +1 or -1; the other two corners are on the plane or on the opposite side
};

/// @pre The sides are neither all on one side nor all on the plane.
Crossing crossing(const Triangle& t, const Sides& sides) noexcept {
  const auto& s = sides.of;
  const auto turned = [&t](int i, int side) {
    return Crossing{t[i], t[(i + 1) % 3], t[(i + 2) % 3], side};
  };
  for (int i = 0; i < 3; ++i)
    if (s[i] != 0 && s[(i + 1) % 3] != s[i] && s[(i + 2) % 3] != s[i]) return turned(i, s[i]);
  // One corner touches the plane and two are on one side: the corner counts as on the other side
  const int touching = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
  return turned(touching, -s[(touching + 1) % 3]);
}

/// Both triangles cut the line in which their planes meet in a segment; whether these overlap, read
/// off four orientations [GD03].
bool segmentsOnCommonLineOverlap(Crossing a, Crossing b) noexcept {
  // With the apex of a above and that of b before the line, the line runs from left to right
  if (a.apexSide > 0) std::swap(b.left, b.right);
  if (b.apexSide < 0) std::swap(a.left, a.right);
  return orientation(a.apex, a.left, b.apex, b.right) <= 0 &&
         orientation(a.apex, a.right, b.apex, b.left) >= 0;
}

}  // namespace

bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept {
  // Reject by the planes
  const TrianglePlane planeB(b);
  const Sides aSides = sidesOf(planeB, a);
  if (aSides.allOnOne()) return false;
  const TrianglePlane planeA(a);
  const Sides bSides = sidesOf(planeA, b);
  if (bSides.allOnOne()) return false;

  // In one plane, or one of them without area: two closed triangles meet iff an edge of one meets
  // the other
  if (aSides.allOnPlane() || bSides.allOnPlane()) {
    for (int i = 0; i < 3; ++i)
      if (segmentMeetsTriangle(a[i], a[(i + 1) % 3], b) ||
          segmentMeetsTriangle(b[i], b[(i + 1) % 3], a))
        return true;
    return false;
  }
  return segmentsOnCommonLineOverlap(crossing(a, aSides), crossing(b, bSides));
}

}  // namespace nearmiss
