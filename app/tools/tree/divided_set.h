// SPDX-License-Identifier: MIT
/// Reduces a tree to a given number of spheres that cover the same surface.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/tree/sphere_formats.h"

namespace nearmiss::app::tree {

/// Repeatedly replaces the sphere with the greatest H, the Hausdorff distance, by its children
/// until there are `count` spheres. If no children fit, merges the nearest ones into one ball.
/// Returns fewer spheres only if none can be divided. `levels` are those of listLevels(), where
/// parents and children refer to each other.
[[nodiscard]] std::vector<ListedSphere> dividedSet(
    const std::vector<std::vector<ListedSphere>>& levels, std::size_t count);

}  // namespace nearmiss::app::tree
