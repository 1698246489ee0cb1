// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/detail/file_replacement.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "model/guarded.h"
#include "model/tree_cache.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

double secondsSince(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// File name from the valid part of the model's name and a unique key of the tree.
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
  return fmt::format("{}; the tree was rebuilt", fault.message);
}

/// Runs `write` after creating the folder. An unwritable cache is not an error, only slow.
void keep(const fs::path& folder, std::vector<std::string>& notes, const auto& write) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    notes.push_back(
        fmt::format("cannot cache trees in \"{}\": {}", folder.string(), failed.message()));
    return;
  }
  const Result<Success> written = guarded(write);
  if (!written) notes.push_back(fmt::format("{}; the tree is not cached", written.error().message));
}

/// Reads the tree of `builder`; returns false if it must be built.
bool readSphereTreeInto(TreeDraft& draft, const fs::path& file, const TreeKey& key) {
  Result<SphereTreeFile> kept = readSphereTree(file, key);
  // A cached tree of a builder that fell back counts as a fallback as well
  if (kept && gaveWay(kept->builder)) countFallback(Fallback::AnnealedApart);
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
      std::ranges::find(options.temporaryFor, draft.name) != options.temporaryFor.end();
  if (!options.rebuild && !replaced && readSphereTreeInto(draft, file, key)) return std::nullopt;
  // Not cached: build a temporary tree quickly
  if (const SphereTreeBuilderEntry* temporaryBuilder =
          findSphereTreeBuilder(options.temporaryBuilder);
      temporaryBuilder && temporaryBuilder->name != builder.name) {
    ShapeOptions quick = options;
    quick.temporaryBuilder.clear();
    quick.temporaryFor.clear();
    quick.tree.medial.coverage = Coverage::Guaranteed;
    quick.tree.nodeBoxRatio = 0.0;
    quick.tree.innerSpheres = 0;
    if (temporaryBuilder->name == fastSphereTreeBuilder)
      quick.tree = fastTreeSettings(quick.tree, polyhedron.mesh().triangles.size());
    return makeSphereTree(draft, *temporaryBuilder, quick, progress);
  }

  const auto start = steady_clock::now();
  const std::uint64_t before = fallbacksHere(Fallback::AnnealedApart);
  Result<SphereTree> built = buildSphereTree(builder, polyhedron, options.tree, &progress);
  if (!built) return built.error();
  draft.treeSeconds = secondsSince(start);
  SphereTreeFile contents{
      key, builderOfFile(builder.name, fallbacksHere(Fallback::AnnealedApart) > before),
      static_cast<std::uint32_t>(polyhedron.mesh().triangles.size()), draft.treeSeconds,
      std::move(*built)};
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

bool isCached(const TreeDraft& draft, const SphereTreeBuilderEntry* builder,
              const ShapeOptions& options) {
  const TreeKey key{draft.bare.polyhedron().hash(),
                    builder ? hashOf(builder->name, options.tree) : hashOf(BspSettings{})};
  std::error_code ignored;
  return fs::is_regular_file(cacheFile(options.cacheFolder, std::string(draft.name), key,
                                       builder ? "spheretree" : "bsptree"),
                             ignored);
}

void removeUnfinishedTrees(const fs::path& folder) {
  for (const std::string_view ending : {".spheretree", ".bsptree"}) removeLeftovers(folder, ending);
}

namespace {

struct TaskState {
  BuildProgress progress;
  std::optional<Error> error;
  bool done = false;
};

/// State shared by the workers.
struct Board {
  explicit Board(std::size_t count) : states(count) {}
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<TaskState> states;
  std::size_t next = 0;  ///< first task not yet started
  std::size_t finished = 0;
};

void work(std::span<const BuildTask> tasks, Board& board) {
  std::unique_lock lock(board.mutex);
  while (board.next < tasks.size()) {
    const std::size_t mine = board.next++;
    TaskState& state = board.states[mine];
    lock.unlock();
    std::optional<Error> error;
    if (!state.progress.cancelled) error = guarded([&] { return tasks[mine](state.progress); });
    lock.lock();
    state.error = std::move(error);
    state.done = true;
    // After an error, do not start further tasks
    if (state.error)
      for (std::size_t t = board.next; t < tasks.size(); ++t)
        board.states[t].progress.cancelled = true;
    ++board.finished;
    board.changed.notify_all();
  }
}

void show(const Board& board, BuildProgress& progress) {
  const auto open = std::find_if(board.states.begin(), board.states.end(),
                                 [](const TaskState& state) { return !state.done; });
  if (open == board.states.end()) return;
  progress.stage = open->progress.stage.load();
  progress.fraction = open->progress.fraction.load();
}

/// Fallback without threads: runs the tasks one after the other.
std::optional<Error> runSequentially(std::span<const BuildTask> tasks, BuildProgress* progress) {
  BuildProgress unwatched;
  BuildProgress& shown = progress ? *progress : unwatched;
  for (const BuildTask& task : tasks) {
    if (shown.cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};
    if (auto error = guarded([&] { return task(shown); })) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> runTasks(std::span<const BuildTask> tasks, int jobs, BuildProgress* progress) {
  constexpr auto glance = std::chrono::milliseconds(20);
  const auto wanted = std::min(static_cast<std::size_t>(threadCount(jobs)), tasks.size());
  Board board(tasks.size());
  std::vector<std::jthread> workers;
  workers.reserve(wanted);
  while (workers.size() < wanted) {
    workers.push_back(startThread([&] { work(tasks, board); }));
    if (workers.back().joinable()) continue;
    workers.pop_back();
    break;
  }
  if (workers.empty()) return runSequentially(tasks, progress);

  // Forward progress to the caller and cancellation to the workers
  bool cancelled = false;
  std::unique_lock lock(board.mutex);
  while (board.finished < tasks.size()) {
    board.changed.wait_for(lock, glance);
    if (!progress) continue;
    show(board, *progress);
    if (!progress->cancelled || cancelled) continue;
    cancelled = true;
    for (TaskState& state : board.states) state.progress.cancelled = true;
  }
  lock.unlock();
  workers.clear();

  for (TaskState& state : board.states)
    if (state.error) return std::move(state.error);
  if (cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};
  return std::nullopt;
}

}  // namespace nearmiss::engine
