// SPDX-License-Identifier: MIT
/// Pairs of shapes compared for Python.
#pragma once

#include <nearmiss/collide.h>
#include <nearmiss/distance.h>

#include <optional>
#include <vector>

#include "shapes.h"

namespace nearmiss::python {

/// @param name  of the argument, for the failure
/// @throws Failure unless it is a rigid motion: four rows
Pose poseFromMatrix(const Vertices& matrix, const char* name);
/// The same back.
pybind11::array_t<double> matrixOf(const Pose& pose);

/// @throws Failure unless they are (n, 4, 4), all of them rigid motions
std::vector<Pose> posesFromMatrices(const Vertices& matrices);

/// One pair; poses as matrices of four rows, `budget` in seconds.
Refinement collideOnce(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
                       std::optional<double> budget);

/// `b` in poses (n, 4, 4) seen from `a`: arrays "verdict", "stage", "level", "bound".
pybind11::dict collideMany(const Shape& a, const Shape& b, const Vertices& poses,
                           std::optional<double> budget);

/// One pair, as collideOnce().
DistanceBounds distanceOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                            const Vertices& poseB, std::optional<double> budget);
PenetrationBounds penetrationOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                                  const Vertices& poseB, std::optional<double> budget);
/// Velocities as (linear, angular), each of three numbers; world frame.
ContactTime contactTimeOnce(const Shape& a, const Vertices& poseA, const Vertices& motionA,
                            const Shape& b, const Vertices& poseB, const Vertices& motionB,
                            double horizon, double tolerance, std::optional<double> budget);

/// Rows of x, y, z.
pybind11::array_t<double> rowsOf(const Vec3& first, const Vec3& second);
pybind11::array_t<double> vectorOf(const Vec3& v);

/// The deepest pair as rows of x, y, z, radius.
pybind11::array_t<double> deepestSpheres(const Refinement& known);
/// Of a and b, or None.
pybind11::object heldTriangles(const DistanceBounds& bounds);
pybind11::object meetingTriangles(const Refinement& known);

}  // namespace nearmiss::python
