// SPDX-License-Identifier: MIT
/// A sphere tree of one sphere, for shapes that were made without one: what needs a tree then goes
/// from the bounding sphere straight to the triangles.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

namespace nearmiss {

/// Metres: the reach of a polyhedron for which there is a tree of one sphere.
inline constexpr Real maxOneSphereReach = 4e17;

/// A tree of one sphere around the whole mesh. @pre radius() <= maxOneSphereReach.
[[nodiscard]] SphereTree oneSphereTree(const Polyhedron& polyhedron);

/// The shape itself if it has a sphere tree, otherwise the shape with a tree of one sphere, which
/// is made once per mesh. @pre as oneSphereTree()
[[nodiscard]] Shape withOneSphere(const Shape& shape);

}  // namespace nearmiss
