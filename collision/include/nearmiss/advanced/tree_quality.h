// SPDX-License-Identifier: MIT
/// Quality of a sphere tree: how tightly its spheres fit the surface, as figures and proven bounds,
/// and a proof of its coverage.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss {

class Polyhedron;

/// Figures for one level of a tree; lengths in metres, body frame.
struct SphereLevelReport {
  std::size_t spheres = 0;
  Real hausdorffMean = 0.0, hausdorffMax = 0.0;  ///< H
  Real outsideMean = 0.0, outsideMax = 0.0;      ///< Ho; same as H if there is no solid
  Real radiusMean = 0.0, radiusMax = 0.0;
};
[[nodiscard]] std::vector<SphereLevelReport> levelReports(const SphereTree& tree);

/// Upper bounds on the distance of points of a sphere from the surface, metres. Found by branch and
/// bound; never below the true value.
struct SphereHausdorff {
  /// H, the Hausdorff distance: maximum over the sphere's own surface [H96 §9.2, Fig. 14].
  Real surface = 0.0;
  /// Ho: maximum over the part of the sphere outside the solid; same as `surface` without a solid.
  Real outside = 0.0;
  Real ball = 0.0;  ///< Hb: maximum over the whole ball; the bound of a collision (erratum E3)
};

/// Measures one sphere. No bound exceeds the true value by more than `tolerance` metres (above 0),
/// unless 20,000 surface queries did not suffice.
[[nodiscard]] SphereHausdorff measureSphere(const Polyhedron& polyhedron, const Sphere& sphere,
                                            Real tolerance);

/// The paper's own estimate of H, from the vertices of an inscribed dodecahedron [H96 §9.2]. The
/// paper does not say which of the two its Figs. 14 and 16 show (erratum E6).
struct DodecahedronEstimate {
  Real sampled = 0.0;  ///< maximum distance of a vertex: at most H
  /// Plus 0.6409 r, the maximum distance from any point to a vertex: at least H.
  Real corrected = 0.0;
};
[[nodiscard]] DodecahedronEstimate dodecahedronEstimate(const Polyhedron& polyhedron,
                                                        const Sphere& sphere);

/// Settings of measureLevels().
struct LevelMeasureSettings {
  Real tolerance = 0.02;               ///< of the bounds, relative to the radius
  std::size_t surfaceSamples = 20000;  ///< for the mean over the surface
  std::size_t volumeSamples = 20000;   ///< for the volumes
  int deepest = 10;                    ///< deeper levels are not measured
  int workers = 1;                     ///< threads; results do not depend on it
};

/// The representation of the surface at one level of a tree: its spheres and the leaves above it.
struct SphereLevelMeasure {
  std::size_t spheres = 0;
  Real surfaceMean = 0.0, surfaceMax = 0.0;      ///< H, metres
  Real outsideMean = 0.0, outsideMax = 0.0;      ///< Ho, metres
  Real ballMean = 0.0, ballMax = 0.0;            ///< Hb, metres
  Real sampledMean = 0.0, sampledMax = 0.0;      ///< the paper's estimate of H, metres
  Real correctedMean = 0.0, correctedMax = 0.0;  ///< the same with its correction, metres
  /// Hw, metres: the mean over uniformly distributed surface points of the smallest H of a sphere
  /// that contains the point. Unlike the plain mean, it does not improve if small spheres are
  /// added.
  Real areaWeighted = 0.0;
  Real uncovered = 0.0;               ///< share of these points in no sphere; not part of the mean
  Real volume = 0.0;                  ///< of the union of the spheres, cubic metres; an estimate
  std::optional<Real> outsideVolume;  ///< the part outside the solid; empty without one
};

[[nodiscard]] std::vector<SphereLevelMeasure> measureLevels(
    const SphereTree& tree, const Polyhedron& polyhedron,
    const LevelMeasureSettings& settings = {});

/// Writes the identities of the spheres that represent the surface at `level`: those of the level
/// and the leaves above it, in slot order.
void cutAt(const SphereTree& tree, int level, std::vector<SphereId>& out);

/// Figures for the inner spheres of one level, metres.
struct InnerLevelReport {
  std::size_t spheres = 0;
  Real radiusMean = 0.0, radiusMax = 0.0;
  /// Distances of surface points from the nearest inner sphere. Another such body must penetrate
  /// about that deep before contact is proven.
  Real gapMean = 0.0, gapMax = 0.0;
};
[[nodiscard]] std::vector<InnerLevelReport> innerLevelReports(const InnerSpheres& inner,
                                                              const Polyhedron& polyhedron);

/// Returns the number of inner spheres not proven to lie inside. The centre and the distance of the
/// surface are tested exactly. `complaint` receives a sentence about the first fault.
[[nodiscard]] std::size_t checkInnerSpheres(const InnerSpheres& inner, const Polyhedron& polyhedron,
                                            std::string& complaint);

/// The result of an independent check of a tree against a mesh.
struct SphereTreeCertificate {
  /// The promise of `coverage` holds: a chain at every surface point, whole levels, or (Samples)
  /// nothing.
  bool covers = false;
  bool bounds = false;  ///< every stored H and Ho is at least the measured one
  /// Pieces without a chain, or triangles that a level does not cover.
  std::size_t uncoveredPieces = 0;
  std::size_t brokenBounds = 0;
  std::size_t brokenInner = 0;  ///< inner spheres not proven to lie inside the solid
  std::string complaint;        ///< one sentence about the first fault; empty if none
};
/// Checks a tree against its mesh. Certifies chains by splitting triangles until each piece lies in
/// the spheres of one root-to-leaf chain whose leaf lists it. Certifies whole levels by the lemma
/// of [H96 §9.1], and H and Ho by branch and bound.
[[nodiscard]] SphereTreeCertificate checkSphereTree(const SphereTree& tree,
                                                    const Polyhedron& polyhedron);
/// As above, with progress and cancellation. Errors: Cancelled, OutOfMemory.
Result<SphereTreeCertificate> checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron,
                                              BuildProgress& progress);

/// Checks a tree against a mesh close to its own, such as the mesh of the file before welding and
/// cleaning. Both checks are made with all radii and all H enlarged by `slack` metres: every level
/// with the leaves above it covers `nearby` as a whole, and no point of a sphere is farther from it
/// than H. Ho and inner spheres are not checked.
/// @pre the tree is valid, for example certified by checkSphereTree()
[[nodiscard]] SphereTreeCertificate checkAgainstNearby(const SphereTree& tree,
                                                       const Polyhedron& nearby, Real slack);
Result<SphereTreeCertificate> checkAgainstNearby(const SphereTree& tree, const Polyhedron& nearby,
                                                 Real slack, BuildProgress& progress);

}  // namespace nearmiss
