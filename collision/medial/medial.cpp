// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "medial/merged_tree.h"

namespace nearmiss {

Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  const auto plan = planOf("medial", settings, settings.medial);
  if (!plan) return plan.error();
  // The paper's rule takes whatever looks like an inside. Without one that fits no side; and by the
  // largest H, which counts on both sides, no ball may reach far into a solid
  const bool inner = polyhedron.report().solid() && plan->objective != SphereObjective::Largest;
  const bool sided = inner || plan->coverage != Coverage::Guaranteed ||
                     plan->guarantee != CoverageGuarantee::Partition;
  const auto findAxis = [&](std::size_t count) {
    if (!sided) return pointAxis(polyhedron, count, progress);
    return medialAxis(polyhedron, count, plan->adjacency, progress);
  };
  return buildMergedTree(polyhedron, *plan, findAxis, progress);
}

}  // namespace nearmiss
