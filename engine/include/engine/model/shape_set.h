// SPDX-License-Identifier: MIT
/// The shapes of one scene with all that was precomputed for them, built once and cached.
#pragma once

#include <engine/model/model_loader.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// One model to load.
struct ModelFile {
  std::filesystem::path path;
  /// Its frame and unit are kept, as the link of an articulated ship needs it; else it is centred
  /// and scaled.
  bool ownFrame = false;
};

enum class BspTrees : std::uint8_t {
  Build,      ///< builds trees missing in the cache
  FromCache,  ///< or, if it lacks one, none at all
  None,       ///< for programs that use none
};

struct ShapeOptions {
  std::string treeBuilder{defaultSphereTreeBuilder};  ///< name, or "" in withTrees(): all stay
  SphereTreeSettings tree;
  std::filesystem::path cacheFolder;  ///< empty: defaultCacheFolder()
  bool rebuild = false;               ///< ignore what the cache holds
  BspTrees bspTrees = BspTrees::Build;
  std::size_t maxBspTriangles = std::numeric_limits<std::size_t>::max();  ///< with more: no tree
  /// For a flight that starts at once: where the cache has no sphere tree, this builder's is built
  /// instead. Empty: every tree is that of `treeBuilder`.
  std::string standIn;
  /// Names of shapes that the stand-in stands in for whatever the cache has.
  std::vector<std::string> standInFor{};
  int jobs = 0;  ///< threads; 0: as many as cores. Never changes the result
};

/// Where a shape came from, and what it took. Where a build was not needed its time is 0.
struct LoadedShape {
  std::string name;
  std::filesystem::path file;
  bool ownFrame = false;       ///< see ModelFile
  std::string treeBuilder;     ///< of the sphere tree that it has
  std::uint64_t treeHash = 0;  ///< hashOf() that builder and its settings
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> notes;  ///< warnings of the loader, of a corrupt cache file, and so on
};

/// Immutable and shared. Detectors that were made from it keep what they need themselves.
class ShapeSet {
 public:
  [[nodiscard]] std::span<const LoadedShape> shapes() const noexcept { return shapes_; }
  /// The shapes that detectors are made for.
  [[nodiscard]] const Shapes& collision() const noexcept { return collision_; }
  [[nodiscard]] const Polyhedron& polyhedron(ShapeId id) const noexcept;
  [[nodiscard]] const DrawMesh& drawMesh(ShapeId id) const noexcept;
  [[nodiscard]] const SphereTree& sphereTree(ShapeId id) const noexcept;
  /// True if every shape has one.
  [[nodiscard]] bool hasBspTrees() const noexcept;
  /// True if every sphere tree is this builder's.
  [[nodiscard]] bool allBuiltBy(std::string_view builder) const noexcept;
  /// True if every sphere tree has this builder and settings, by their hashOf().
  [[nodiscard]] bool allHave(std::uint64_t treeHash) const noexcept;
  /// True if both use the very same meshes: then one can replace the other in flight.
  [[nodiscard]] bool sharesBodiesWith(const ShapeSet& other) const noexcept {
    return draw_ == other.draw_;
  }

 private:
  friend struct ShapeSetMaking;
  std::vector<LoadedShape> shapes_;
  Shapes collision_;  ///< by the same index
  std::shared_ptr<const std::vector<DrawMesh>> draw_;
};

/// Loads `files` (ShapeId is the index in them) and builds or reads from the cache what detectors
/// need. The cache never fails a start: what is corrupt or was built around another mesh is rebuilt
/// with a note, what cannot be written is noted. `progress` shows the first build that is not done.
/// Errors: those of loadModel() and of the builders, Cancelled.
Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const ModelFile> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress = nullptr);
/// All of them centred and scaled.
Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const std::filesystem::path> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress = nullptr);

/// The same shapes with the trees that `options` name: what `set` has already is kept, its meshes
/// and BSP trees are shared. For building on while `set` is in use. Notes are those of this call.
/// Errors: as above, but for the loader's.
Result<std::shared_ptr<const ShapeSet>> withTrees(const ShapeSet& set, const ShapeOptions& options,
                                                  BuildProgress* progress = nullptr);

}  // namespace nearmiss::engine
