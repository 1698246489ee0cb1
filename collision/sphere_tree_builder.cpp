// SPDX-License-Identifier: MIT
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/tree_builders.h>

#include "builders/annealed.h"
#include "out_of_memory.h"
#include "spheres/build_plan.h"
#include "spheres/coverage.h"
#include "spheres/hausdorff.h"
#include "spheres/node_boxes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace nearmiss {
namespace {

/// Grows whenever a builder's result changes for the same settings, so that no old file is used.
constexpr std::uint64_t builderGeneration = 17;

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
    SphereTreeBuilderEntry{"medial-dag",
                           "the paper's DAG: spheres of the medial axis merged for each level as a "
                           "whole",
                           buildMedialDag},
    SphereTreeBuilderEntry{"anchored",
                           "balls that touch the surface from inside, O'Rourke and Badler's, "
                           "merged likewise",
                           buildAnchoredSphereTree},
};

Result<SphereTree> withAdditions(const SphereTreeBuilderEntry& builder,
                                 const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                 BuildProgress* progress) {
  Result<SphereTree> tree = builder.build(polyhedron, settings, progress);
  if (!tree) return tree;
  SphereTree::Data bare = std::move(*tree).take();
  if ((settings.dropRedundant && !dropRedundant(polyhedron, bare, progress)) ||
      !measureOutside(polyhedron, settings, bare, progress))
    return Error{ErrorCode::Cancelled, "the build was cancelled"};
  tree = SphereTree(std::move(bare));
  // Boxes for the spheres that stay
  NodeBoxes boxes;
  if (settings.nodeBoxRatio > 0.0) {
    auto fitted =
        fitNodeBoxes(*tree, polyhedron, settings.nodeBoxRatio, settings.workers, progress);
    if (!fitted) return fitted.error();
    boxes = std::move(*fitted);
  }
  InnerSpheres inner;
  if (settings.innerSpheres > 0) {
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

/// Calls visit with the settings that the builder alone heeds; the octree has none.
void visitOwn(std::string_view builder, const SphereTreeSettings& settings, const auto& visit) {
  if (builder.starts_with("annealed")) visit(settings.annealed);
  if (builder == "variational") visit(settings.variational);
  if (builder == "dag") visit(clusterSettings(settings.dag));
  if (builder.starts_with("medial")) visit(settings.medial);
  if (builder == "anchored") visit(settings.anchored);
}

void addNumbers(Fingerprint& key, auto... values) {
  (key.add(static_cast<std::uint64_t>(values)), ...);
}

void addOwn(Fingerprint& key, const AnnealedSettings& own) {
  addNumbers(key, own.objective, own.schedule.seed, own.schedule.steps);
  key.add(own.schedule.heat);
  key.add(own.schedule.cooled);
}

void addOwn(Fingerprint& key, const VariationalSettings& own) {
  addNumbers(key, own.branching, own.adaptive, own.maxSpheres, own.objective, own.seeds);
  key.add(own.errorBound);
}

void addOwn(Fingerprint& key, const MedialSettings& own) {
  addNumbers(key, own.branching, own.coverage, own.guarantee, own.objective, own.surfacePoints,
             own.adjacency);
  key.add(own.errorBound);
}

void addOwn(Fingerprint& key, const AnchoredSettings& own) { addOwn(key, mergeSettings(own)); }

}  // namespace

Result<Success> checkSettings(std::string_view builder, const SphereTreeSettings& settings) {
  if (!findSphereTreeBuilder(builder))
    return Error{ErrorCode::Unsupported,
                 "there is no sphere-tree builder \"" + std::string(builder) + "\""};
  auto sound = checkCommon(builder, settings);
  if (sound)
    visitOwn(builder, settings, [&](const auto& own) { sound = checkOwn(builder, settings, own); });
  return sound;
}

std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings) {
  Fingerprint key;
  key.add(builderGeneration);
  key.add(builder);
  addNumbers(key, settings.levels, settings.dropRedundant, settings.innerSpheres);
  key.add(settings.hausdorffTolerance);
  key.add(settings.nodeBoxRatio);
  visitOwn(builder, settings, [&key](const auto& own) { addOwn(key, own); });
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
  if (!builder.build)
    return Error{ErrorCode::Unsupported, "cannot build a sphere tree: expected a builder"};
  if (auto sound = checkSettings(builder.name, settings); !sound) return sound.error();
  return orOutOfMemory("cannot build the sphere tree",
                       [&] { return withAdditions(builder, polyhedron, settings, progress); });
}

}  // namespace nearmiss
