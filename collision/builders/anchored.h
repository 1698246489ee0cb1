// SPDX-License-Identifier: MIT
/// Balls just inside a polyhedron: each is anchored at a point of the surface and shrunk until it
/// holds no other point [H96 §6.1, §10; OB79].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>

#include <cstddef>
#include <span>
#include <vector>

#include "builders/medial_axis.h"

namespace nearmiss {

/// The largest ball that touches `anchor` from behind and holds no other point strictly inside;
/// radius 0 where no point stops it from growing beyond `most`. `normal`: unit, outwards.
[[nodiscard]] Sphere anchoredBall(const Vec3& anchor, const Vec3& normal,
                                  std::span<const Vec3> points, Real most) noexcept;

/// As an axis for merging: the balls of `count` even points, without those whose anchor a larger
/// one touches already, and shrunk further where the surface between points reaches into them.
/// Forming points are all that lie within a tenth of the points' spacing of a ball; balls are
/// neighbours where they share one. A point whose ball is not inside the solid, as on open
/// surfaces, has one of radius 0. Empty if cancelled. The time grows with the square of `count`.
[[nodiscard]] MedialAxis anchoredBalls(const Polyhedron& polyhedron, std::size_t count, int workers,
                                       BuildProgress* progress);

}  // namespace nearmiss
