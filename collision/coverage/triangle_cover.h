// SPDX-License-Identifier: MIT
/// Whether spheres cover a triangle: the boundary lemma, and pieces where it leaves a doubt.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <optional>
#include <span>

namespace nearmiss {

/// A point of the triangle that may be outside of all spheres, or none: then the triangle is
/// covered, for certain. By the boundary lemma [H96 §9.1]; where that leaves a doubt, by pieces
/// that lie wholly in one of the spheres.
[[nodiscard]] std::optional<Vec3> openPoint(const Triangle& triangle,
                                            std::span<const Sphere> spheres);

}  // namespace nearmiss
