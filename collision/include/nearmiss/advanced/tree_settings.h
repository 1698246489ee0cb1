// SPDX-License-Identifier: MIT
/// The settings of builders of sphere trees, all with defaults.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <string>

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

/// Settings of the builder "dag". As VariationalSettings, but without an error bound. Exposed
/// counts as Largest.
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

/// The builder of a sphere tree: its name in the catalogue, and hashOf() its settings. Empty and 0
/// if the origin is unknown.
struct TreeOrigin {
  std::string builder;
  std::uint64_t settingsHash = 0;
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

}  // namespace nearmiss
