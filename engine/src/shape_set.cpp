// SPDX-License-Identifier: MIT
#include <engine/cancellable_loading.h>
#include <engine/nearest_name.h>
#include <engine/resources.h>
#include <engine/shape_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/file_replacement.h>
#include <nearmiss/mesh_input.h>
#include <nearmiss/sphere_tree_io.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "build_tasks.h"
#include "guarded.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// The trees of one shape while they are being made; each task writes to its own fields.
struct Draft {
  Draft(std::string_view model, Shape shape) : name(model), bare(std::move(shape)) {}
  std::string_view name;
  Shape bare;
  std::string_view builder;
  std::uint64_t treeHash = 0;
  std::optional<Shape> withSpheres, withPlanes;
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> treeNotes, bspNotes;
};

double secondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

ShapeId idOf(std::size_t i) { return ShapeId{static_cast<std::uint32_t>(i)}; }

/// The name of the model, as far as it may stand in a file name, and what makes the tree unique.
fs::path cacheFile(const fs::path& folder, const std::string& name, const TreeKey& key,
                   std::string_view kind) {
  std::string safe = name.substr(0, 32);
  for (char& c : safe) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-') c = '_';
  }
  return folder / fmt::format("{}-{:016x}-{:016x}.{}", safe, key.meshHash, key.settingsHash, kind);
}

std::string rebuiltNote(const Error& fault) {
  return fmt::format("{}; the tree was built anew", fault.message);
}

/// Runs `write` once the folder is there; a cache that cannot be written is only slow.
void keep(const fs::path& folder, std::vector<std::string>& notes, const auto& write) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    notes.push_back(
        fmt::format("cannot keep trees in \"{}\": {}", folder.string(), failed.message()));
    return;
  }
  const Result<Success> written = guarded(write);
  if (!written) notes.push_back(fmt::format("{}; the tree is not kept", written.error().message));
}

/// Reads the tree of `builder`; false if it has to be built.
bool readSphereTreeInto(Draft& draft, const fs::path& file, const TreeKey& key) {
  Result<SphereTreeFile> kept = readSphereTree(file, key);
  // The key is as stored in the file
  Result<Shape> fitted = kept ? draft.bare.with(std::move(kept->tree)) : kept.error();
  if (fitted) {
    draft.withSpheres = *std::move(fitted);
    return true;
  }
  if (fitted.error().code != ErrorCode::NotFound)
    draft.treeNotes.push_back(rebuiltNote(fitted.error()));
  return false;
}

std::optional<Error> makeSphereTree(Draft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress) {
  const Polyhedron& polyhedron = draft.bare.polyhedron();
  const TreeKey key{polyhedron.hash(), hashOf(builder.name, options.tree)};
  const fs::path file = cacheFile(options.cacheFolder, std::string(draft.name), key, "spheretree");
  draft.builder = builder.name;
  draft.treeHash = key.settingsHash;
  if (!options.rebuild && readSphereTreeInto(draft, file, key)) return std::nullopt;
  // Not there: a stand-in that is built quickly flies until it is built
  if (const SphereTreeBuilderEntry* standIn = findSphereTreeBuilder(options.standIn);
      standIn && standIn->name != builder.name) {
    ShapeOptions quick = options;
    quick.standIn.clear();
    quick.tree.medial.coverage = Coverage::Guaranteed;
    quick.tree.nodeBoxRatio = 0.0;
    quick.tree.innerSpheres = 0;
    return makeSphereTree(draft, *standIn, quick, progress);
  }

  const auto start = steady_clock::now();
  Result<SphereTree> built = buildSphereTree(builder, polyhedron, options.tree, &progress);
  if (!built) return built.error();
  draft.treeSeconds = secondsSince(start);
  SphereTreeFile contents{key, std::string(builder.name),
                          static_cast<std::uint32_t>(polyhedron.mesh().triangles.size()),
                          draft.treeSeconds, std::move(*built)};
  keep(options.cacheFolder, draft.treeNotes, [&] { return writeSphereTree(file, contents); });
  Result<Shape> made = draft.bare.with(std::move(contents.tree));
  if (!made) return made.error();
  draft.withSpheres = *std::move(made);
  return std::nullopt;
}

std::optional<Error> makeBspTree(Draft& draft, const ShapeOptions& options,
                                 BuildProgress& progress) {
  const BspSettings settings;
  const Polyhedron& polyhedron = draft.bare.polyhedron();
  const TreeKey key{polyhedron.hash(), hashOf(settings)};
  const fs::path file = cacheFile(options.cacheFolder, std::string(draft.name), key, "bsptree");
  if (!options.rebuild) {
    const auto triangles = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
    Result<BspTree> kept = readBspTree(file, key.meshHash, key.settingsHash, triangles);
    Result<Shape> fitted = kept ? draft.bare.with(*std::move(kept)) : kept.error();
    if (fitted) {
      draft.withPlanes = *std::move(fitted);
      return std::nullopt;
    }
    if (fitted.error().code != ErrorCode::NotFound)
      draft.bspNotes.push_back(rebuiltNote(fitted.error()));
  }
  if (options.bspTrees == BspTrees::FromCache) return std::nullopt;

  const auto start = steady_clock::now();
  Result<BspTree> built = buildBspTree(polyhedron, settings, &progress);
  if (!built) return built.error();
  draft.bspSeconds = secondsSince(start);
  keep(options.cacheFolder, draft.bspNotes,
       [&] { return writeBspTree(file, key.meshHash, key.settingsHash, *built); });
  Result<Shape> made = draft.bare.with(*std::move(built));
  if (!made) return made.error();
  draft.withPlanes = *std::move(made);
  return std::nullopt;
}

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
  /// Loads all models side by side. Shapes without trees.
  static Result<std::shared_ptr<ShapeSet>> load(std::span<const fs::path> files, int jobs,
                                                BuildProgress* progress) {
    struct Loaded {
      std::optional<LoadedModel> model;
      std::optional<Polyhedron> polyhedron;
    };
    std::vector<Loaded> loaded(files.size());
    std::vector<BuildTask> loads;
    for (std::size_t i = 0; i < files.size(); ++i)
      loads.push_back([&, i](BuildProgress& own) -> std::optional<Error> {
        Result<LoadedModel> model = loadModel(files[i], {}, own.cancelled);
        if (!model) return model.error();
        loaded[i].model = std::move(*model);
        auto polyhedron = makePolyhedron(std::move(loaded[i].model->mesh));
        if (!polyhedron) return polyhedron.error();
        loaded[i].polyhedron.emplace(*std::move(polyhedron));
        return std::nullopt;
      });
    if (auto error = runTasks(loads, jobs, progress)) return *error;

    auto set = std::make_shared<ShapeSet>();
    auto draw = std::make_shared<std::vector<DrawMesh>>();
    for (std::size_t i = 0; i < files.size(); ++i) {
      LoadedModel& model = *loaded[i].model;
      set->shapes_.push_back({model.name, files[i], {}, 0, 0.0, 0.0, std::move(model.warnings)});
      set->collision_.add(Shape::of(std::move(*loaded[i].polyhedron)));
      draw->push_back(std::move(model.draw));
    }
    set->draw_ = std::move(draw);
    return set;
  }

  /// With the trees of `set`, without its notes.
  static std::shared_ptr<ShapeSet> copyOf(const ShapeSet& set) {
    auto copy = std::make_shared<ShapeSet>(set);
    for (LoadedShape& shape : copy->shapes_) shape.notes.clear();
    return copy;
  }

  /// Makes the trees that `set` lacks side by side and puts them in.
  static std::optional<Error> makeTrees(ShapeSet& set, const SphereTreeBuilderEntry* builder,
                                        const ShapeOptions& options, BuildProgress* progress) {
    for (const std::string_view ending : {".spheretree", ".bsptree"})
      removeLeftovers(options.cacheFolder, ending);
    std::vector<Draft> drafts;
    for (std::size_t i = 0; i < set.shapes_.size(); ++i)
      drafts.emplace_back(set.shapes_[i].name, set.collision_[idOf(i)]);
    std::vector<BuildTask> builds;
    const std::uint64_t wanted = builder ? hashOf(builder->name, options.tree) : 0;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      if (builder && set.shapes_[i].treeHash != wanted)
        builds.push_back([&, i](BuildProgress& own) {
          return makeSphereTree(drafts[i], *builder, options, own);
        });
      if (options.bspTrees != BspTrees::None && !drafts[i].bare.bspTree())
        builds.push_back(
            [&, i](BuildProgress& own) { return makeBspTree(drafts[i], options, own); });
    }
    if (auto error = runTasks(builds, options.jobs, progress)) return error;

    Shapes grown;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      Draft& draft = drafts[i];
      LoadedShape& shape = set.shapes_[i];
      Shape made = draft.bare;
      // Spheres last: the draft with planes still has the older ones
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

bool ShapeSet::hasBspTrees() const noexcept {
  return std::ranges::all_of(collision_, [](const Shape& shape) { return shape.bspTree(); });
}

const Polyhedron& ShapeSet::polyhedron(ShapeId id) const noexcept {
  return collision_[id].polyhedron();
}

const DrawMesh& ShapeSet::drawMesh(ShapeId id) const noexcept {
  return (*draw_)[static_cast<std::size_t>(id)];
}

const SphereTree& ShapeSet::sphereTree(ShapeId id) const noexcept {
  return *collision_[id].sphereTree();
}

bool ShapeSet::allBuiltBy(std::string_view builder) const noexcept {
  return std::all_of(shapes_.begin(), shapes_.end(),
                     [&](const LoadedShape& shape) { return shape.treeBuilder == builder; });
}

bool ShapeSet::allHave(std::uint64_t treeHash) const noexcept {
  return std::all_of(shapes_.begin(), shapes_.end(),
                     [&](const LoadedShape& shape) { return shape.treeHash == treeHash; });
}

namespace {

ShapeOptions completed(ShapeOptions options) {
  if (options.cacheFolder.empty()) options.cacheFolder = defaultCacheFolder();
  // All threads for each: the largest model takes longest, when the others are done
  options.tree.workers = threadsFor(options.jobs);
  return options;
}

}  // namespace

Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const fs::path> files,
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

}  // namespace nearmiss::engine
