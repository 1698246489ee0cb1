// SPDX-License-Identifier: MIT
/// Building sphere trees.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/builder_settings.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss {

/// Whether a builder can work with settings: the common ones and its own. Errors: Unsupported, in a
/// sentence with the setting, its value and its range.
Result<Success> checkSettings(std::string_view builder, const SphereTreeSettings& settings);

/// A 64-bit fingerprint of builder name and settings that matter for the tree: half of a cache key.
[[nodiscard]] std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings);

/// The octree of the bounding cube, occupied octants circumscribed by spheres [H96 §6.2, Fig. 4].
/// The root is the bounding sphere about the body's origin, or the cube's where that is smaller; it
/// need not hold the spheres of level 1, which halve from level to level. An octant is kept iff a
/// triangle meets it, and leaves list the triangles that do, so coverage is always Guaranteed.
/// Errors: Cancelled; TooLarge (over 16 million places); those of checkSettings().
Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// The octree's spheres, each moved and shrunk by simulated annealing as long as it holds the
/// surface in its octant [H93]. No sphere is left with a larger H than the octree's, unless the
/// objective is Outside; places and triangles are the octree's. Coverage is always Guaranteed.
/// Errors: as the octree's.
Result<SphereTree> buildAnnealedSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// Clusters of surface pieces, each in the ball that strays least from the surface, divided again
/// from level to level. Every piece has one owner in each level, so coverage is Guaranteed; works
/// for any set of triangles. A level l has at most branching^l spheres; unless told otherwise they
/// are shared out to where spheres stray most, up to four times `branching` to one parent. Errors:
/// Cancelled; those of checkSettings().
Result<SphereTree> buildVariationalSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings = {},
                                              BuildProgress* progress = nullptr);

/// As above, but the spheres of each level are fitted to the whole surface, not to what their
/// parents own: a sphere is the child of every sphere that it shares a surface piece with [H96
/// §12]. Coverage is Guaranteed; Exposed counts as Largest. Errors: as
/// above.
Result<SphereTree> buildSphereDag(const Polyhedron& polyhedron,
                                  const SphereTreeSettings& settings = {},
                                  BuildProgress* progress = nullptr);

/// Spheres of the medial-axis surface, merged where that costs least tightness [H96 §7-9]. Works
/// for any set of triangles. By the objective Largest, and of what is no solid, points of the
/// surface are merged instead, where the guarantee is Partition: spheres of the axis reach deep
/// into a thick solid, and what is no solid has none; elsewhere such trees are less tight. With
/// Coverage::Paper every level covers the surface as a whole, and leaves may grow beyond an error
/// bound for that; with Coverage::Guaranteed along chains of spheres; with Coverage::Samples a
/// sphere and its children hold the same surface points, and what lies between them may be in none.
/// A bound below the depth of the medial axis is not reached: single spheres of the axis are not
/// divided. Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// Balls anchored at points of the surface and shrunk until they hold no other point [OB79], merged
/// as those of the medial-axis surface are; they alone make no hierarchy. Coverage is Guaranteed
/// along chains of spheres; open surfaces are less tight, and what one ball touches all over is not
/// divided. Errors: as above.
Result<SphereTree> buildAnchoredSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

struct SphereTreeBuilderEntry {
  std::string_view name;
  std::string_view summary;
  Result<SphereTree> (*build)(const Polyhedron&, const SphereTreeSettings&, BuildProgress*);
  /// Supports Coverage::Paper and Coverage::Samples; the others always guarantee.
  bool hasPaperMode = false;
};
/// The default builder: covers any mesh, and fits closest for its cost.
inline constexpr std::string_view defaultSphereTreeBuilder = "variational";
[[nodiscard]] std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept;
[[nodiscard]] const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept;

/// The tree of that builder with the additions of the settings (dropRedundant, nodeBoxRatio,
/// innerSpheres), which the builders alone ignore: what programs call. Errors: those of the builder
/// and of buildInnerSpheres(); Unsupported for a ratio or count out of range, and for boxes with
/// another coverage than Guaranteed.
Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron,
                                   const SphereTreeSettings& settings = {},
                                   BuildProgress* progress = nullptr);

}  // namespace nearmiss
