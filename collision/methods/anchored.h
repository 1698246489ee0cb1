// SPDX-License-Identifier: MIT
/// Balls anchored at points of a surface, as an axis to merge, and the settings of their builder.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/tree_builders.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "builders/medial.h"

namespace nearmiss {

/// An anchored ball [H96 §6.1, §10; OB79]: the largest that touches `anchor` from behind and holds
/// no other point strictly inside; radius 0 where no point stops it from growing beyond `most`.
/// `normal`: unit, outwards.
[[nodiscard]] Sphere anchoredBall(const Vec3& anchor, const Vec3& normal,
                                  std::span<const Vec3> points, Real most) noexcept;

/// Anchored balls as an axis for merging: the balls of `count` even points, without those whose
/// anchor a larger one touches already, and shrunk further where the surface between points reaches
/// into them. Forming points are all that lie within a tenth of the points' spacing of a ball;
/// balls are neighbours where they share one. A point whose ball is not inside the solid, as on
/// open surfaces, has one of radius 0. Empty if cancelled. The time grows with the square of
/// `count`.
[[nodiscard]] MedialAxis anchoredBalls(const Polyhedron& polyhedron, std::size_t count, int workers,
                                       BuildProgress* progress);

/// The settings of anchored balls as those of merging the balls of any axis.
[[nodiscard]] MedialSettings mergeSettings(const AnchoredSettings& own) noexcept;

/// Errors: Unsupported, in a sentence with the setting, its value and its range.
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnchoredSettings& own);

}  // namespace nearmiss
