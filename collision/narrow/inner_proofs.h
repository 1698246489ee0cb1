// SPDX-License-Identifier: MIT
/// Proofs by two inner spheres that meet: the same for every method that compares them.
#pragma once

#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <algorithm>
#include <vector>

#include "narrow/pair_setup.h"
#include "spheres/inner_spheres.h"

namespace nearmiss {

/// True if two inner spheres meet by more than the doubt in the pose, in double: lanes square sums
/// of radii less slack, which for very small ones may be negative.
[[nodiscard]] inline bool surelyMeet(const InnerSpheres& a, SphereId slotA, const InnerSpheres& b,
                                     SphereId slotB, const Pose& bToA, float slack) noexcept {
  const Sphere sphereB = b.sphere(slotB);
  return overlap(a.sphere(slotA), {transformed(bToA, sphereB.centre), sphereB.radius}) >=
         Real{slack};
}

/// Of the inner spheres of a shape's tree; made once per tree.
[[nodiscard]] inline const InnerComponents& componentsOf(const Shape& shape) {
  return KeptWithShape::ofTree(shape).get<InnerComponents>(
      [&shape] { return InnerComponents(shape.polyhedron(), shape.sphereTree()->data().inner); });
}

class InnerProofs {
 public:
  /// @param shapes with sphere trees; must outlive this
  explicit InnerProofs(const Shapes& shapes) : shapes_(shapes) {
    // Solids need none, and one surface that is no solid can meet any of the others
    if (std::ranges::all_of(shapes, &Shape::solid)) return;
    for (const Shape& shape : shapes) components_.push_back(&componentsOf(shape));
  }

  /// True if sphere `slotA` inside the first body and `slotB` inside the second prove contact.
  /// `slack`: the doubt in the pose, metres.
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
  std::vector<const InnerComponents*> components_;  ///< of the shapes; none if all are solids
};

}  // namespace nearmiss
