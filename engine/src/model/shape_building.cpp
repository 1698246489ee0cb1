// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>
#include <engine/base/resources.h>
#include <engine/model/model_loader.h>
#include <engine/model/shape_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <optional>

#include "model/guarded.h"
#include "model/tree_cache.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

std::uint32_t idOf(std::size_t i) { return static_cast<std::uint32_t>(i); }

Result<const SphereTreeBuilderEntry*> builderNamed(const std::string& name) {
  if (const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(name)) return builder;
  std::vector<std::string_view> names;
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    names.push_back(entry.name);
  return Error{ErrorCode::Unsupported,
               fmt::format("there is no sphere tree \"{}\".{} Known: {}", name,
                           didYouMean(name, names), fmt::join(names, ", "))};
}

}  // namespace

struct ShapeSetMaking {
  /// Loads all models in parallel, without trees.
  static Result<std::shared_ptr<ShapeSet>> load(std::span<const ModelFile> files, int jobs,
                                                BuildProgress* progress) {
    struct Loaded {
      std::optional<LoadedModel> model;
      std::optional<Polyhedron> polyhedron;
    };
    std::vector<Loaded> loaded(files.size());
    std::vector<BuildTask> loads;
    for (std::size_t i = 0; i < files.size(); ++i)
      loads.push_back([&, i](BuildProgress& own) -> std::optional<Error> {
        LoadOptions wanted;
        if (files[i].ownFrame) wanted.targetRadius = 0.0;
        Result<LoadedModel> model = loadModel(files[i].path, wanted, own.cancelled);
        if (!model) return model.error();
        loaded[i].model = std::move(*model);
        auto polyhedron = makePolyhedron(std::move(loaded[i].model->mesh), &own.cancelled);
        if (!polyhedron) return polyhedron.error();
        loaded[i].polyhedron.emplace(*std::move(polyhedron));
        return std::nullopt;
      });
    if (auto error = runTasks(loads, jobs, progress)) return *error;

    auto set = std::make_shared<ShapeSet>();
    auto draw = std::make_shared<std::vector<DrawMesh>>();
    for (std::size_t i = 0; i < files.size(); ++i) {
      LoadedModel& model = *loaded[i].model;
      set->shapes_.push_back({model.name,
                              files[i].path,
                              files[i].ownFrame,
                              {},
                              0,
                              0.0,
                              0.0,
                              std::move(model.warnings)});
      set->collision_.add(Shape::of(std::move(*loaded[i].polyhedron), model.cleaning));
      draw->push_back(std::move(model.draw));
    }
    set->draw_ = std::move(draw);
    return set;
  }

  /// Copies the trees of `set` but not its notes.
  static std::shared_ptr<ShapeSet> copyOf(const ShapeSet& set) {
    auto copy = std::make_shared<ShapeSet>(set);
    for (LoadedShape& shape : copy->shapes_) shape.notes.clear();
    return copy;
  }

  /// Makes the missing trees of `set` in parallel and adds them.
  static std::optional<Error> makeTrees(ShapeSet& set, const SphereTreeBuilderEntry* builder,
                                        const ShapeOptions& options, BuildProgress* progress) {
    removeUnfinishedTrees(options.cacheFolder);
    std::vector<TreeDraft> drafts;
    for (std::size_t i = 0; i < set.shapes_.size(); ++i)
      drafts.emplace_back(set.shapes_[i].name, set.collision_[idOf(i)]);
    std::vector<BuildTask> builds;
    const std::uint64_t wanted = builder ? hashOf(builder->name, options.tree) : 0;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      if (builder && set.shapes_[i].treeHash != wanted)
        builds.push_back([&, i](BuildProgress& own) {
          auto error = makeSphereTree(drafts[i], *builder, options, own);
          // Prepare search data here, so that the first frame need not
          if (!error) prepareSphereTree(*drafts[i].withSpheres);
          return error;
        });
      const Shape& bare = drafts[i].bare;
      const bool small = bare.polyhedron().mesh().triangles.size() <= options.maxBspTriangles;
      if (options.bspTrees != BspTrees::None && small && !bare.bspTree())
        builds.push_back(
            [&, i](BuildProgress& own) { return makeBspTree(drafts[i], options, own); });
    }
    if (auto error = runTasks(builds, options.jobs, progress)) return error;

    Shapes grown;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      TreeDraft& draft = drafts[i];
      LoadedShape& shape = set.shapes_[i];
      Shape made = draft.bare;
      // Spheres last: the draft with planes still has the old ones
      if (draft.withPlanes) made = made.withTreesOf(*draft.withPlanes);
      if (draft.withSpheres) made = made.withTreesOf(*draft.withSpheres);
      grown.add(std::move(made));
      if (!draft.builder.empty()) {
        shape.treeBuilder = draft.builder;
        shape.treeHash = draft.treeHash;
      }
      shape.treeSeconds = draft.treeSeconds;
      shape.bspSeconds = draft.bspSeconds;
      for (std::vector<std::string>* notes : {&draft.treeNotes, &draft.bspNotes})
        shape.notes.insert(shape.notes.end(), notes->begin(), notes->end());
    }
    set.collision_ = std::move(grown);
    return std::nullopt;
  }
};

namespace {

ShapeOptions completed(ShapeOptions options) {
  if (options.cacheFolder.empty()) options.cacheFolder = defaultCacheFolder();
  // All threads for each shape: the largest model takes longest, after the others are done
  options.tree.workers = threadCount(options.jobs);
  return options;
}

}  // namespace

Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const fs::path> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress) {
  std::vector<ModelFile> models;
  for (const fs::path& file : files) models.push_back({file});
  return buildShapeSet(models, options, progress);
}

Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const ModelFile> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress) {
  return guarded([&]() -> Result<std::shared_ptr<const ShapeSet>> {
    const auto builder = builderNamed(options.treeBuilder);
    if (!builder) return builder.error();
    auto set = ShapeSetMaking::load(files, options.jobs, progress);
    if (!set) return set.error();
    if (auto error = ShapeSetMaking::makeTrees(**set, *builder, completed(options), progress))
      return *error;
    if (progress) progress->enter(BuildStage::Done);
    return std::shared_ptr<const ShapeSet>(*std::move(set));
  });
}

Result<std::shared_ptr<const ShapeSet>> withTrees(const ShapeSet& set, const ShapeOptions& options,
                                                  BuildProgress* progress) {
  return guarded([&]() -> Result<std::shared_ptr<const ShapeSet>> {
    const SphereTreeBuilderEntry* wanted = nullptr;
    if (!options.treeBuilder.empty()) {
      const auto builder = builderNamed(options.treeBuilder);
      if (!builder) return builder.error();
      wanted = *builder;
    }
    auto grown = ShapeSetMaking::copyOf(set);
    if (auto error = ShapeSetMaking::makeTrees(*grown, wanted, completed(options), progress))
      return *error;
    if (progress) progress->enter(BuildStage::Done);
    return std::shared_ptr<const ShapeSet>(std::move(grown));
  });
}

std::vector<std::size_t> trianglesToBuild(const ShapeSet& set, const ShapeOptions& options) {
  const ShapeOptions wanted = completed(options);
  const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(wanted.treeBuilder);
  const std::uint64_t hash = builder ? hashOf(builder->name, wanted.tree) : 0;
  std::vector<std::size_t> triangles;
  for (std::size_t i = 0; i < set.shapes().size(); ++i) {
    const LoadedShape& shape = set.shapes()[i];
    const TreeDraft draft(shape.name, set.collision()[idOf(i)]);
    const bool has = builder ? shape.treeHash == hash : draft.bare.bspTree() != nullptr;
    if (!has && (wanted.rebuild || !isCached(draft, builder, wanted)))
      triangles.push_back(draft.bare.polyhedron().mesh().triangles.size());
  }
  return triangles;
}

}  // namespace nearmiss::engine
