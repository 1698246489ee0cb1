// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/detail/out_of_memory.h>

#include "spheres/build_hash.h"
#include "spheres/build_plan.h"
#include "spheres/coverage.h"
#include "spheres/hausdorff.h"
#include "spheres/inner_spheres.h"
#include "spheres/node_boxes.h"
#include "spheres/usual_size.h"

#include <algorithm>
#include <string>
#include <utility>

namespace nearmiss {
namespace {

/// Increases whenever a builder's result changes for the same settings, so that old files are not
/// used.
constexpr std::uint64_t builderGeneration = 17;

/// Candidates per inner sphere for a tree that is built immediately.
constexpr std::size_t roughPointsEach = 8;

Result<SphereTree> withAdditions(const SphereTreeBuilderEntry& builder,
                                 const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                 BuildProgress* progress) {
  Result<SphereTree> tree = builder.build(polyhedron, settings, progress);
  if (!tree) return tree;
  SphereTree::Data bare = std::move(*tree).take();
  if (settings.dropRedundant) bare.boxes = {};
  if ((settings.dropRedundant && !dropRedundant(polyhedron, bare, progress)) ||
      !measureOutside(polyhedron, settings, bare, progress))
    return Error{ErrorCode::Cancelled, "the build was cancelled"};
  tree = SphereTree(std::move(bare));
  // Boxes of the remaining spheres
  NodeBoxes boxes;
  if (settings.nodeBoxRatio > 0.0 && tree->data().boxes.empty()) {
    auto fitted =
        fitNodeBoxes(*tree, polyhedron, settings.nodeBoxRatio, settings.workers, progress);
    if (!fitted) return fitted.error();
    boxes = std::move(*fitted);
  }
  InnerSpheres inner;
  if (settings.innerSpheres > 0) {
    // If H is only estimated roughly, inner spheres are rough as well
    auto found =
        settings.hausdorffQueries == 0
            ? buildInnerSpheres(polyhedron, settings.innerSpheres, settings.workers, progress)
            : innerSpheresFrom(polyhedron, settings.innerSpheres,
                               roughPointsEach * settings.innerSpheres, settings.workers, progress);
    if (!found) return found.error();
    inner = std::move(*found);
  }
  if (!boxes.empty() || !inner.empty()) {
    SphereTree::Data data = std::move(*tree).take();
    if (!boxes.empty()) data.boxes = std::move(boxes);
    if (!inner.empty()) data.inner = std::move(inner);
    tree = SphereTree(std::move(data));
  }
  if (progress) progress->enter(BuildStage::Done);
  return tree;
}

}  // namespace

Result<Success> checkSettings(const SphereTreeBuilderEntry& builder,
                              const SphereTreeSettings& settings) {
  auto sound = checkCommon(builder.name, settings);
  if (sound && builder.checkOwn) sound = builder.checkOwn(builder.name, settings);
  return sound;
}

std::uint64_t hashOf(const SphereTreeBuilderEntry& builder, const SphereTreeSettings& settings) {
  Fingerprint key;
  key.add(builderGeneration);
  key.add(builder.name);
  addNumbers(key, settings.levels, settings.dropRedundant, settings.innerSpheres);
  key.add(settings.hausdorffTolerance);
  // Trees of earlier versions keep their fingerprints
  if (settings.hausdorffQueries != 0) addNumbers(key, settings.hausdorffQueries);
  key.add(settings.nodeBoxRatio);
  if (builder.hashOwn) builder.hashOwn(key, settings);
  return key.value();
}

const SphereTreeBuilderEntry* findCoreSphereTreeBuilder(std::string_view name) noexcept {
  for (const SphereTreeBuilderEntry& entry : coreSphereTreeBuilders())
    if (entry.name == name) return &entry;
  return nullptr;
}

Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                   BuildProgress* progress) {
  if (!builder.build)
    return Error{ErrorCode::Unsupported, "cannot build a sphere tree: expected a builder"};
  if (auto sound = checkSettings(builder, settings); !sound) return sound.error();
  return orOutOfMemory("cannot build the sphere tree", [&]() -> Result<SphereTree> {
    const auto build = [&builder](const auto&... of) { return withAdditions(builder, of...); };
    // Build all additions at the same size
    if (const int exponent = exponentToUsualSize(polyhedron))
      return builtAtUsualSize(exponent, polyhedron, settings, progress, build);
    return build(polyhedron, settings, progress);
  });
}

}  // namespace nearmiss
