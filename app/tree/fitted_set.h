// SPDX-License-Identifier: MIT
/// A flat set of spheres fitted to a model itself.
#pragma once

#include <nearmiss/flat_set.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <string>
#include <vector>

#include "tree/sphere_listing.h"

namespace nearmiss::app {

/// fitFlatSet() with a line of progress that names the model. An interrupt cancels it. Errors:
/// those of fitFlatSet().
[[nodiscard]] Result<std::vector<Sphere>> fittedSpheres(const std::string& model,
                                                        const Polyhedron& polyhedron,
                                                        const FlatSetSettings& settings);
/// The same, and H of each sphere.
[[nodiscard]] Result<std::vector<ListedSphere>> fittedSet(const std::string& model,
                                                          const Polyhedron& polyhedron,
                                                          const FlatSetSettings& settings);

}  // namespace nearmiss::app
