// SPDX-License-Identifier: MIT
/// Rays and points against a shape for Python, many at a time.
#pragma once

#include <nearmiss/point_query.h>
#include <nearmiss/ray.h>

#include <optional>

#include "shapes.h"

namespace nearmiss::python {

/// Origins and directions (n, 3), ends none, one or n; `budget` in seconds for each ray: arrays
/// "hit", "t", "lower", "points", "normals", "triangles" (-1: none), "final".
pybind11::dict raycastMany(const Shape& shape, const Vertices& pose, const Vertices& origins,
                           const Vertices& directions, const std::optional<Vertices>& ends,
                           double radius, std::optional<double> budget);

/// Points (n, 3): arrays "lower", "upper", "points", "triangles" (-1: none within reach), "final".
pybind11::dict nearestMany(const Shape& shape, const Vertices& pose, const Vertices& points,
                           double reach, std::optional<double> budget);

/// Points (n, 3): a PointSide for each, as a number.
pybind11::array_t<std::int8_t> sidesOf(const Shape& shape, const Vertices& pose,
                                       const Vertices& points, std::optional<double> budget);

}  // namespace nearmiss::python
