// SPDX-License-Identifier: MIT
/// Building sphere trees: the settings, and the builders of the core. Rival builders, and the
/// catalogue of all, are in nearmiss/methods/tree_builders.h.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss {

/// The quantity that an optimising builder minimises.
enum class SphereObjective : std::uint8_t {
  Largest,  ///< H, above all its maximum [H96 Fig. 14]
  /// Hw: mean over the surface of the smallest H of a sphere that contains the point.
  AreaWeighted,
  Outside,  ///< how far spheres protrude from the solid; their part inside is ignored
  /// H, weighted less where other bodies rarely reach: in pockets, and inside solids. There a depth
  /// counts a quarter, and stops counting beyond some depth. Same as Largest if the mesh is not a
  /// solid.
  Exposed,
};

/// Initial spheres of the variational builders, before pieces are moved between spheres.
enum class SphereSeeds : std::uint8_t {
  FarthestPoints,  ///< pieces of the surface that are far from each other
  Medial,          ///< balls of the medial axis that together cover the surface [H96 §7]
  /// Tries both and keeps the better fit. From the third level on only Medial, unless the objective
  /// is Largest.
  Best,
};

/// Which spheres of a medial-axis surface are neighbours (erratum E8).
enum class MedialAdjacency : std::uint8_t {
  SameFace,    ///< their Voronoi vertices lie on the same face of a cell
  SharedEdge,  ///< their Voronoi vertices are the ends of an edge
};

/// Cooling schedule of the annealed builder.
struct AnnealingSchedule {
  std::uint64_t seed = 1;
  int steps = 300;     ///< moves tried per sphere; 0 returns the octree
  Real heat = 0.1;     ///< initial temperature, relative to a sphere's initial inaccuracy
  Real cooled = 0.01;  ///< final temperature, relative to the initial one
};

/// How the medial builder guarantees coverage.
enum class CoverageGuarantee : std::uint8_t {
  Partition,  ///< every piece of the surface has one owner in each level
  Safest,     ///< children cover all that their parent covers: looser; the paper's safest policy
};

/// Settings of the builders "annealed" and "annealed-apart". (The octree builder has no settings of
/// its own.)
struct AnnealedSettings {
  SphereObjective objective = SphereObjective::Exposed;  ///< all but Outside count as Largest
  AnnealingSchedule schedule{};
};

/// Settings of the builder "variational".
struct VariationalSettings {
  int branching = 8;  ///< maximum mean number of children per sphere of a level; see maxSpheres
  /// If true, spheres with a large Hausdorff distance get more children and others fewer. If false,
  /// no sphere has more than `branching` children. Applies if there is no error bound.
  bool adaptive = true;
  /// Maximum number of spheres of the deepest level, including leaves above it; 0:
  /// branching^levels. A level above has branching^level spheres. It has more if the number could
  /// otherwise not grow in even steps, and fewer if it could otherwise not double from level to
  /// level.
  std::size_t maxSpheres = 0;
  SphereObjective objective = SphereObjective::Exposed;
  SphereSeeds seeds = SphereSeeds::Best;
  /// Target for H, metres; with Outside, for how far spheres protrude. Also applies to H if the
  /// objective is Exposed. A sphere within the target is not divided, and no sphere is divided into
  /// more children than needed to reach it. 0 divides down to the deepest level.
  Real errorBound = 0.0;
};

/// Settings of the builder "dag". They mean the same as in VariationalSettings, with two
/// differences: the default objective is Largest, because Exposed counts as Largest, and there is
/// no error bound.
struct DagSettings {
  int branching = 8;           ///< maximum mean number of children per sphere of a level
  bool adaptive = true;        ///< more children where H is large; false: at most `branching`
  std::size_t maxSpheres = 0;  ///< of the deepest level; 0: branching^levels
  SphereObjective objective = SphereObjective::Largest;
  SphereSeeds seeds = SphereSeeds::Best;
};

/// Settings of the builder "medial".
struct MedialSettings {
  int branching = 8;  ///< maximum number of children of a sphere
  Coverage coverage = Coverage::Guaranteed;
  CoverageGuarantee guarantee = CoverageGuarantee::Partition;
  SphereObjective objective = SphereObjective::Exposed;
  Real errorBound = 0.0;  ///< as that of "variational"
  /// Number of initial surface points; 0: chosen by the number of levels.
  std::size_t surfacePoints = 0;
  MedialAdjacency adjacency = MedialAdjacency::SameFace;
};

/// Settings of the builder "anchored". Each field means the same as in MedialSettings.
struct AnchoredSettings {
  int branching = 8;
  SphereObjective objective = SphereObjective::Exposed;  ///< Exposed counts as Largest
  Real errorBound = 0.0;
  std::size_t surfacePoints = 0;  ///< build time grows with their square
};

/// Default additions to a tree of the default builder: see SphereTreeSettings.
inline constexpr Real usualNodeBoxRatio = 1.0;
inline constexpr std::size_t usualInnerSpheres = 256;

/// The common settings of all builders, and those of each builder. A builder uses the common
/// settings and its own; it ignores the others. checkSettings() checks their ranges.
struct SphereTreeSettings {
  int levels = 4;  ///< deepest level of spheres
  /// Tolerance of H above its true value, relative to the radius. May be exceeded if the surface
  /// queries did not suffice for a sphere.
  Real hausdorffTolerance = 0.02;
  /// Maximum number of surface queries for H in each level, shared evenly by its spheres. Each
  /// sphere gets one more for its centre. If not 0, Ho equals H except for spheres whose centre is
  /// known to be inside. 0: 20,000 per sphere.
  std::size_t hausdorffQueries = 0;
  /// A sphere gets an additional box if its H exceeds this multiple of the box's H; 0: no boxes.
  /// Requires guaranteed coverage.
  Real nodeBoxRatio = 0.0;
  /// Maximum number of spheres inside a solid, for proofs of contact. Open meshes get none.
  std::size_t innerSpheres = 0;
  /// Removes leaves whose surface other leaves also cover [H96 §12]. Coverage does not change.
  bool dropRedundant = false;
  int workers = 1;  ///< threads; the tree is the same for any number
  AnnealedSettings annealed{};
  VariationalSettings variational{};
  DagSettings dag{};
  MedialSettings medial{};
  AnchoredSettings anchored{};
};

/// Inclusive ranges of the settings.
inline constexpr int maxTreeLevels = 10;
inline constexpr int minBranching = 2, maxBranching = 8;
inline constexpr int maxBuildWorkers = 1024;
inline constexpr Real maxNodeBoxRatio = 1000.0;
inline constexpr std::size_t maxSurfacePoints = 1'000'000;
inline constexpr std::size_t maxAnchoredPoints = 100'000;
inline constexpr int maxAnnealingSteps = 1'000'000;
/// Maximum number of spheres of the deepest level, for trees of one, two, or more levels.
inline constexpr std::size_t maxSpheresOfOneLevel = 512;
inline constexpr std::size_t maxSpheresOfTwoLevels = maxSpheresOfOneLevel * maxSpheresOfOneLevel;
inline constexpr std::size_t maxSpheresOfALevel = 10'000'000;

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

/// Builds a tree of medial-axis spheres, merged in the order that costs least tightness [H96 §7-9].
/// Accepts any set of triangles.
///
/// Surface points are merged instead of medial-axis spheres if coverage is Guaranteed by Partition
/// and either the objective is Largest or the mesh is not a solid. The reason: spheres of the axis
/// reach deep into a thick solid, and without a solid there is no axis. For other objectives such
/// trees are less tight.
///
/// Coverage:
/// - Guaranteed: every surface point has a chain of spheres from the root to a leaf.
/// - Paper: every level covers the surface as a whole; leaves may grow beyond the error bound to
///   achieve it.
/// - Samples: a sphere and its children contain the same surface points; surface between these
///   points may be in no sphere.
///
/// An error bound below the depth of the medial axis is not reached, because single spheres of the
/// axis are not divided. Errors: Cancelled; those of checkSettings().
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
