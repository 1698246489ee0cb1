// SPDX-License-Identifier: MIT
/// Balls anchored at points of a surface, as an axis for merging, and the settings of their
/// builder.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "builders/medial.h"

namespace nearmiss {

/// Returns an anchored ball [H96 §6.1, §10; OB79]: the largest that touches `anchor` from behind
/// and has no other point strictly inside. Its radius is 0 if no point limits it to `most`.
/// @param normal unit, outwards
[[nodiscard]] Sphere anchoredBall(const Vec3& anchor, const Vec3& normal,
                                  std::span<const Vec3> points, Real most) noexcept;

/// Computes anchored balls as an axis for merging: the balls of `count` evenly distributed points.
/// Omits balls whose anchor a larger one already touches, and shrinks balls into which the surface
/// between points extends.
///
/// The forming points of a ball are those within a tenth of the points' spacing of it; balls are
/// neighbours if they share one. A point whose ball is not inside the solid, as on open surfaces,
/// has a ball of radius 0. Empty if cancelled. The time grows with the square of `count`.
[[nodiscard]] MedialAxis anchoredBalls(const Polyhedron& polyhedron, std::size_t count, int workers,
                                       BuildProgress* progress);

/// Returns the settings for merging anchored balls in the form for any axis.
[[nodiscard]] MedialSettings mergeSettings(const AnchoredSettings& own) noexcept;

/// Checks the settings. Errors: Unsupported, in a sentence with the setting, its value and its
/// range.
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnchoredSettings& own);

}  // namespace nearmiss
