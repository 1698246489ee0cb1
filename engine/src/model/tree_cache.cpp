// SPDX-License-Identifier: MIT
#include "model/tree_cache.h"

#include <fmt/format.h>
#include <nearmiss/detail/file_replacement.h>
#include <nearmiss/files.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "model/guarded.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

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
  const Result<Success> written = guarded(write);
  if (!written) notes.push_back(fmt::format("{}; the tree is not kept", written.error().message));
}

/// Reads the tree of `builder`; false if it has to be built.
bool readSphereTreeInto(TreeDraft& draft, const fs::path& file, const TreeKey& key) {
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

}  // namespace

std::optional<Error> makeSphereTree(TreeDraft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress) {
  const Polyhedron& polyhedron = draft.bare.polyhedron();
  const TreeKey key{polyhedron.hash(), hashOf(builder.name, options.tree)};
  const fs::path file = cacheFile(options.cacheFolder, std::string(draft.name), key, "spheretree");
  draft.builder = builder.name;
  draft.treeHash = key.settingsHash;
  const bool replaced =
      std::ranges::find(options.standInFor, draft.name) != options.standInFor.end();
  if (!options.rebuild && !replaced && readSphereTreeInto(draft, file, key)) return std::nullopt;
  // Not there: a stand-in that is built quickly flies until it is built
  if (const SphereTreeBuilderEntry* standIn = findSphereTreeBuilder(options.standIn);
      standIn && standIn->name != builder.name) {
    ShapeOptions quick = options;
    quick.standIn.clear();
    quick.standInFor.clear();
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

std::optional<Error> makeBspTree(TreeDraft& draft, const ShapeOptions& options,
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

void removeUnfinishedTrees(const fs::path& folder) {
  for (const std::string_view ending : {".spheretree", ".bsptree"}) removeLeftovers(folder, ending);
}

}  // namespace nearmiss::engine
