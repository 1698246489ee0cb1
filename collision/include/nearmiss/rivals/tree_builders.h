// SPDX-License-Identifier: MIT
/// Builders of sphere trees for comparison with those of nearmiss/advanced/tree_builders.h, and the
/// catalogue of both. Their settings are part of SphereTreeSettings.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss {

/// Builds an octree whose spheres are moved and shrunk by simulated annealing as long as each
/// contains the surface in its octant [H93]. No sphere ends with a larger H than the octree's,
/// unless the objective is Outside; no other objective makes a difference. Octants and triangles
/// are the octree's. Coverage is always Guaranteed. Errors: those of buildOctreeSphereTree().
Result<SphereTree> buildAnnealedSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// Builds a tree of balls anchored at surface points and shrunk until they contain no other point
/// [OB79]. They form no hierarchy by themselves, so they are merged like the spheres of the
/// medial-axis surface. Coverage is Guaranteed along chains of spheres. Fits open surfaces less
/// tightly. Surface that one ball touches everywhere is not divided. Errors: as above.
Result<SphereTree> buildAnchoredSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// Builds the paper's sphere-DAG [H96 §8, §9.1, §12]. For each level, merges the spheres of the
/// whole medial axis into as many as a tree has there, and enlarges them until together they cover
/// the surface. A sphere is a child of every sphere of the level above that it overlaps. Accepts
/// any set of triangles, but fits open ones less tightly. Coverage is Guaranteed with any settings.
/// With an error bound, no level follows one whose spheres are all within it. The objective matters
/// only for the error bound, and only if it is Outside. Errors: as above; TooLarge (over 16 million
/// children, counted under each parent).
Result<SphereTree> buildMedialDag(const Polyhedron& polyhedron,
                                  const SphereTreeSettings& settings = {},
                                  BuildProgress* progress = nullptr);

/// Returns all builders in display order.
[[nodiscard]] std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept;
/// Returns null for an unknown name.
[[nodiscard]] const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept;

/// As checkSettings() of that builder's entry. Errors: Unsupported, also for an unknown name.
Result<Success> checkSettings(std::string_view builder, const SphereTreeSettings& settings);
/// As hashOf() of that builder's entry. For an unknown name: hash of the name and the common
/// settings.
[[nodiscard]] std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings);

/// Returns the builder name for a tree file: `builder`, plus the builder it fell back to if it did.
[[nodiscard]] std::string builderOfFile(std::string_view builder, bool fellBack);
/// Returns true if the builder of a tree file fell back to another one.
[[nodiscard]] bool gaveWay(std::string_view builderOfFile) noexcept;

}  // namespace nearmiss
