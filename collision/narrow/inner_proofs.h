// SPDX-License-Identifier: MIT
/// Proofs by two overlapping inner spheres, shared by all methods that compare them.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <vector>

#include "narrow/pair_setup.h"
#include "spheres/inner_spheres.h"

namespace nearmiss {

/// Returns true if two inner spheres overlap by more than the error of the pose, in double. (Lanes
/// square the sum of radii minus slack, which for tiny spheres may be negative.)
[[nodiscard]] inline bool surelyMeet(const InnerSpheres& a, SphereId slotA, const InnerSpheres& b,
                                     SphereId slotB, const Pose& bToA, float slack) noexcept {
  const Sphere sphereB = b.sphere(slotB);
  return overlap(a.sphere(slotA), {transformed(bToA, sphereB.centre), sphereB.radius}) >=
         Real{slack};
}

/// Returns the components of the inner spheres of a shape's tree. Built once per tree.
[[nodiscard]] inline const InnerComponents& componentsOf(const Shape& shape) {
  return KeptWithShape::ofTree(shape).get<InnerComponents>(
      [&shape] { return InnerComponents(shape.polyhedron(), shape.sphereTree()->data().inner); });
}

class InnerProofs {
 public:
  /// @param shapes with sphere trees; must outlive this
  explicit InnerProofs(const Shapes& shapes) : shapes_(shapes) {
    // Solids need no table, and a single surface that is not a solid can only meet solids
    if (std::ranges::all_of(shapes, &Shape::solid)) return;
    for (const Shape& shape : shapes) components_.push_back(&componentsOf(shape));
  }

  /// Returns true if sphere `slotA` inside the first body and `slotB` inside the second prove
  /// contact.
  /// @param slack error of the pose, metres
  [[nodiscard]] bool prove(const PairFrame& pair, SphereId slotA, SphereId slotB,
                           float slack) const noexcept {
    const Shape &a = shapes_[pair.shapeA], &b = shapes_[pair.shapeB];
    if (!surelyMeet(a.sphereTree()->data().inner, slotA, b.sphereTree()->data().inner, slotB,
                    pair.bToA, slack))
      return false;
    return (a.solid() && b.solid()) ||
           InnerComponents::proveContact(*components_[static_cast<std::size_t>(pair.shapeA)], slotA,
                                         *components_[static_cast<std::size_t>(pair.shapeB)], slotB,
                                         pair.bToA, slack);
  }

 private:
  const Shapes& shapes_;
  std::vector<const InnerComponents*> components_;  ///< per shape; empty if all are solids
};

}  // namespace nearmiss
