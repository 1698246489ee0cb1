// SPDX-License-Identifier: MIT
/// The approximate medial-axis surface of a polyhedron, spheres at the inner Voronoi vertices of
/// points on its surface [H96 §7]; and the tree into which the balls of any axis are merged.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

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
  Sphere ball;                            ///< forming points nearly lie on it, none inside
  std::vector<std::uint32_t> points;      ///< the forming points, ascending
  std::vector<std::uint32_t> neighbours;  ///< ascending
  /// Spheres that come into question only where neighbours alone leave pieces apart, ascending.
  std::vector<std::uint32_t> farNeighbours;
};

struct MedialAxis {
  std::vector<SurfaceSample> points;
  std::vector<Vec3> normals;  ///< per point: of its triangle
  /// The spheres at inner Voronoi vertices, then one of radius 0 for each point without any, as
  /// points of open surfaces are.
  std::vector<MedialSphere> spheres;
  std::size_t innerSpheres = 0;
  bool bothSides = false;  ///< spheres stray on both sides of the surface: as far as they are large
};

/// The last steps of finding an axis, for spheres that know their points: unit normals of the
/// points; a sphere of radius 0 for each point without a sphere, after innerSpheres was counted;
/// neighbours sorted, each once.
void addNormals(const TriangleMesh& mesh, MedialAxis& axis);
void addPointSpheres(MedialAxis& axis, std::vector<std::vector<std::uint32_t>>& spheresOf);
void sortNeighbours(MedialAxis& axis);

/// The spheres of given points. Voronoi vertices within `together` metres of each other are one.
/// Once `cancelled` is set, if given, it ends soon and is empty.
[[nodiscard]] MedialAxis medialAxis(const Polyhedron& polyhedron, std::vector<SurfaceSample> points,
                                    const VoronoiDiagram& diagram, Real together,
                                    MedialAdjacency adjacency,
                                    const std::atomic<bool>* cancelled = nullptr);

/// How faithful an axis is.
struct AxisDetail {
  int repairs = 4;  ///< rounds of adding points where necks and gaps are narrow
  Real together =
      1e-4;  ///< of the points' spacing: Voronoi vertices this near to each other are one
};

/// The whole axis: `count` even points, more where necks and gaps are narrow, and their spheres.
/// Empty if cancelled.
[[nodiscard]] MedialAxis medialAxis(const Polyhedron& polyhedron, std::size_t count,
                                    MedialAdjacency adjacency, BuildProgress* progress,
                                    const AxisDetail& detail = {});

/// The axis of a surface without an inside: about `count` even points as spheres of radius 0,
/// neighbours where their Voronoi cells meet. Both of its sides have a medial axis, and a sphere of
/// either strays as far as it is large. Has `bothSides`. Empty if cancelled.
[[nodiscard]] MedialAxis pointAxis(const Polyhedron& polyhedron, std::size_t count,
                                   BuildProgress* progress);

/// Seeds for the spheres of a tree: the balls at the inner Voronoi vertices of about `count` even
/// points on the surface [H96 §7], no larger than the distance of the surface; and one of radius 0
/// at each point that has no inner vertex, as points of open surfaces do. Gaps between points are
/// not filled: that keeps the axis in one piece, which balls alone do not need. Empty if cancelled.
/// @param field of the polyhedron's mesh
[[nodiscard]] std::vector<Sphere> medialBalls(const Polyhedron& polyhedron,
                                              const DistanceField& field, std::size_t count,
                                              BuildProgress* progress);

/// Repairs narrow necks and gaps with too few points, where Voronoi cells reach through to foreign
/// parts of the surface [H96 §7]. For every point: the parts of the surface in its cell that do not
/// connect to the point's own triangle within the cell, and of each such part the position
/// nearest to the point. At most `most` positions. Once `cancelled` is set, if given, it ends soon
/// without the rest.
[[nodiscard]] std::vector<SurfaceSample> missingPoints(
    const Polyhedron& polyhedron, const std::vector<SurfaceSample>& points,
    const VoronoiDiagram& diagram, std::size_t most, const std::atomic<bool>* cancelled = nullptr);

/// How many points of the surface an axis is found from: as set, else a few for each sphere of the
/// deepest level, within limits.
[[nodiscard]] std::size_t axisPoints(const BuildPlan<MedialSettings>& plan) noexcept;

/// The balls to merge, from about `count` points of the surface; empty if cancelled. Refers to the
/// function that it is made of, and takes no memory, whose lack no builder could report here.
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

/// A sphere tree of the balls of an axis: level by level they are merged into as many as a sphere
/// may have children, where that costs least tightness, and made to cover [H96 §8, §9].
/// Errors: Cancelled; those of lacking memory.
Result<SphereTree> buildMergedTree(const Polyhedron& polyhedron,
                                   const BuildPlan<MedialSettings>& plan, const FindAxis& findAxis,
                                   BuildProgress* progress);

}  // namespace nearmiss
