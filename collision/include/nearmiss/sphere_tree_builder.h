// SPDX-License-Identifier: MIT
/// Building sphere trees, and proving what they promise.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <span>
#include <string>
#include <string_view>

namespace nearmiss {

/// What a builder that optimises tries to make small.
enum class SphereObjective : std::uint8_t {
  Largest,       ///< H, the largest above all [H96 Fig. 14]
  AreaWeighted,  ///< Hw: the mean over the surface of the least H of a sphere that holds the point
  Outside,       ///< how far spheres stick out of the solid; inside of it they may be anywhere
  Exposed,       ///< H, less where other bodies hardly come: in pockets, and a quarter inside
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

/// Of SphereTreeSettings::nodeBoxRatio.
inline constexpr Real greatestNodeBoxRatio = 1000.0;

struct SphereTreeSettings {
  int levels = 4;     ///< deepest level of spheres, 1 to 10
  int branching = 8;  ///< most children of a sphere, as a mean over its level; see mostSpheres
  /// Spheres have more children where they stray most and fewer elsewhere; false: none has more
  /// than `branching`. For the variational builders without an error bound.
  bool adaptive = true;
  /// In the deepest level, leaves above it counted with it; 0: branching^levels. Levels above have
  /// branching^level, but more where that is too few to get there in even steps, and so few that
  /// they can double from level to level. For the variational builders.
  std::size_t mostSpheres = 0;
  Real hausdorffTolerance = 0.02;  ///< H is at most this much, relative to r, above the true value
  Coverage coverage = Coverage::Guaranteed;
  CoverageGuarantee guarantee = CoverageGuarantee::Partition;
  SphereObjective objective = SphereObjective::Exposed;
  /// Of the variational builders.
  SphereSeeds seeds = SphereSeeds::Best;
  /// Metres, for H, also where the objective is Exposed; with Outside, for how far spheres stick
  /// out. A sphere with no more than this is not divided further, and no sphere is divided into
  /// more than it takes to get there; 0 divides down to the deepest level.
  Real errorBound = 0.0;
  /// Points on the surface that the medial builder starts with, at most a million; 0: as many as
  /// the number of levels asks for.
  std::size_t surfacePoints = 0;
  MedialAdjacency adjacency = MedialAdjacency::SameFace;
  AnnealingSchedule annealing{};
  /// Spheres get a box beside them where their H is so many times that of the box, at most
  /// greatestNodeBoxRatio; 0: none do.
  Real nodeBoxRatio = 0.0;
  /// Spheres inside the solid for proofs of contact, at most so many, up to mostInnerSpheres; 0, or
  /// what is no solid: none.
  std::size_t innerSpheres = 0;
  /// Leaves out leaves whose surface others cover as well [H96 §12]; coverage stays what it was.
  bool dropRedundant = false;
  int workers = 1;  ///< threads; the tree is the same for any number
};

/// A 64-bit fingerprint of builder name and settings that matter for the tree: half of a cache key.
[[nodiscard]] std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings);

/// The octree of the bounding cube, occupied octants circumscribed by spheres [H96 §6.2, Fig. 4].
/// The root is the bounding sphere about the body's origin, or the cube's where that is smaller; it
/// need not hold the spheres of level 1, which halve from level to level. An octant is kept iff a
/// triangle meets it, and leaves list the triangles that do, so coverage is always Guaranteed.
/// Errors: Cancelled; TooLarge (over 16 million places); Unsupported (branching other than 8, an
/// error bound, mostSpheres, levels, tolerance or workers out of range).
Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

/// The octree's spheres, each moved and shrunk by simulated annealing as long as it holds the
/// surface in its octant [H93]. No sphere is left with a larger H than the octree's, unless the
/// objective is Outside; places and triangles are the octree's. Coverage is always Guaranteed.
/// Errors: as the octree's, and Unsupported for a schedule out of range.
Result<SphereTree> buildAnnealedSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings = {},
                                           BuildProgress* progress = nullptr);

/// Clusters of surface pieces, each in the ball that strays least from the surface, divided again
/// from level to level. Every piece has one owner in each level, so coverage is Guaranteed; works
/// for any set of triangles. A level l has at most branching^l spheres; unless told otherwise they
/// are shared out to where spheres stray most, up to four times `branching` to one parent. Errors:
/// Cancelled, Unsupported (branching not 2 to 8, levels out of range, mostSpheres above 512^levels
/// or ten million).
Result<SphereTree> buildVariationalSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings = {},
                                              BuildProgress* progress = nullptr);

/// As above, but the spheres of each level are fitted to the whole surface, not to what their
/// parents own: a sphere is the child of every sphere that it shares a surface piece with [H96
/// §12]. Coverage is Guaranteed; Exposed counts as Largest. Errors: Cancelled, Unsupported (as
/// above, and an error bound).
Result<SphereTree> buildSphereDag(const Polyhedron& polyhedron,
                                  const SphereTreeSettings& settings = {},
                                  BuildProgress* progress = nullptr);

/// Spheres of the medial-axis surface, merged where that costs least tightness [H96 §7-9]. Works
/// for any set of triangles; open ones are less tight. With Coverage::Paper every level covers the
/// surface as a whole, and leaves may grow beyond an error bound for that; with
/// Coverage::Guaranteed along chains of spheres; with Coverage::Samples a sphere and its children
/// hold the same surface points, and what lies between them may be in none. A bound below the depth
/// of the medial axis is not reached: single spheres of the axis are not divided. Errors:
/// Cancelled, Unsupported (branching not 2 to 8, mostSpheres, levels, tolerance, bound, points or
/// workers out of range).
Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings = {},
                                         BuildProgress* progress = nullptr);

struct SphereTreeBuilderEntry {
  std::string_view name;
  std::string_view summary;
  Result<SphereTree> (*build)(const Polyhedron&, const SphereTreeSettings&, BuildProgress*);
  /// Heeds Coverage::Paper and Coverage::Samples; the others always guarantee.
  bool hasPaperMode = false;
};
/// What is built where nobody asks for another: covers any mesh, and fits closest for its cost.
inline constexpr std::string_view defaultSphereTreeBuilder = "variational";
[[nodiscard]] std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept;
[[nodiscard]] const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept;

/// The tree of that builder with all that the settings ask for besides (dropRedundant,
/// nodeBoxRatio, innerSpheres), which the builders alone do not heed: what programs call. Errors:
/// those of the builder and of buildInnerSpheres(); Unsupported for a ratio or count out of range,
/// and for boxes with another coverage than Guaranteed.
Result<SphereTree> buildSphereTree(const SphereTreeBuilderEntry& builder,
                                   const Polyhedron& polyhedron,
                                   const SphereTreeSettings& settings = {},
                                   BuildProgress* progress = nullptr);

/// One level of a tree in figures, all lengths in metres of the body frame.
struct SphereLevelReport {
  std::size_t spheres = 0;
  Real hausdorffMean = 0.0, hausdorffMax = 0.0;
  Real radiusMean = 0.0, radiusMax = 0.0;
};
[[nodiscard]] std::vector<SphereLevelReport> levelReports(const SphereTree& tree);

/// The verdict of an independent check of a tree against a mesh.
struct SphereTreeCertificate {
  /// What coverage promises: a chain at every point, whole levels, or (Samples) nothing.
  bool covers = false;
  bool bounds = false;              ///< every stored H is at least the measured one
  std::size_t uncoveredPieces = 0;  ///< pieces without a chain, or triangles that a level leaves
  std::size_t brokenBounds = 0;
  std::size_t brokenInner = 0;  ///< inner spheres that are not proven to lie inside the solid
  std::string complaint;        ///< one sentence about the first fault; empty if there is none
};
/// Certifies chains by splitting triangles until each piece lies in spheres of one root-to-leaf
/// chain whose leaf lists it, whole levels by the lemma [H96 §9.1], and H by branch and bound.
[[nodiscard]] SphereTreeCertificate checkSphereTree(const SphereTree& tree,
                                                    const Polyhedron& polyhedron);

}  // namespace nearmiss
