// SPDX-License-Identifier: MIT
/// Boxes for the nodes of a finished sphere tree, of any builder.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <optional>
#include <span>

namespace nearmiss {

/// A box for every sphere below the root whose stored H, the Hausdorff distance, is at least
/// `ratio` times that of the part of its box within it, measured at some points. A box holds all
/// pieces of the surface that have their chain through the sphere, so coverage stays Guaranteed.
/// Errors: Cancelled, Unsupported (coverage not proven). @pre ratio > 0, workers >= 1
[[nodiscard]] Result<NodeBoxes> fitNodeBoxes(const SphereTree& tree, const Polyhedron& polyhedron,
                                             Real ratio, int workers, BuildProgress* progress);

/// A box that holds all pieces with `margin` metres to spare, turned so that its own surface is
/// small, though not minimal: along the planes and edges that most of the area suggests.
/// @pre there is a piece
[[nodiscard]] NodeBox fitBox(std::span<const Triangle> pieces, Real margin);

/// As fitBox(), in a tenth of the time: along the plane or the lines of most of the area.
[[nodiscard]] NodeBox fitBoxRoughly(std::span<const Triangle> pieces, Real margin);

/// A box along the axes of another, around corners. @pre there is a corner
[[nodiscard]] NodeBox boxAlong(const NodeBox& axes, std::span<const Vec3> corners);

/// As fitBoxRoughly(); none where the box is no better than `ball`, which holds the pieces.
[[nodiscard]] std::optional<NodeBox> roughBox(std::span<const Triangle> pieces, const Sphere& ball);

}  // namespace nearmiss
