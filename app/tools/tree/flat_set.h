// SPDX-License-Identifier: MIT
/// Flat sets of spheres fitted to a model, and the objectives of builders.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/spheres.h>

#include <string>
#include <string_view>
#include <vector>

#include "tools/tree/sphere_formats.h"

namespace nearmiss::app::tree {

/// In the order of SphereObjective.
[[nodiscard]] inline std::vector<std::string_view> objectiveNames() {
  return {"largest", "area", "outside", "exposed"};
}

/// @pre `name` is one of objectiveNames()
[[nodiscard]] inline SphereObjective objectiveNamed(std::string_view name) noexcept {
  if (name == "largest") return SphereObjective::Largest;
  if (name == "area") return SphereObjective::AreaWeighted;
  if (name == "outside") return SphereObjective::Outside;
  return SphereObjective::Exposed;
}

/// Calls fitFlatSet() with a progress line that names the model. An interrupt cancels it. Errors:
/// those of fitFlatSet().
[[nodiscard]] Result<std::vector<Sphere>> fittedSpheres(const std::string& model,
                                                        const Polyhedron& polyhedron,
                                                        const FlatSetSettings& settings);
/// As above, and computes H of each sphere.
[[nodiscard]] Result<std::vector<ListedSphere>> fittedSet(const std::string& model,
                                                          const Polyhedron& polyhedron,
                                                          const FlatSetSettings& settings);

}  // namespace nearmiss::app::tree
