// SPDX-License-Identifier: MIT
/// Trees of a shape: read from the cache, or built and kept there.
#pragma once

#include <engine/model/shape_set.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// The trees of one shape while they are being made; each task writes to its own fields.
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

/// Reads the sphere tree of `builder` into the draft, or builds and keeps it; or makes the stand-in
/// that `options` allow. A cache that cannot be read or written is noted. Errors: the builder's.
std::optional<Error> makeSphereTree(TreeDraft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress);
/// The same of the BSP tree.
std::optional<Error> makeBspTree(TreeDraft& draft, const ShapeOptions& options,
                                 BuildProgress& progress);

/// Of writes that were killed.
void removeUnfinishedTrees(const std::filesystem::path& folder);

}  // namespace nearmiss::engine
