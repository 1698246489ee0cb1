// SPDX-License-Identifier: MIT
/// The shapes of one scene with all precomputed data, built once and cached.
#pragma once

#include <engine/base/file_path.h>
#include <engine/model/model_loader.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// One model to load.
struct ModelFile {
  FilePath path;
  /// Keeps frame and unit, as needed by the links of an articulated ship; otherwise the model is
  /// centred and scaled.
  bool ownFrame = false;
};

enum class BspTrees : std::uint8_t {
  Build,      ///< builds trees that the cache lacks
  FromCache,  ///< no trees at all if the cache lacks one
  None,       ///< for programs that do not use them
};

struct ShapeOptions {
  std::string treeBuilder{defaultSphereTreeBuilder};  ///< name; "" in withTrees(): keep all trees
  SphereTreeSettings tree;
  FilePath cacheFolder;  ///< empty: defaultCacheFolder()
  bool rebuild = false;  ///< ignore the cache
  BspTrees bspTrees = BspTrees::Build;
  std::size_t maxBspTriangles = std::numeric_limits<std::size_t>::max();  ///< larger shapes get no
                                                                          ///< tree
  /// Starts a flight without waiting for builds: if the cache has no sphere tree for a shape, this
  /// builder's tree is built instead. Empty: every tree is built by `treeBuilder`.
  std::string temporaryBuilder;
  /// Names of shapes that always use it, even if the cache has a tree.
  std::vector<std::string> temporaryFor{};
  int jobs = 0;  ///< threads; 0: one per core. Never changes the result
};

/// Origin and build times of a shape. A time is 0 if no build was needed.
struct LoadedShape {
  std::string name;
  FilePath file;
  bool ownFrame = false;       ///< see ModelFile
  std::string treeBuilder;     ///< builder of its sphere tree
  std::uint64_t treeHash = 0;  ///< hashOf() of that builder and its settings
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> notes;  ///< warnings, for example of the loader or about a corrupt cache
                                   ///< file
};

/// Immutable and shared. Detectors made from it keep the parts they need alive.
class ShapeSet {
 public:
  /// A set of shapes that are ready, without meshes for drawing. `about` has an entry per shape.
  [[nodiscard]] static std::shared_ptr<const ShapeSet> of(std::vector<LoadedShape> about,
                                                          Shapes shapes);

  [[nodiscard]] std::span<const LoadedShape> shapes() const noexcept { return shapes_; }
  /// The shapes for making detectors.
  [[nodiscard]] const Shapes& collision() const noexcept { return collision_; }
  [[nodiscard]] const Polyhedron& polyhedron(std::uint32_t id) const noexcept;
  [[nodiscard]] const DrawMesh& drawMesh(std::uint32_t id) const noexcept;
  [[nodiscard]] const SphereTree& sphereTree(std::uint32_t id) const noexcept;
  /// Returns true if every shape has a BSP tree.
  [[nodiscard]] bool hasBspTrees() const noexcept;
  /// Returns true if this builder made every sphere tree.
  [[nodiscard]] bool allBuiltBy(std::string_view builder) const noexcept;
  /// Returns true if the builder and settings of every sphere tree have this hashOf().
  [[nodiscard]] bool allHave(std::uint64_t treeHash) const noexcept;
  /// Returns true if both sets share the same meshes; then one can replace the other in flight.
  [[nodiscard]] bool sharesBodiesWith(const ShapeSet& other) const noexcept {
    return draw_ == other.draw_;
  }

 private:
  friend struct ShapeSetMaking;
  std::vector<LoadedShape> shapes_;
  Shapes collision_;  ///< by shape index
  std::shared_ptr<const std::vector<DrawMesh>> draw_;
};

/// Loads `files` (shapes keep their order) and builds or reads from the cache the data for
/// detectors. A cache problem is never an error: files that are corrupt or belong to another mesh
/// are rebuilt, and files that cannot be written are skipped, both with a note. `progress` shows
/// the first unfinished build. Errors: those of loadModel() and of the builders; Cancelled.
Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const ModelFile> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress = nullptr);
/// As above; centres and scales all models.
Result<std::shared_ptr<const ShapeSet>> buildShapeSet(std::span<const FilePath> files,
                                                      const ShapeOptions& options,
                                                      BuildProgress* progress = nullptr);

/// Returns the same shapes with the trees of `options`. Reuses matching trees of `set` and shares
/// its meshes and BSP trees. Can run while `set` is in use. Contains only the notes of this call.
/// Errors: as above, except those of the loader.
Result<std::shared_ptr<const ShapeSet>> withTrees(const ShapeSet& set, const ShapeOptions& options,
                                                  BuildProgress* progress = nullptr);

/// Returns the number of triangles of each shape for which withTrees() would build a sphere tree,
/// because neither `set` nor the cache has it. If `options` name no builder: BSP trees.
[[nodiscard]] std::vector<std::size_t> trianglesToBuild(const ShapeSet& set,
                                                        const ShapeOptions& options);

}  // namespace nearmiss::engine
