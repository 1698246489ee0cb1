// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "octree/octant_growth.h"
#include "out_of_memory.h"
#include "spheres/build_plan.h"
#include "spheres/tree_hausdorff.h"

#include <string>
#include <utility>

namespace nearmiss {
namespace {

Result<SphereTree> grownOctree(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                               BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Structure);
  OctantGrowth growth(polyhedron, progress);
  for (int level = 1; level <= settings.levels; ++level) {
    if (const auto grown = growth.grow(); !grown) return grown.error();
    if (progress)
      progress->fraction = static_cast<float>(level) / static_cast<float>(settings.levels);
  }
  if (progress) progress->enter(BuildStage::Triangles);
  growth.listTriangles();
  if (!measureHausdorff(polyhedron, DistanceField(polyhedron.mesh()), settings, growth.data(),
                        progress))
    return Error{ErrorCode::Cancelled, "building the octree was cancelled"};
  return SphereTree(std::move(growth.data()));
}

}  // namespace

Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  if (auto sound = checkCommon("octree", settings); !sound) return sound.error();
  return orOutOfMemory("cannot build the octree",
                       [&] { return grownOctree(polyhedron, settings, progress); });
}

}  // namespace nearmiss
