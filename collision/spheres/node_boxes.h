// SPDX-License-Identifier: MIT
/// Boxes for the nodes of a finished sphere tree of any builder.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <array>
#include <optional>
#include <span>

namespace nearmiss {

/// Fits a box for every sphere below the root whose stored H (Hausdorff distance) is at least
/// `ratio` times that of the part of its box within the sphere, estimated at some points. A box
/// contains all pieces of the surface whose chain includes the sphere, so coverage stays
/// Guaranteed.
/// Errors: Cancelled, Unsupported (coverage not proven).
/// @pre ratio > 0, workers >= 1
[[nodiscard]] Result<NodeBoxes> fitNodeBoxes(const SphereTree& tree, const Polyhedron& polyhedron,
                                             Real ratio, int workers, BuildProgress* progress);

/// Returns a box that contains all pieces with a margin of `margin` metres. It is oriented along
/// the predominant planes and edges by area, so that its surface is small, though not minimal.
/// @pre there is a piece
[[nodiscard]] NodeBox fitBox(std::span<const Triangle> pieces, Real margin);

/// As fitBox(), in a tenth of the time: oriented along the predominant plane or lines.
[[nodiscard]] NodeBox fitBoxRoughly(std::span<const Triangle> pieces, Real margin);

/// Returns a box around corners, along the axes of another box.
/// @pre there is a corner
[[nodiscard]] NodeBox boxAlong(const NodeBox& axes, std::span<const Vec3> corners);

/// As fitBoxRoughly(); nothing if the box is no better than `ball`, which contains the pieces.
[[nodiscard]] std::optional<NodeBox> roughBox(std::span<const Triangle> pieces, const Sphere& ball);

/// Returns a box with its axes ordered by half extent, and half extents widened by `margin` and
/// rounded up. @pre axes and centre are representable in float
[[nodiscard]] NodeBox orderedBox(const std::array<Vec3, 3>& axes, const Vec3& centre,
                                 const std::array<Real, 3>& half, Real margin = 0.0) noexcept;

}  // namespace nearmiss
