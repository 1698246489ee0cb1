// SPDX-License-Identifier: MIT
/// Queries of rays and points against a shape, or against many placed shapes, for Python arrays.
#pragma once

#include <nearmiss/world.h>

#include <optional>
#include <vector>

#include "shapes.h"

namespace nearmiss::python {

/// Rays as Python passes them: origins and directions (n, 3) or (3); none, one or n ends.
struct RayArrays {
  Vertices origins, directions;
  std::optional<Vertices> ends;
  double radius = 0.0;
};

/// `budget` is in seconds per ray, `workers` the maximum number of threads, by default one per
/// core. Returns arrays "hit", "t", "lower", "points", "normals", "triangles" (-1: none), "final".
pybind11::dict raycastShape(const Shape& shape, const Vertices& pose, const RayArrays& rays,
                            std::optional<double> budget, std::optional<int> workers);
/// As raycastShape(), with poses (m, 4, 4), one for each shape. Also returns "bodies", indices of
/// shapes.
pybind11::dict raycastShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                             const RayArrays& rays, std::optional<double> budget,
                             std::optional<int> workers);

/// Points (n, 3). Returns arrays "lower", "upper", "points", "triangles" (-1: none within reach),
/// "final".
pybind11::dict nearestOfShape(const Shape& shape, const Vertices& pose, const Vertices& points,
                              double reach, std::optional<double> budget,
                              std::optional<int> workers);
/// As nearestOfShape(). Also returns "bodies", indices of shapes.
pybind11::dict nearestOfShapes(const std::vector<Shape>& shapes, const Vertices& poses,
                               const Vertices& points, double reach, std::optional<double> budget,
                               std::optional<int> workers);

/// Points (n, 3). Returns a PointSide for each, as a number.
pybind11::object sidesOf(const Shape& shape, const Vertices& pose, const Vertices& points,
                         std::optional<double> budget, std::optional<int> workers);
/// Returns "containing", rows of a point and a shape that contains it, sorted by point; and
/// "final".
pybind11::dict containing(const std::vector<Shape>& shapes, const Vertices& poses,
                          const Vertices& points, std::optional<double> budget,
                          std::optional<int> workers);

/// Declares the functions above, and PointSide.
void declareRays(pybind11::module_& m);

}  // namespace nearmiss::python
