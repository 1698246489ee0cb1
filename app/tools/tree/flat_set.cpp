// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_quality.h>

#include <fmt/format.h>

#include "console/progress_line.h"
#include "tools/tree/flat_set.h"

namespace nearmiss::app::tree {

Result<std::vector<Sphere>> fittedSpheres(const std::string& model, const Polyhedron& polyhedron,
                                          const FlatSetSettings& settings) {
  return runWithProgressLine(
      fmt::format("fitting {} spheres to {}", settings.count, model),
      [&](BuildProgress& progress) { return fitFlatSet(polyhedron, settings, &progress); });
}

Result<std::vector<ListedSphere>> fittedSet(const std::string& model, const Polyhedron& polyhedron,
                                            const FlatSetSettings& settings) {
  constexpr Real tolerance = 0.02;  // relative to the radius, for H
  const auto fitted = fittedSpheres(model, polyhedron, settings);
  if (!fitted) return fitted.error();
  std::vector<ListedSphere> set;
  for (const Sphere& sphere : *fitted)
    set.push_back(
        {sphere, measureSphere(polyhedron, sphere, tolerance * sphere.radius).ball, {}, {}});
  return set;
}

}  // namespace nearmiss::app::tree
