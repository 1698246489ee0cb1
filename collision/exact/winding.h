// SPDX-License-Identifier: MIT
/// How a surface winds about a point, counted exactly along one ray.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

namespace nearmiss {

/// Counts how often the ray from a point towards +x leaves a surface, less how often it enters: the
/// winding number of a closed surface. Where the ray meets an edge or a vertex, it counts as if it
/// ran an infinitesimal step further along y and a far smaller one along z, so that each crossing
/// is counted once and no direction is ever degenerate.
class WindingCount {
 public:
  explicit WindingCount(const Vec3& point) noexcept : point_(point) {}

  /// Whether a box can hold triangles that matter.
  [[nodiscard]] bool mayCross(const Box& box) const noexcept {
    return box.high.x >= point_.x && box.low.y <= point_.y && box.high.y >= point_.y &&
           box.low.z <= point_.z && box.high.z >= point_.z;
  }

  void add(const Triangle& triangle) noexcept;

  [[nodiscard]] int winding() const noexcept { return winding_; }
  /// Whether one of the triangles holds the point.
  [[nodiscard]] bool onSurface() const noexcept { return onSurface_; }
  [[nodiscard]] bool inside() const noexcept { return onSurface_ || winding_ > 0; }

 private:
  [[nodiscard]] int sideOfEdge(const Vec3& p, const Vec3& q) const noexcept;

  Vec3 point_;
  int winding_ = 0;
  bool onSurface_ = false;
};

}  // namespace nearmiss
