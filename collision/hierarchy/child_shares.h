// SPDX-License-Identifier: MIT
/// How the spheres of a level are shared out among the spheres above it.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <span>
#include <vector>

namespace nearmiss {

/// How many children each parent gets, from 1 to `most`, together at most `total`, so that all
/// children come out about as inaccurate: half the inaccuracy of a piece of surface takes four
/// times the spheres.
/// @param inaccuracies of the parents, finite and not negative
/// @pre total is at least the number of parents
[[nodiscard]] std::vector<std::size_t> childShares(std::span<const Real> inaccuracies,
                                                   std::size_t total, std::size_t most);

}  // namespace nearmiss
