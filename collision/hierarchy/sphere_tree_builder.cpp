// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "hierarchy/box_hybrids.h"
#include "hierarchy/fingerprint.h"

#include <algorithm>
#include <utility>

namespace nearmiss {
namespace {

/// Grows whenever a builder's result changes for the same settings, so that no old file is used.
constexpr std::uint64_t builderGeneration = 5;

constexpr SphereTreeBuilderEntry builders[] = {
    SphereTreeBuilderEntry{"octree", "spheres around the occupied octants of the bounding cube",
                           buildOctreeSphereTree},
    SphereTreeBuilderEntry{"annealed", "the octree's spheres, moved by simulated annealing",
                           buildAnnealedSphereTree},
    SphereTreeBuilderEntry{"variational",
                           "balls around clusters of surface pieces, moved until they fit best",
                           buildVariationalSphereTree},
    SphereTreeBuilderEntry{"dag", "as variational, but each level fitted to the whole surface",
                           buildSphereDag},
#ifdef NEARMISS_HAVE_VORO
    SphereTreeBuilderEntry{"medial", "merged spheres of the medial-axis surface, the paper's own",
                           buildMedialSphereTree, true},
#endif
};

}  // namespace

#ifndef NEARMISS_HAVE_VORO
Result<SphereTree> buildMedialSphereTree(const Polyhedron&, const SphereTreeSettings&,
                                         BuildProgress*) {
  return Error{ErrorCode::Unsupported,
               "the medial builder expects a library built with voro++, which this one is not"};
}
#endif

std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings) {
  Fingerprint key;
  key.add(builderGeneration);
  key.add(builder);
  key.add(static_cast<std::uint64_t>(settings.levels));
  key.add(static_cast<std::uint64_t>(settings.branching));
  key.add(static_cast<std::uint64_t>(settings.adaptive));
  key.add(settings.hausdorffTolerance);
  key.add(static_cast<std::uint64_t>(settings.coverage));
  key.add(static_cast<std::uint64_t>(settings.guarantee));
  key.add(static_cast<std::uint64_t>(settings.objective));
  key.add(settings.errorBound);
  key.add(std::uint64_t{settings.surfacePoints});
  key.add(static_cast<std::uint64_t>(settings.adjacency));
  key.add(static_cast<std::uint64_t>(settings.dropRedundant));
  key.add(settings.annealing.seed);
  key.add(static_cast<std::uint64_t>(settings.annealing.steps));
  key.add(settings.annealing.heat);
  key.add(settings.annealing.cooled);
  key.add(settings.boxRatio);
  key.add(std::uint64_t{settings.innerSpheres});
  return key.value();
}

std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept { return builders; }

const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept {
  for (const SphereTreeBuilderEntry& entry : builders)
    if (entry.name == name) return &entry;
  return nullptr;
}

Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                   BuildProgress* progress) {
  Result<SphereTree> tree = builder.build(polyhedron, settings, progress);
  if (!tree) return tree;
  SphereTree::Data data = tree->data();
  if (settings.boxRatio != 0.0) {
    auto boxes = fitNodeBoxes(*tree, polyhedron, settings.boxRatio, settings.workers, progress);
    if (!boxes) return boxes.error();
    data.boxes = std::move(*boxes);
  }
  if (settings.innerSpheres > 0 && polyhedron.report().solid()) {
    auto inner = buildInnerSpheres(polyhedron, settings.innerSpheres, settings.workers, progress);
    if (!inner) return inner.error();
    data.inner = std::move(*inner);
  }
  return SphereTree(std::move(data));
}

std::vector<SphereLevelReport> levelReports(const SphereTree& tree) {
  std::vector<SphereLevelReport> reports;
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    SphereLevelReport report;
    report.spheres = spheres.size();
    for (const SphereId id : spheres) {
      const Real radius = tree.sphere(id).radius;
      report.hausdorffMean += tree.hausdorff(id);
      report.hausdorffMax = std::max(report.hausdorffMax, tree.hausdorff(id));
      report.radiusMean += radius;
      report.radiusMax = std::max(report.radiusMax, radius);
    }
    report.hausdorffMean /= static_cast<Real>(spheres.size());
    report.radiusMean /= static_cast<Real>(spheres.size());
    reports.push_back(report);
  }
  return reports;
}

}  // namespace nearmiss
