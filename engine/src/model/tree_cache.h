// SPDX-License-Identifier: MIT
/// Reads trees of a shape from the cache, or builds and stores them.
#pragma once

#include <engine/base/threads.h>
#include <engine/model/shape_set.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// The trees of one shape during the build. Each task writes to its own fields.
struct TreeDraft {
  TreeDraft(std::string_view model, Shape shape) : name(model), bare(std::move(shape)) {}
  std::string_view name;
  Shape bare;
  std::string_view builder;
  std::uint64_t treeHash = 0;
  std::optional<Shape> withSpheres, withPlanes;
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> treeNotes, bspNotes;
};

/// Reads the sphere tree of `builder` into the draft, or builds and stores it, or makes the
/// stand-in that `options` allow. Adds a note if the cache cannot be read or written. Errors: the
/// builder's.
std::optional<Error> makeSphereTree(TreeDraft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress);
/// As above, for the BSP tree.
std::optional<Error> makeBspTree(TreeDraft& draft, const ShapeOptions& options,
                                 BuildProgress& progress);

/// Returns true if the cache folder has a file for that tree of the draft; null: the BSP tree.
[[nodiscard]] bool isCached(const TreeDraft& draft, const SphereTreeBuilderEntry* builder,
                            const ShapeOptions& options);

/// Removes leftovers of interrupted writes.
void removeUnfinishedTrees(const std::filesystem::path& folder);

// Runs long tasks in parallel, with common progress and cancellation.

/// Returns its error, if any. Exceptions are converted to errors.
using BuildTask = std::function<std::optional<Error>(BuildProgress&)>;

/// Runs all tasks on up to threadCount(jobs) threads, or on fewer if the system cannot create them;
/// the caller's thread always works. `progress` may be null; it shows the first unfinished task,
/// and its `cancelled` applies to all. Returns the error of the first task that failed, in task
/// order. After an error no further tasks are started.
std::optional<Error> runTasks(std::span<const BuildTask> tasks, int jobs, BuildProgress* progress);

}  // namespace nearmiss::engine
