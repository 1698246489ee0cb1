// SPDX-License-Identifier: MIT
/// Builders of sphere trees to compare with those of nearmiss/tree_builders.h, and all of both by
/// name. Their settings are part of SphereTreeSettings.
#pragma once

#include <nearmiss/tree_builders.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss {

/// The octree's spheres, each moved and shrunk by simulated annealing as long as it holds the
/// surface in its octant [H93]. No sphere is left with a larger H than the octree's, unless the
/// objective is Outside; no other objective makes a difference. Places and triangles are the
/// octree's. Coverage is always Guaranteed. Errors: as the octree's.
Result<SphereTree> buildAnnealedSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// Balls anchored at points of the surface and shrunk until they hold no other point [OB79], merged
/// as those of the medial-axis surface are; they alone make no hierarchy. Coverage is Guaranteed
/// along chains of spheres; open surfaces are less tight, and what one ball touches all over is not
/// divided. Errors: as above.
Result<SphereTree> buildAnchoredSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// The paper's sphere-DAG [H96 §8, §9.1, §12]: for each level the spheres of the whole medial axis
/// are merged into as many as a tree has there, and enlarged until they cover the surface together;
/// a sphere is the child of every sphere of the level above that it meets. Works for any set of
/// triangles, open ones less tightly. Coverage is Guaranteed, whatever the settings; with an error
/// bound no level follows one whose spheres are all within it; the objective makes a difference
/// only for that, and only if it is Outside. Errors: as above; TooLarge (over 16 million children,
/// counted under each parent).
Result<SphereTree> buildMedialDag(const Polyhedron& polyhedron,
                                  const SphereTreeSettings& settings = {},
                                  BuildProgress* progress = nullptr);

/// Every builder, in the order of lists.
[[nodiscard]] std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept;
/// Null for an unknown name.
[[nodiscard]] const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept;

/// As of the entry of that name. Errors: Unsupported, for an unknown name too.
Result<Success> checkSettings(std::string_view builder, const SphereTreeSettings& settings);
/// As of the entry of that name; of an unknown one, of the name and the common settings.
[[nodiscard]] std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings);

/// What a tree file names as its builder: `builder`, and where that gave way, to which one.
[[nodiscard]] std::string builderOfFile(std::string_view builder, bool fellBack);
/// True if a tree file's builder gave way.
[[nodiscard]] bool gaveWay(std::string_view builderOfFile) noexcept;

}  // namespace nearmiss
