// SPDX-License-Identifier: MIT
/// Boxes and triangles of one body in the frame of another.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <cstdint>

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {

/// Far more than rounding can move a point of either body: widens boxes in another body's frame.
[[nodiscard]] inline Real slackOf(const Polyhedron& a, const Polyhedron& b,
                                  const Pose& bToA) noexcept {
  return 1e-9 * (a.radius() + b.radius() + glm::length(bToA.position));
}

[[nodiscard]] inline Pose inverseOf(const Pose& pose) noexcept {
  const Quat back = glm::conjugate(pose.rotation);
  return {back * -pose.position, back};
}

/// A triangle in the frame that `pose` moves it to: the doubles that every exact test is about.
[[nodiscard]] inline Triangle moved(const TriangleMesh& mesh, std::uint32_t triangle,
                                    const Pose& pose) noexcept {
  Triangle corners = mesh.corners(triangle);
  for (Vec3& corner : corners) corner = transformed(pose, corner);
  return corners;
}

/// By the length of the diagonal: which of two boxes to descend.
[[nodiscard]] inline bool larger(const Box& p, const Box& q) noexcept {
  return glm::dot(p.extent(), p.extent()) > glm::dot(q.extent(), q.extent());
}

class BoxMotion {
 public:
  explicit BoxMotion(const Pose& pose) noexcept
      : axes_(glm::mat3_cast(pose.rotation)), position_(pose.position) {}

  /// The box around a box, turned and moved, and `slack` metres wider on each side.
  [[nodiscard]] Box operator()(const Box& box, Real slack = 0.0) const noexcept {
    const Vec3 centre = axes_ * box.centre() + position_;
    const Vec3 half = 0.5 * box.extent();
    const Vec3 reach = glm::abs(axes_[0]) * half.x + glm::abs(axes_[1]) * half.y +
                       glm::abs(axes_[2]) * half.z + Vec3(slack);
    return {centre - reach, centre + reach};
  }

 private:
  glm::dmat3 axes_;
  Vec3 position_;
};

}  // namespace nearmiss
