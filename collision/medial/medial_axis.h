// SPDX-License-Identifier: MIT
/// The approximate medial-axis surface of a polyhedron: spheres at the inner Voronoi vertices of
/// points on its surface, and which of them are neighbours [H96 §7].
#pragma once

#include "medial/voronoi_diagram.h"
#include "spheres/even_points.h"

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdint>
#include <vector>

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
  /// Those at inner Voronoi vertices, then one of radius 0 for each point that has none of them, as
  /// points of open surfaces do.
  std::vector<MedialSphere> spheres;
  std::size_t innerSpheres = 0;
  bool bothSides = false;  ///< spheres stray on both sides of the surface: as far as they are large
};

/// What is left to do for spheres that know their points, the last steps of finding an axis: unit
/// normals of the points; a sphere of radius 0 for each point that is none's, innerSpheres being
/// counted before; neighbours sorted, each once.
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

/// Of a surface without an inside: about `count` even points as spheres of radius 0, neighbours
/// where their Voronoi cells meet. Both of its sides have a medial axis, and a sphere of either
/// strays as far as it is large. Has `bothSides`. Empty if cancelled.
[[nodiscard]] MedialAxis pointAxis(const Polyhedron& polyhedron, std::size_t count,
                                   BuildProgress* progress);

}  // namespace nearmiss
