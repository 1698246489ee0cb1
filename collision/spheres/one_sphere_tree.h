// SPDX-License-Identifier: MIT
/// A sphere tree with a single sphere, for shapes that were made without a tree. Queries that need
/// a tree then go from the bounding sphere directly to the triangles.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

namespace nearmiss {

/// Maximum reach of a polyhedron for which a tree of one sphere exists, metres.
inline constexpr Real maxOneSphereReach = 4e17;

/// Returns a tree with one sphere around the whole mesh.
/// @pre radius() <= maxOneSphereReach
[[nodiscard]] SphereTree oneSphereTree(const Polyhedron& polyhedron);

/// Returns the shape itself if it has a sphere tree, otherwise the shape with a tree of one sphere,
/// which is made once per mesh.
/// @pre as oneSphereTree()
[[nodiscard]] Shape withOneSphere(const Shape& shape);

}  // namespace nearmiss
