// SPDX-License-Identifier: MIT
/// How many spheres a level gets, and how they are shared out among the spheres above it.
#pragma once

#include <nearmiss/builder_settings.h>

#include <nearmiss/math.h>

#include <cstddef>
#include <span>
#include <vector>

namespace nearmiss {

/// No sphere has more children: a division compares each of them with each.
inline constexpr std::size_t maxChildren = mostSpheresOfOneLevel;

/// How many spheres level `level` of `levels` may have: branching^level, unless `most` is given,
/// for the deepest level. Then the others have as many all the same, or, if these are more, as many
/// as grow from level to level by the same factor up to `most`; but no more than can double from
/// there on. Never less than the level above has.
/// @pre 1 <= level <= levels, most <= maxSpheresOf(levels)
[[nodiscard]] std::size_t levelTotal(int level, int levels, int branching,
                                     std::size_t most) noexcept;

/// How many children each parent gets, from 1 to `most`, together at most `total`, so that all
/// children get about the same Hausdorff distance: half the distance for a piece of surface takes
/// four times the spheres.
/// @param distances Hausdorff distances of the parents, finite and not negative
/// @pre total is at least the number of parents
[[nodiscard]] std::vector<std::size_t> childShares(std::span<const Real> distances,
                                                   std::size_t total, std::size_t most);

}  // namespace nearmiss
