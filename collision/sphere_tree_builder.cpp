// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "coverage/redundancy.h"
#include "extras/node_box_choice.h"
#include "octree/annealed_together.h"
#include "out_of_memory.h"
#include "tree/fingerprint.h"

#include <algorithm>
#include <string>
#include <utility>

namespace nearmiss {
namespace {

/// Grows whenever a builder's result changes for the same settings, so that no old file is used.
constexpr std::uint64_t builderGeneration = 10;

constexpr SphereTreeBuilderEntry builders[] = {
    SphereTreeBuilderEntry{"octree", "spheres around the occupied octants of the bounding cube",
                           buildOctreeSphereTree},
    SphereTreeBuilderEntry{"annealed",
                           "the octree's spheres, those of a level moved together by simulated "
                           "annealing",
                           buildAnnealedTogether},
    SphereTreeBuilderEntry{"annealed-apart",
                           "the octree's spheres, each moved by itself by simulated annealing",
                           buildAnnealedSphereTree},
    SphereTreeBuilderEntry{"variational",
                           "balls around clusters of surface pieces, moved until they fit best",
                           buildVariationalSphereTree},
    SphereTreeBuilderEntry{"dag", "as variational, but each level fitted to the whole surface",
                           buildSphereDag},
    SphereTreeBuilderEntry{"medial", "merged spheres of the medial-axis surface, the paper's own",
                           buildMedialSphereTree, true},
};

/// What is wrong with the settings of what a tree gets besides its spheres, or null.
const char* faultOfAdditions(const SphereTreeBuilderEntry& builder,
                             const SphereTreeSettings& settings) noexcept {
  if (!builder.build) return "cannot build a sphere tree: expected a builder";
  if (!(settings.nodeBoxRatio >= 0.0 && settings.nodeBoxRatio <= greatestNodeBoxRatio))
    return "cannot fit boxes: expected a ratio above 0, up to 1000";
  if (settings.nodeBoxRatio > 0.0 && settings.coverage != Coverage::Guaranteed &&
      builder.hasPaperMode)
    return "cannot fit boxes: expected a tree of guaranteed coverage";
  if (settings.innerSpheres > mostInnerSpheres)
    return "cannot build inner spheres: expected at most 4096 of them";
  return nullptr;
}

Result<SphereTree> withAdditions(const SphereTreeBuilderEntry& builder,
                                 const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                 BuildProgress* progress) {
  Result<SphereTree> tree = builder.build(polyhedron, settings, progress);
  if (!tree) return tree;
  if (settings.dropRedundant) {
    SphereTree::Data data = std::move(*tree).take();
    if (!dropRedundant(polyhedron, data, progress))
      return Error{ErrorCode::Cancelled, "the build was cancelled"};
    tree = SphereTree(std::move(data));
  }
  // Beside the spheres that stay
  NodeBoxes boxes;
  if (settings.nodeBoxRatio > 0.0) {
    auto fitted =
        fitNodeBoxes(*tree, polyhedron, settings.nodeBoxRatio, settings.workers, progress);
    if (!fitted) return fitted.error();
    boxes = std::move(*fitted);
  }
  InnerSpheres inner;
  if (settings.innerSpheres > 0 && polyhedron.report().solid()) {
    auto found = buildInnerSpheres(polyhedron, settings.innerSpheres, settings.workers, progress);
    if (!found) return found.error();
    inner = std::move(*found);
  }
  if (!boxes.empty() || !inner.empty()) {
    SphereTree::Data data = std::move(*tree).take();
    data.boxes = std::move(boxes);
    data.inner = std::move(inner);
    tree = SphereTree(std::move(data));
  }
  if (progress) progress->enter(BuildStage::Done);
  return tree;
}

}  // namespace

std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings) {
  Fingerprint key;
  key.add(builderGeneration);
  key.add(builder);
  key.add(static_cast<std::uint64_t>(settings.levels));
  key.add(static_cast<std::uint64_t>(settings.branching));
  key.add(static_cast<std::uint64_t>(settings.adaptive));
  key.add(std::uint64_t{settings.mostSpheres});
  key.add(settings.hausdorffTolerance);
  key.add(static_cast<std::uint64_t>(settings.coverage));
  key.add(static_cast<std::uint64_t>(settings.guarantee));
  key.add(static_cast<std::uint64_t>(settings.objective));
  key.add(static_cast<std::uint64_t>(settings.seeds));
  key.add(settings.errorBound);
  key.add(std::uint64_t{settings.surfacePoints});
  key.add(static_cast<std::uint64_t>(settings.adjacency));
  key.add(static_cast<std::uint64_t>(settings.dropRedundant));
  key.add(settings.annealing.seed);
  key.add(static_cast<std::uint64_t>(settings.annealing.steps));
  key.add(settings.annealing.heat);
  key.add(settings.annealing.cooled);
  key.add(settings.nodeBoxRatio);
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
  if (const char* fault = faultOfAdditions(builder, settings))
    return Error{ErrorCode::Unsupported, std::string(fault)};
  return orOutOfMemory("cannot build the sphere tree",
                       [&] { return withAdditions(builder, polyhedron, settings, progress); });
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
