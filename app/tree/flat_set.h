// SPDX-License-Identifier: MIT
/// A given number of spheres that together cover what a tree covers.
#pragma once

#include <cstddef>
#include <vector>

#include "tree/sphere_listing.h"

namespace nearmiss::app {

/// Divides the sphere with the greatest H, the Hausdorff distance, into its children until there
/// are `count` spheres. Where the children of none fit, those nearest to each other are put into
/// one ball. Returns fewer only where no sphere is left to divide.
[[nodiscard]] std::vector<ListedSphere> flatSet(
    const std::vector<std::vector<ListedSphere>>& levels, std::size_t count);

}  // namespace nearmiss::app
