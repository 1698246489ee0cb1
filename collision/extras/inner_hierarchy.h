// SPDX-License-Identifier: MIT
/// The hierarchy over chosen inner spheres.
#pragma once

#include <nearmiss/inner_spheres.h>

#include <vector>

namespace nearmiss {

/// Halves the spheres across their widest extent, three times for each level. A slot holds the
/// sphere that comes first in `chosen` of those below it.
/// @param chosen the best first; centres representable in float
[[nodiscard]] InnerSpheres innerHierarchy(const std::vector<Sphere>& chosen);

}  // namespace nearmiss
