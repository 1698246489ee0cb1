// SPDX-License-Identifier: MIT
/// The approximate medial-axis surface of a polyhedron: spheres at the inner Voronoi vertices of
/// points on its surface, and which of them are neighbours [H96 §7].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "builders/voronoi_diagram.h"
#include "spheres/distance_field.h"
#include "spheres/even_points.h"

namespace nearmiss {

struct MedialSphere {
  Sphere ball;                            ///< all forming points lie on it, none inside, about
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
[[nodiscard]] MedialAxis medialAxis(const Polyhedron& polyhedron, std::vector<SurfaceSample> points,
                                    const VoronoiDiagram& diagram, Real together,
                                    MedialAdjacency adjacency);

/// How faithful an axis is.
struct AxisDetail {
  int repairs = 4;  ///< rounds of adding points where necks and gaps are narrow
  Real together =
      1e-4;  ///< of the points' spacing: Voronoi vertices this near to each other are one
};

/// All of it: `count` even points, more where necks and gaps are narrow, and their spheres. Empty
/// if cancelled.
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

}  // namespace nearmiss
