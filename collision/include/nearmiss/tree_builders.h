// SPDX-License-Identifier: MIT
/// Building sphere trees: the settings, and the builders of the core. Rival builders, and all by
/// name, are in nearmiss/methods/tree_builders.h.
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

/// What a builder that optimises tries to make small.
enum class SphereObjective : std::uint8_t {
  Largest,       ///< H, the largest above all [H96 Fig. 14]
  AreaWeighted,  ///< Hw: the mean over the surface of the least H of a sphere that holds the point
  Outside,       ///< how far spheres stick out of the solid; inside of it they may be anywhere
  /// H, less where other bodies hardly come: in pockets, and inside of solids, where a depth counts
  /// a quarter, and no more from some depth on. What is no solid has no inside: as Largest.
  Exposed,
};

/// Where the variational builders begin before they move pieces from sphere to sphere.
enum class SphereSeeds : std::uint8_t {
  FarthestPoints,  ///< pieces of the surface far from each other
  Medial,          ///< balls of the medial axis that together lie over the surface [H96 §7]
  /// Both, and what fits best is kept; from the third level on only Medial, unless the objective is
  /// Largest.
  Best,
};

/// Which spheres of a medial-axis surface are neighbours (erratum E8).
enum class MedialAdjacency : std::uint8_t {
  SameFace,    ///< their Voronoi vertices lie on the same face of a cell
  SharedEdge,  ///< their Voronoi vertices are the ends of an edge
};

/// How the annealed builder cools.
struct AnnealingSchedule {
  std::uint64_t seed = 1;
  int steps = 300;     ///< moves tried for each sphere; 0 leaves the octree as it is
  Real heat = 0.1;     ///< the first temperature, of a sphere's inaccuracy at the start
  Real cooled = 0.01;  ///< the last temperature, of the first
};

/// How the medial builder guarantees coverage.
enum class CoverageGuarantee : std::uint8_t {
  Partition,  ///< every piece of surface has one owner in each level
  Safest,     ///< children cover what their parent covers: looser, the paper's safest policy
};

/// Of the builder "octree", which divides into eight whatever is asked: none of its own. Those of
/// "annealed" and "annealed-apart".
struct AnnealedSettings {
  SphereObjective objective = SphereObjective::Exposed;  ///< all but Outside count as Largest
  AnnealingSchedule schedule{};
};

/// Of the builder "variational".
struct VariationalSettings {
  int branching = 8;  ///< most children of a sphere, as a mean over its level; see maxSpheres
  /// Spheres have more children where their Hausdorff distance is large and fewer elsewhere; false:
  /// none has more than `branching`. Without an error bound.
  bool adaptive = true;
  /// In the deepest level, leaves above it counted with it; 0: branching^levels. Levels above have
  /// branching^level, but more where that is too few to get there in even steps, and so few that
  /// they can double from level to level.
  std::size_t maxSpheres = 0;
  SphereObjective objective = SphereObjective::Exposed;
  SphereSeeds seeds = SphereSeeds::Best;
  /// Metres, for H, also where the objective is Exposed; with Outside, for how far spheres stick
  /// out. A sphere with no more than this is not divided further, and no sphere is divided into
  /// more than it takes to get there; 0 divides down to the deepest level.
  Real errorBound = 0.0;
};

/// Of the builder "dag": as those of "variational".
struct DagSettings {
  int branching = 8;
  bool adaptive = true;
  std::size_t maxSpheres = 0;
  SphereObjective objective = SphereObjective::Largest;
  SphereSeeds seeds = SphereSeeds::Best;
};

/// Of the builder "medial".
struct MedialSettings {
  int branching = 8;  ///< most children of a sphere
  Coverage coverage = Coverage::Guaranteed;
  CoverageGuarantee guarantee = CoverageGuarantee::Partition;
  SphereObjective objective = SphereObjective::Exposed;
  Real errorBound = 0.0;  ///< as that of "variational"
  /// Points on the surface to begin with; 0: as many as the number of levels asks for.
  std::size_t surfacePoints = 0;
  MedialAdjacency adjacency = MedialAdjacency::SameFace;
};

/// Of the builder "anchored": as those of "medial".
struct AnchoredSettings {
  int branching = 8;
  SphereObjective objective = SphereObjective::Exposed;  ///< which counts as Largest
  Real errorBound = 0.0;
  std::size_t surfacePoints = 0;  ///< the time grows with their square
};

/// The additions to a tree of the default builder where nobody chooses: see SphereTreeSettings.
inline constexpr Real usualNodeBoxRatio = 1.0;
inline constexpr std::size_t usualInnerSpheres = 256;

/// The common settings, and those of each builder: whoever builds heeds the common ones and its own
/// alone. checkSettings() knows their ranges.
struct SphereTreeSettings {
  int levels = 4;  ///< deepest level of spheres
  /// H is at most this much, relative to r, above the true value, unless the queries of the surface
  /// were not enough for a sphere.
  Real hausdorffTolerance = 0.02;
  /// Maximum number of surface queries for H in each level, shared evenly by its spheres; one more
  /// for the centre of each. If it is not 0, Ho equals H except for spheres whose centre is known
  /// to be inside. 0: 20,000 for each sphere.
  std::size_t hausdorffQueries = 0;
  /// A sphere gets a box beside it where its H exceeds this multiple of the box's H; 0: none does.
  /// Only where coverage is guaranteed.
  Real nodeBoxRatio = 0.0;
  /// At most this many spheres inside a solid, for proofs of contact; open meshes get none.
  std::size_t innerSpheres = 0;
  /// Leaves out leaves whose surface others cover as well [H96 §12]; coverage stays what it was.
  bool dropRedundant = false;
  int workers = 1;  ///< threads; the tree is the same for any number
  AnnealedSettings annealed{};
  VariationalSettings variational{};
  DagSettings dag{};
  MedialSettings medial{};
  AnchoredSettings anchored{};
};

/// Ranges, the ends included.
inline constexpr int maxTreeLevels = 10;
inline constexpr int minBranching = 2, maxBranching = 8;
inline constexpr int maxBuildWorkers = 1024;
inline constexpr Real maxNodeBoxRatio = 1000.0;
inline constexpr std::size_t maxSurfacePoints = 1'000'000;
inline constexpr std::size_t maxAnchoredPoints = 100'000;
inline constexpr int maxAnnealingSteps = 1'000'000;
/// Of the deepest level of trees of one level, of two, and of more.
inline constexpr std::size_t maxSpheresOfOneLevel = 512;
inline constexpr std::size_t maxSpheresOfTwoLevels = maxSpheresOfOneLevel * maxSpheresOfOneLevel;
inline constexpr std::size_t maxSpheresOfALevel = 10'000'000;

/// The octree of the bounding cube, occupied octants circumscribed by spheres [H96 §6.2, Fig. 4].
/// The root is the bounding sphere about the body's origin, or the cube's where that is smaller; it
/// need not hold the spheres of level 1, which halve from level to level. An octant is kept iff a
/// triangle meets it, and leaves list the triangles that do, so coverage is always Guaranteed.
/// Errors: Cancelled; TooLarge (over 16 million places); those of checkSettings().
Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// Halves the surface by the surface area heuristic and puts each part into its smallest ball,
/// within milliseconds for thousands of triangles. Halves the part with the largest ball next,
/// until level l has 8^l spheres. The deepest level is the first with as many
/// spheres as the mesh has triangles, and with at least 64. Every piece has one owner in each
/// level, so coverage is Guaranteed. Works for any set of triangles. With a nodeBoxRatio above 0,
/// thin parts get boxes. Errors: Cancelled; those of checkSettings().
Result<SphereTree> buildSurfaceAreaSphereTree(const Polyhedron& polyhedron,
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

/// Up to `count` (1 to 4,096) balls that touch the surface from inside, chosen one after the other
/// so that each brings the spheres nearest to the surface; fewer where more would gain nothing.
/// Inside a solid; of any other surface inside its closed components, each by itself, wherever it
/// winds (there two of them prove contact unless one component may lie within the other); empty
/// where nothing is closed. The same for any number of `workers` (threads). Errors: Cancelled,
/// Unsupported (count or workers out of range).
Result<InnerSpheres> buildInnerSpheres(const Polyhedron& polyhedron, std::size_t count,
                                       int workers = 1, BuildProgress* progress = nullptr);

class Fingerprint;

struct SphereTreeBuilderEntry {
  std::string_view name;
  std::string_view summary;
  Result<SphereTree> (*build)(const Polyhedron&, const SphereTreeSettings&, BuildProgress*);
  /// The ranges of its own settings, and their part of the hash; null: it has none.
  Result<Success> (*checkOwn)(std::string_view name, const SphereTreeSettings&) = nullptr;
  void (*hashOwn)(Fingerprint&, const SphereTreeSettings&) = nullptr;
  /// Supports Coverage::Paper and Coverage::Samples; the others always guarantee.
  bool hasPaperMode = false;
};
/// The builder of TreeQuality::Fast.
inline constexpr std::string_view fastSphereTreeBuilder = "sah";
/// The builder of TreeQuality::Tight, and where trees are named the default: covers any mesh, and
/// fits closest for its cost.
inline constexpr std::string_view defaultSphereTreeBuilder = "variational";
/// Octree, SAH, variational, DAG and medial.
[[nodiscard]] std::span<const SphereTreeBuilderEntry> coreSphereTreeBuilders() noexcept;
/// Null for a name that is none of these.
[[nodiscard]] const SphereTreeBuilderEntry* findCoreSphereTreeBuilder(
    std::string_view name) noexcept;

/// Returns the settings of a tree of TreeQuality::Fast for a mesh of `triangles` triangles. Bounds
/// that have their defaults in `tree` become rough. With `additions`, boxes and inner spheres are
/// added where `tree` has 0.
[[nodiscard]] SphereTreeSettings fastTreeSettings(SphereTreeSettings tree, std::size_t triangles,
                                                  bool additions = true) noexcept;

/// Checks that a builder can use settings: the common ones and its own. Errors: Unsupported, in a
/// sentence with the setting, its value and its range.
Result<Success> checkSettings(const SphereTreeBuilderEntry& builder,
                              const SphereTreeSettings& settings);

/// A 64-bit fingerprint of builder name and settings that matter for the tree: half of a cache key.
[[nodiscard]] std::uint64_t hashOf(const SphereTreeBuilderEntry& builder,
                                   const SphereTreeSettings& settings);

/// The tree of that builder with the additions of the settings (dropRedundant, nodeBoxRatio,
/// innerSpheres), which the builders alone ignore: what programs call. Errors: those of the builder
/// and of buildInnerSpheres(); Unsupported for a ratio or count out of range, and for boxes with
/// another coverage than Guaranteed.
Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron,
                                   const SphereTreeSettings& settings = {},
                                   BuildProgress* progress = nullptr);

}  // namespace nearmiss
