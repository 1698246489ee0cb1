// SPDX-License-Identifier: MIT
#include "contact/surface_crossings.h"

#include <algorithm>

#include "contact/contact_id.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {

void SurfaceCrossings::begin(const ContactBody& a, const ContactBody& b,
                             const Pose& bToA) noexcept {
  a_ = &a;
  b_ = &b;
  triangles_.begin(a.polyhedron(), b.polyhedron(), bToA, 0.0, {});
  next_ = triangles_.pairs().size();
  sample_.clear();
}

bool SurfaceCrossings::step(WorkCount& work) {
  constexpr std::size_t some = 32;
  if (next_ >= triangles_.pairs().size()) {
    if (!triangles_.listSome(work)) return false;
    next_ = 0;
  }
  const std::size_t end = std::min(next_ + some, triangles_.pairs().size());
  while (next_ < end) {
    compare(triangles_.pairs()[next_++], work);
    if (solids() && !sample_.empty()) return false;
  }
  return true;
}

void SurfaceCrossings::compare(const NearTrianglePairs::Pair& pair, WorkCount& work) {
  ++work.triangleTests;
  const Triangle cornersA = a_->mesh().corners(pair.a);
  if (!trianglesMeet(cornersA, pair.cornersB)) return;
  const Vec3 at =
      solids() ? closestPoints(cornersA, pair.cornersB).a : pointOfBoth(cornersA, pair.cornersB);
  const bool outOfB = !a_->hasInside() && b_->hasInside();
  const Vec3 normal = outOfB ? faceNormalOf(pair.cornersB) : -faceNormalOf(cornersA);
  sample_.add({at, at, normal, 0.0, contactId(ContactKind::Depth, pair.a + 1, pair.b)});
}

}  // namespace nearmiss
