// SPDX-License-Identifier: MIT
#include <engine/nearest_name.h>
#include <engine/resources.h>
#include <engine/shape_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/sphere_tree_io.h>

#include <chrono>
#include <optional>
#include <system_error>

#include "build_tasks.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// One shape while it is being made; each task writes to its own fields.
struct Draft {
  std::optional<LoadedModel> model;
  std::optional<Polyhedron> polyhedron;
  SphereTree sphereTree;
  BspTree bspTree;
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> treeNotes, bspNotes;
};

double secondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

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
  const Result<Success> written = write();
  if (!written) notes.push_back(fmt::format("{}; the tree is not kept", written.error().message));
}

std::optional<Error> makeSphereTree(Draft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress) {
  const TreeKey key{draft.polyhedron->hash(), hashOf(builder.name, options.tree)};
  const fs::path file = cacheFile(options.cacheFolder, draft.model->name, key, "spheretree");
  if (!options.rebuild) {
    Result<SphereTreeFile> kept = readSphereTree(file, key);
    if (kept && kept->triangleCount == draft.polyhedron->mesh().triangles.size()) {
      draft.sphereTree = std::move(kept->tree);
      return std::nullopt;
    }
    if (!kept && kept.error().code != ErrorCode::NotFound)
      draft.treeNotes.push_back(rebuiltNote(kept.error()));
  }

  const auto start = steady_clock::now();
  Result<SphereTree> built = buildSphereTree(builder, *draft.polyhedron, options.tree, &progress);
  if (!built) return built.error();
  draft.treeSeconds = secondsSince(start);
  SphereTreeFile contents{key, std::string(builder.name),
                          static_cast<std::uint32_t>(draft.polyhedron->mesh().triangles.size()),
                          draft.treeSeconds, std::move(*built)};
  keep(options.cacheFolder, draft.treeNotes, [&] { return writeSphereTree(file, contents); });
  draft.sphereTree = std::move(contents.tree);
  return std::nullopt;
}

std::optional<Error> makeBspTree(Draft& draft, const ShapeOptions& options,
                                 BuildProgress& progress) {
  const BspSettings settings;
  const TreeKey key{draft.polyhedron->hash(), hashOf(settings)};
  const fs::path file = cacheFile(options.cacheFolder, draft.model->name, key, "bsptree");
  if (!options.rebuild) {
    const auto triangles = static_cast<std::uint32_t>(draft.polyhedron->mesh().triangles.size());
    Result<BspTree> kept = readBspTree(file, key.meshHash, key.settingsHash, triangles);
    if (kept) {
      draft.bspTree = std::move(*kept);
      return std::nullopt;
    }
    if (kept.error().code != ErrorCode::NotFound)
      draft.bspNotes.push_back(rebuiltNote(kept.error()));
  }

  const auto start = steady_clock::now();
  Result<BspTree> built = buildBspTree(*draft.polyhedron, settings, &progress);
  if (!built) return built.error();
  draft.bspSeconds = secondsSince(start);
  draft.bspTree = std::move(*built);
  keep(options.cacheFolder, draft.bspNotes,
       [&] { return writeBspTree(file, key.meshHash, key.settingsHash, draft.bspTree); });
  return std::nullopt;
}

std::optional<Error> loadDraft(Draft& draft, const fs::path& file) {
  Result<LoadedModel> model = loadModel(file);
  if (!model) return model.error();
  draft.model = std::move(*model);
  draft.polyhedron.emplace(std::move(draft.model->mesh));
  return std::nullopt;
}

Shape shapeOf(Draft& draft, const fs::path& file) {
  Shape shape{draft.model->name,
              file,
              std::move(draft.model->draw),
              draft.treeSeconds,
              draft.bspSeconds,
              std::move(draft.model->warnings)};
  for (std::vector<std::string>* notes : {&draft.treeNotes, &draft.bspNotes})
    shape.notes.insert(shape.notes.end(), notes->begin(), notes->end());
  return shape;
}

}  // namespace

ShapeTables ShapeSet::tables() const noexcept { return {polyhedra_, sphereTrees_, bspTrees_}; }

const Polyhedron& ShapeSet::polyhedron(ShapeId id) const noexcept {
  return polyhedra_[static_cast<std::size_t>(id)];
}

const SphereTree& ShapeSet::sphereTree(ShapeId id) const noexcept {
  return sphereTrees_[static_cast<std::size_t>(id)];
}

Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const fs::path> files,
                                                      const ShapeOptions& given,
                                                      BuildProgress* progress) {
  ShapeOptions options = given;
  if (options.cacheFolder.empty()) options.cacheFolder = defaultCacheFolder();
  // All threads for each: the largest model takes longest, when the others are done
  options.tree.workers = threadsFor(options.jobs);
  const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(options.treeBuilder);
  if (!builder) {
    std::vector<std::string_view> names;
    for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
      names.push_back(entry.name);
    return Error{ErrorCode::Unsupported,
                 fmt::format("there is no sphere tree \"{}\".{} Known: {}", options.treeBuilder,
                             didYouMean(options.treeBuilder, names), fmt::join(names, ", "))};
  }

  // Load all models, then make all trees: each step side by side
  std::vector<Draft> drafts(files.size());
  std::vector<BuildTask> loads, builds;
  for (std::size_t i = 0; i < files.size(); ++i) {
    loads.push_back([&, i](BuildProgress&) { return loadDraft(drafts[i], files[i]); });
    builds.push_back(
        [&, i](BuildProgress& own) { return makeSphereTree(drafts[i], *builder, options, own); });
    if (options.bspTrees)
      builds.push_back([&, i](BuildProgress& own) { return makeBspTree(drafts[i], options, own); });
  }
  if (auto error = runTasks(loads, options.jobs, progress)) return *error;
  if (auto error = runTasks(builds, options.jobs, progress)) return *error;

  auto set = std::make_shared<ShapeSet>();
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    set->shapes_.push_back(shapeOf(drafts[i], files[i]));
    set->polyhedra_.push_back(std::move(*drafts[i].polyhedron));
    set->sphereTrees_.push_back(std::move(drafts[i].sphereTree));
    if (options.bspTrees) set->bspTrees_.push_back(std::move(drafts[i].bspTree));
  }
  if (progress) progress->stage = BuildStage::Done;
  return std::shared_ptr<const ShapeSet>(std::move(set));
}

}  // namespace nearmiss::engine
