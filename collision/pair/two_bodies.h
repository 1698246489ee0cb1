// SPDX-License-Identifier: MIT
/// Two shapes in their poses, kept by queries from one pair of poses to the next.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <type_traits>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/sound_pose.h"

namespace nearmiss {

/// Returns step(). If it throws, a half-done search must not be continued: resets `parts`, so that
/// the query has to begin() again.
template <class Parts, class Step>
std::invoke_result_t<const Step&> resetOnThrow(Parts& parts, const Step& step) {
  NEARMISS_TRY { return step(); }
  NEARMISS_CATCH(...) {
    parts = Parts();
    NEARMISS_RETHROW;
  }
}

/// Returns the maximum motion of any point of either body in the frame of the other, metres.
/// Computed as a motion of the smaller body, because a rotation is weighted by the radius.
/// @param from, to poses of b in the frame of a
[[nodiscard]] inline Real motionBetween(const Polyhedron& a, const Polyhedron& b, const Pose& from,
                                        const Pose& to) noexcept {
  const bool smallA = a.radius() < b.radius();
  const Pose begin = smallA ? inverseOf(from) : from, end = smallA ? inverseOf(to) : to;
  const Quat turn = glm::conjugate(begin.rotation) * end.rotation;
  const Real chord = 2.0 * glm::length(Vec3(turn.x, turn.y, turn.z));
  return glm::distance(begin.position, end.position) + chord * std::min(a.radius(), b.radius());
}

/// Returns true if replacing one shape by the other changes nothing that queries use.
[[nodiscard]] inline bool sameParts(const Shape& p, const Shape& q) noexcept {
  return p.sharesMeshWith(q) && p.sphereTree() == q.sphereTree() && p.bspTree() == q.bspTree();
}

class TwoBodies {
 public:
  void take(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
    demandSound(poseA, "poseA");
    demandSound(poseB, "poseB");
    if (!a_ || !sameParts(*a_, a)) a_ = a;
    if (!b_ || !sameParts(*b_, b)) b_ = b;
    poseA_ = withUnitRotation(poseA);
    bToA_ = relativePose(poseA_, withUnitRotation(poseB));
  }

  [[nodiscard]] bool taken() const noexcept { return a_.has_value(); }
  [[nodiscard]] const Shape& shapeA() const noexcept { return *a_; }
  [[nodiscard]] const Shape& shapeB() const noexcept { return *b_; }
  [[nodiscard]] const Polyhedron& a() const noexcept { return a_->polyhedron(); }
  [[nodiscard]] const Polyhedron& b() const noexcept { return b_->polyhedron(); }
  [[nodiscard]] const Pose& poseA() const noexcept { return poseA_; }
  [[nodiscard]] const Pose& bToA() const noexcept { return bToA_; }

  /// Returns true if the bounding sphere of one body is farther than `reach` metres from the box of
  /// the other.
  [[nodiscard]] bool fartherThan(Real reach) const noexcept {
    const auto beyond = [&](const Polyhedron& body, const Vec3& centre, const Polyhedron& other) {
      const Real enough = other.radius() + reach;
      return squaredDistance(body.bounds(), centre) > enough * enough;
    };
    return beyond(a(), bToA_.position, b()) || beyond(b(), inverseOf(bToA_).position, a());
  }

 private:
  std::optional<Shape> a_, b_;
  Pose poseA_, bToA_;
};

}  // namespace nearmiss
