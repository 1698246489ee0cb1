// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "medial/anchored_balls.h"
#include "medial/merged_tree.h"

namespace nearmiss {

Result<SphereTree> buildAnchoredSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings,
                                           BuildProgress* progress) {
  const auto sound = planOf("anchored", settings, settings.anchored);
  if (!sound) return sound.error();
  const BuildPlan<MedialSettings> plan(settings, mergeSettings(settings.anchored));
  const auto findBalls = [&](std::size_t count) {
    return anchoredBalls(polyhedron, count, settings.workers, progress);
  };
  return buildMergedTree(polyhedron, plan, findBalls, progress);
}

}  // namespace nearmiss
