// SPDX-License-Identifier: MIT
/// A sphere tree of one sphere, for shapes that were made without one: what needs a tree then goes
/// from the bounding sphere straight to the triangles.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

namespace nearmiss {

/// Metres: the reach of a polyhedron for which there is a tree of one sphere.
inline constexpr Real maxOneSphereReach = 4e17;

/// The shape with a tree of one sphere. Errors: Unsupported (a shape that reaches farther than
/// maxOneSphereReach from its origin), OutOfMemory.
Result<Shape> withOneSphere(const Shape& shape);

}  // namespace nearmiss
