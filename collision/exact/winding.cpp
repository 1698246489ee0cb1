// SPDX-License-Identifier: MIT
#include "exact/winding.h"

#include "exact/exact_tests.h"
#include "exact/orientation.h"

namespace nearmiss {

/// The sign of the area of p, q and the point in the y-z plane, the point moved by (e, e^2): zero
/// only if p and q coincide there.
int WindingCount::sideOfEdge(const Vec3& p, const Vec3& q) const noexcept {
  if (const int side = orientation2d(Projection::AlongX, p, q, point_); side != 0) return side;
  if (p.z != q.z) return p.z > q.z ? 1 : -1;
  if (p.y != q.y) return q.y > p.y ? 1 : -1;
  return 0;
}

void WindingCount::add(const Triangle& t) noexcept {
  Box box;
  for (const Vec3& p : t) box.include(p);
  if (!mayCross(box)) return;
  if (box.low.x <= point_.x && pointInTriangle(point_, t)) onSurface_ = true;

  // Does the moved ray's line pass through the triangle?
  const int facing = sideOfEdge(t[0], t[1]);
  if (facing == 0 || sideOfEdge(t[1], t[2]) != facing || sideOfEdge(t[2], t[0]) != facing) return;

  // Towards +x, it leaves where the normal points that way too
  if (orientation(t[0], t[1], t[2], point_) == facing) winding_ += facing;
}

}  // namespace nearmiss
