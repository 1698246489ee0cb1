// SPDX-License-Identifier: MIT
/// Pairs of shapes compared for Python.
#pragma once

#include <nearmiss/collide.h>

#include <optional>

#include "shapes.h"

namespace nearmiss::python {

/// One pair; poses as matrices of four rows, `budget` in seconds.
Refinement collideOnce(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
                       std::optional<double> budget);

/// `b` in poses (n, 4, 4) seen from `a`: arrays "verdict", "stage", "level", "bound".
pybind11::dict collideMany(const Shape& a, const Shape& b, const Vertices& poses,
                           std::optional<double> budget);

/// The deepest pair as rows of x, y, z, radius.
pybind11::array_t<double> deepestSpheres(const Refinement& known);
/// Of a and b, or None.
pybind11::object meetingTriangles(const Refinement& known);

}  // namespace nearmiss::python
