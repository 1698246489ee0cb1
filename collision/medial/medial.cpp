// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "medial/merged_tree.h"

namespace nearmiss {

Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  const auto plan = planOf("medial", settings, settings.medial);
  if (!plan) return plan.error();
  // The paper's rule takes whatever looks like an inside; without one that fits no side
  const bool sided = polyhedron.report().solid() || plan->coverage != Coverage::Guaranteed ||
                     plan->guarantee != CoverageGuarantee::Partition;
  const auto findAxis = [&](std::size_t count) {
    if (!sided) return pointAxis(polyhedron, count, progress);
    return medialAxis(polyhedron, count, plan->adjacency, progress);
  };
  return buildMergedTree(polyhedron, *plan, findAxis, progress);
}

}  // namespace nearmiss
