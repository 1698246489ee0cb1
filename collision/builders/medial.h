// SPDX-License-Identifier: MIT
/// The approximate medial-axis surface of a polyhedron: spheres at the inner Voronoi vertices of
/// points on its surface [H96 §7]. Also builds a tree by merging the spheres of any axis.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builders/voronoi_diagram.h"
#include "spheres/build_plan.h"
#include "spheres/distance_field.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

struct MedialSphere {
  Sphere ball;                            ///< forming points lie nearly on it, none inside
  std::vector<std::uint32_t> points;      ///< indices of the forming points, ascending
  std::vector<std::uint32_t> neighbours;  ///< ascending
  /// Further neighbours, ascending. Used only if the axis is disconnected without them.
  std::vector<std::uint32_t> farNeighbours;
};

struct MedialAxis {
  std::vector<SurfaceSample> points;
  std::vector<Vec3> normals;  ///< per point: normal of its triangle
  /// The spheres at inner Voronoi vertices, then one of radius 0 for each point without an inner
  /// vertex, for example on open surfaces.
  std::vector<MedialSphere> spheres;
  std::size_t innerSpheres = 0;
  bool bothSides = false;  ///< spheres protrude on both sides of the surface, by up to their radius
};

/// The last steps of computing an axis from spheres with known forming points. Adds unit normals of
/// the points, then a sphere of radius 0 for each point without a sphere (after counting
/// innerSpheres). Sorts neighbours and removes duplicates.
void addNormals(const TriangleMesh& mesh, MedialAxis& axis);
void addPointSpheres(MedialAxis& axis, std::vector<std::vector<std::uint32_t>>& spheresOf);
void sortNeighbours(MedialAxis& axis);

/// Computes the spheres of given points. Voronoi vertices within `together` metres of each other
/// are merged. Once `cancelled`, if given, is set, returns soon with an empty result.
[[nodiscard]] MedialAxis medialAxis(const Polyhedron& polyhedron, std::vector<SurfaceSample> points,
                                    const VoronoiDiagram& diagram, Real together,
                                    MedialAdjacency adjacency,
                                    const std::atomic<bool>* cancelled = nullptr);

/// Level of detail of an axis.
struct AxisDetail {
  int repairs = 4;       ///< rounds of adding points at narrow necks and gaps
  Real together = 1e-4;  ///< Voronoi vertices nearer than this share of the spacing are merged
};

/// Computes the whole axis: `count` evenly spaced points, more at narrow necks and gaps, and their
/// spheres. Empty if cancelled.
[[nodiscard]] MedialAxis medialAxis(const Polyhedron& polyhedron, std::size_t count,
                                    MedialAdjacency adjacency, BuildProgress* progress,
                                    const AxisDetail& detail = {});

/// Computes the axis of a surface without an inside: about `count` evenly spaced points as spheres
/// of radius 0. Two are neighbours if their Voronoi cells meet. Such a surface has a medial axis on
/// both sides, and a sphere of either protrudes by up to its radius; so `bothSides` is set. Empty
/// if cancelled.
[[nodiscard]] MedialAxis pointAxis(const Polyhedron& polyhedron, std::size_t count,
                                   BuildProgress* progress);

/// Returns seeds for the spheres of a tree: the balls at the inner Voronoi vertices of about
/// `count` evenly spaced points on the surface [H96 §7], no larger than their distance from the
/// surface. Points without an inner vertex, for example on open surfaces, get a ball of radius 0.
/// Gaps between points are not filled: this would only keep the axis connected, which the balls do
/// not need. Empty if cancelled.
/// @param field distance field of the polyhedron's mesh
[[nodiscard]] std::vector<Sphere> medialBalls(const Polyhedron& polyhedron,
                                              const DistanceField& field, std::size_t count,
                                              BuildProgress* progress);

/// Repairs narrow necks and gaps with too few points, where Voronoi cells reach through to other
/// parts of the surface [H96 §7]. For every point, considers the parts of the surface in its cell
/// that are not connected to the point's own triangle within the cell. Returns the position nearest
/// to the point for each of these parts, at most `most` positions. Once `cancelled`, if given, is
/// set, returns soon with a partial result.
[[nodiscard]] std::vector<SurfaceSample> missingPoints(
    const Polyhedron& polyhedron, const std::vector<SurfaceSample>& points,
    const VoronoiDiagram& diagram, std::size_t most, const std::atomic<bool>* cancelled = nullptr);

/// Number of surface points from which an axis is computed: as set, or otherwise a few per sphere
/// of the deepest level, within limits.
[[nodiscard]] std::size_t axisPoints(const BuildPlan<MedialSettings>& plan) noexcept;

/// Returns the balls to merge, from about `count` points of the surface; empty if cancelled. Only
/// refers to the given function, without allocating, because no builder could report a failed
/// allocation here.
class FindAxis {
 public:
  template <class Find>
  FindAxis(const Find& find) noexcept
      : find_(&find), call_([](const void* f, std::size_t count) {
          return (*static_cast<const Find*>(f))(count);
        }) {}
  [[nodiscard]] MedialAxis operator()(std::size_t count) const { return call_(find_, count); }

 private:
  const void* find_;
  MedialAxis (*call_)(const void* find, std::size_t count);
};

/// Builds a sphere tree from the balls of an axis. Level by level, merges the balls into as many as
/// a sphere may have children, choosing the mergers that cost least tightness, and makes them cover
/// the surface [H96 §8, §9].
/// Errors: Cancelled; errors for lack of memory.
Result<SphereTree> buildMergedTree(const Polyhedron& polyhedron,
                                   const BuildPlan<MedialSettings>& plan, const FindAxis& findAxis,
                                   BuildProgress* progress);

}  // namespace nearmiss
