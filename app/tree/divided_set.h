// SPDX-License-Identifier: MIT
/// A given number of spheres that together cover what a tree covers.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/sphere_formats.h"

namespace nearmiss::app::tree {

/// Divides the sphere with the greatest H, the Hausdorff distance, into its children until there
/// are `count` spheres. Where the children of none fit, those nearest to each other are put into
/// one ball. Returns fewer only where no sphere is left to divide. `levels` are those of
/// listLevels(): parents and children name each other.
[[nodiscard]] std::vector<ListedSphere> dividedSet(
    const std::vector<std::vector<ListedSphere>>& levels, std::size_t count);

}  // namespace nearmiss::app::tree
