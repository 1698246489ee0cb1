// SPDX-License-Identifier: MIT
/// Quality of a sphere tree: how tightly its spheres fit the surface, in figures and proven bounds,
/// and proof of the coverage it promises.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss {

/// One level of a tree in figures, all lengths in metres of the body frame.
struct SphereLevelReport {
  std::size_t spheres = 0;
  Real hausdorffMean = 0.0, hausdorffMax = 0.0;  ///< H
  Real outsideMean = 0.0, outsideMax = 0.0;      ///< Ho; as H without a solid
  Real radiusMean = 0.0, radiusMax = 0.0;
};
[[nodiscard]] std::vector<SphereLevelReport> levelReports(const SphereTree& tree);

/// Upper bounds on the distance of points from the surface, metres, found by branch and bound:
/// never below the true value.
struct SphereHausdorff {
  /// H, the Hausdorff distance: any point of the sphere itself [H96 §9.2, Fig. 14].
  Real surface = 0.0;
  /// Ho: points of the sphere outside the solid only; as `surface` without a solid.
  Real outside = 0.0;
  Real ball = 0.0;  ///< Hb: any point of the whole ball; the bound of a collision (erratum E3)
};

/// `tolerance` metres, above 0: no bound is more than this above the true value, unless 20,000
/// queries of the surface were not enough.
[[nodiscard]] SphereHausdorff measureSphere(const Polyhedron& polyhedron, const Sphere& sphere,
                                            Real tolerance);

/// The paper's own estimate of H, from the vertices of an inscribed dodecahedron [H96 §9.2]. It
/// leaves open which of the two its Figs. 14 and 16 show (erratum E6).
struct DodecahedronEstimate {
  Real sampled = 0.0;    ///< maximum distance of a vertex: at most H
  Real corrected = 0.0;  ///< 0.6409 r more, the way from any point to a vertex: at least H
};
[[nodiscard]] DodecahedronEstimate dodecahedronEstimate(const Polyhedron& polyhedron,
                                                        const Sphere& sphere);

struct LevelMeasureSettings {
  Real tolerance = 0.02;               ///< of the bounds, relative to the radius
  std::size_t surfaceSamples = 20000;  ///< for the mean over the surface
  std::size_t volumeSamples = 20000;   ///< for the volumes
  int deepest = 10;                    ///< levels below are left out
  int workers = 1;                     ///< threads; the figures are the same for any number
};

/// The representation of the surface at one level of a tree: its spheres and the leaves above it.
struct SphereLevelMeasure {
  std::size_t spheres = 0;
  Real surfaceMean = 0.0, surfaceMax = 0.0;      ///< H, metres
  Real outsideMean = 0.0, outsideMax = 0.0;      ///< Ho, metres
  Real ballMean = 0.0, ballMax = 0.0;            ///< Hb, metres
  Real sampledMean = 0.0, sampledMax = 0.0;      ///< the paper's estimate of H, metres
  Real correctedMean = 0.0, correctedMax = 0.0;  ///< the same with its correction, metres
  /// Hw: the mean, over even points of the surface, of the least H of a sphere that holds the
  /// point, metres. Small spheres added to a level do not improve it, as they do the plain mean.
  Real areaWeighted = 0.0;
  Real uncovered = 0.0;  ///< share of those points that no sphere holds; they are not in the mean
  Real volume = 0.0;     ///< of the union of the spheres, cubic metres; an estimate
  std::optional<Real> outsideVolume;  ///< the part outside the solid; empty without one
};

[[nodiscard]] std::vector<SphereLevelMeasure> measureLevels(
    const SphereTree& tree, const Polyhedron& polyhedron,
    const LevelMeasureSettings& settings = {});

/// The identities of the spheres that represent the surface at `level`: those of the level and the
/// leaves above it, in the order of their slots.
void cutAt(const SphereTree& tree, int level, std::vector<SphereId>& out);

/// The spheres of one level in figures, metres.
struct InnerLevelReport {
  std::size_t spheres = 0;
  Real radiusMean = 0.0, radiusMax = 0.0;
  /// Distances of surface points from the nearest sphere: another such body must reach in about as
  /// deep before contact is proven.
  Real gapMean = 0.0, gapMax = 0.0;
};
[[nodiscard]] std::vector<InnerLevelReport> innerLevelReports(const InnerSpheres& inner,
                                                              const Polyhedron& polyhedron);

/// Number of spheres not proven to lie inside, exactly by their centre and by the distance of the
/// surface; `complaint` gets a sentence about the first.
[[nodiscard]] std::size_t checkInnerSpheres(const InnerSpheres& inner, const Polyhedron& polyhedron,
                                            std::string& complaint);

/// The verdict of an independent check of a tree against a mesh.
struct SphereTreeCertificate {
  /// The promise of `coverage` holds: a chain at every point, whole levels, or (Samples) nothing.
  bool covers = false;
  bool bounds = false;              ///< every stored H and Ho is at least the measured one
  std::size_t uncoveredPieces = 0;  ///< pieces without a chain, or triangles that a level leaves
  std::size_t brokenBounds = 0;
  std::size_t brokenInner = 0;  ///< inner spheres that are not proven to lie inside the solid
  std::string complaint;        ///< one sentence about the first fault; empty if there is none
};
/// Certifies chains by splitting triangles until each piece lies in spheres of one root-to-leaf
/// chain whose leaf lists it, whole levels by the lemma [H96 §9.1], and H and Ho by branch and
/// bound.
[[nodiscard]] SphereTreeCertificate checkSphereTree(const SphereTree& tree,
                                                    const Polyhedron& polyhedron);
/// The same, which shows its progress and can be cancelled. Errors: Cancelled, OutOfMemory.
Result<SphereTreeCertificate> checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron,
                                              BuildProgress& progress);

/// The same against a mesh close to the tree's own, such as that of the file before welding and
/// cleaning: every level with the leaves above it covers that mesh as a whole, and no point of a
/// sphere is farther from it than H, where all spheres are `slack` metres larger and every H is as
/// much more. Ho and inner spheres are not checked.
/// @pre the tree is valid, as one that checkSphereTree() certified
[[nodiscard]] SphereTreeCertificate checkAgainstNearby(const SphereTree& tree,
                                                       const Polyhedron& nearby, Real slack);
Result<SphereTreeCertificate> checkAgainstNearby(const SphereTree& tree, const Polyhedron& nearby,
                                                 Real slack, BuildProgress& progress);

}  // namespace nearmiss
