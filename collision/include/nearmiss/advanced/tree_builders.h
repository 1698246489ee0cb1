// SPDX-License-Identifier: MIT
/// The builders of sphere trees in the core. Rival builders, and the
/// catalogue of all, are in nearmiss/rivals/tree_builders.h.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_settings.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss {

class Polyhedron;

/// Builds the octree of the bounding cube: each occupied octant is circumscribed by a sphere [H96
/// §6.2, Fig. 4].
///
/// The root is the smaller of the bounding sphere about the body's origin and that of the cube. It
/// need not contain the spheres of level 1. Radii halve from level to level. An octant is kept iff
/// a triangle intersects it, and leaves list these triangles, so coverage is always Guaranteed.
/// Errors: Cancelled; TooLarge (over 16 million places); those of checkSettings().
Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// Builds a tree by the surface area heuristic, within milliseconds for thousands of triangles.
///
/// Repeatedly halves the part of the surface with the largest ball, until level l has 8^l spheres;
/// each part gets its smallest enclosing ball. The deepest level is the first with at least 64
/// spheres and at least as many as the mesh has triangles. Every piece has one owner in each level,
/// so coverage is Guaranteed. Accepts any set of triangles. With a nodeBoxRatio above 0, thin parts
/// get boxes. Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildSurfaceAreaSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings = {},
                                              BuildProgress* progress = nullptr);

/// Builds a tree of clusters of surface pieces, each in the ball that deviates least from the
/// surface. Clusters are divided again from level to level.
///
/// Every piece has one owner in each level, so coverage is Guaranteed. Accepts any set of
/// triangles. Level l has at most branching^l spheres by default. If `adaptive`, spheres are
/// distributed to where they deviate most, up to four times `branching` children per parent.
/// Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildVariationalSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings = {},
                                              BuildProgress* progress = nullptr);

/// Builds a sphere-DAG [H96 §12]. As buildVariationalSphereTree(), but the spheres of each level
/// are fitted to the whole surface, not to the pieces of their parents. A sphere is a child of
/// every sphere with which it shares a surface piece. Coverage is Guaranteed; Exposed counts as
/// Largest. Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildSphereDag(const Polyhedron& polyhedron,
                                  const SphereTreeSettings& settings = {},
                                  BuildProgress* progress = nullptr);

/// Builds a tree of medial-axis spheres [H96 §7-9]. Merges pairs of spheres, always the pair whose
/// merged sphere is tightest, until each level has its number of spheres. Accepts any set of
/// triangles.
///
/// The coverage setting decides what the spheres contain:
/// - Guaranteed: every surface point has a chain of spheres from the root to a leaf.
/// - Paper: every level covers the surface as a whole. Leaves may exceed the error bound.
/// - Samples: a sphere and its children contain the same surface points. The surface between these
///   points may be in no sphere.
///
/// With Guaranteed coverage by Partition, surface points are merged instead of medial-axis spheres
/// in two cases: the objective is Largest, because axis spheres reach deep into a thick solid; or
/// the mesh is not a solid, because it then has no axis. Trees for other objectives are less tight.
///
/// Single spheres of the axis are not divided, so an error bound below the depth of the axis is not
/// reached. Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// Builds up to `count` (1 to 4,096) balls inside the surface that touch it. Each is chosen to
/// bring the spheres as near to the surface as possible; stops early if more would gain nothing.
///
/// For a solid, the balls lie inside it. For any other surface, they lie inside its closed
/// components, each taken by itself and with either winding; two such balls prove contact unless
/// one component may lie within the other. Empty if no component is closed. The result is the same
/// for any number of `workers` (threads). Errors: Cancelled, Unsupported (count or workers out of
/// range).
Result<InnerSpheres> buildInnerSpheres(const Polyhedron& polyhedron, std::size_t count,
                                       int workers = 1, BuildProgress* progress = nullptr);

class Fingerprint;

/// A builder of sphere trees: its name and its functions.
struct SphereTreeBuilderEntry {
  std::string_view name;
  std::string_view summary;
  Result<SphereTree> (*build)(const Polyhedron&, const SphereTreeSettings&, BuildProgress*);
  /// Checks the ranges of the builder's own settings, and adds them to a hash; null: it has none.
  Result<Success> (*checkOwn)(std::string_view name, const SphereTreeSettings&) = nullptr;
  void (*hashOwn)(Fingerprint&, const SphereTreeSettings&) = nullptr;
  /// True if it supports Coverage::Paper and Coverage::Samples; other builders always guarantee
  /// coverage.
  bool hasPaperMode = false;
};
/// The builder of TreeQuality::Fast.
inline constexpr std::string_view fastSphereTreeBuilder = "sah";
/// The builder of TreeQuality::Tight, and the default of programs that name a builder. Covers any
/// mesh, and fits closest for its cost.
inline constexpr std::string_view defaultSphereTreeBuilder = "variational";
/// Octree, SAH, variational, DAG and medial.
[[nodiscard]] std::span<const SphereTreeBuilderEntry> coreSphereTreeBuilders() noexcept;
/// Returns null for a name that is not among them.
[[nodiscard]] const SphereTreeBuilderEntry* findCoreSphereTreeBuilder(
    std::string_view name) noexcept;

/// Returns the settings of a TreeQuality::Fast tree for a mesh of `triangles` triangles. Bounds
/// that have their defaults in `tree` are replaced by coarse ones. With `additions`, boxes and
/// inner spheres are added where `tree` has 0.
[[nodiscard]] SphereTreeSettings fastTreeSettings(SphereTreeSettings tree, std::size_t triangles,
                                                  bool additions = true) noexcept;

/// Checks the common settings and the builder's own. Errors: Unsupported, in a sentence with the
/// setting, its value and its range.
Result<Success> checkSettings(const SphereTreeBuilderEntry& builder,
                              const SphereTreeSettings& settings);

/// Returns a 64-bit fingerprint of builder name and all settings that affect the tree. One half of
/// a cache key; the other is the hash of the mesh.
[[nodiscard]] std::uint64_t hashOf(const SphereTreeBuilderEntry& builder,
                                   const SphereTreeSettings& settings);

/// Builds a tree with the given builder, including the additions in the settings (dropRedundant,
/// nodeBoxRatio, innerSpheres), which builders alone ignore. The usual entry point for programs.
/// Errors: those of the builder and of buildInnerSpheres(); Unsupported for a ratio or count out of
/// range, and for boxes if coverage is not Guaranteed.
Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron,
                                   const SphereTreeSettings& settings = {},
                                   BuildProgress* progress = nullptr);

}  // namespace nearmiss
