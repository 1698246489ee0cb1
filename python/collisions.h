// SPDX-License-Identifier: MIT
/// Comparison of pairs of shapes from Python.
#pragma once

#include <nearmiss/pair.h>

#include <optional>
#include <vector>

#include "shapes.h"

namespace nearmiss::python {

/// @param name of the argument, for the error message
/// @throws Failure unless it is a rigid motion with four rows
Pose poseFromMatrix(const Vertices& matrix, const char* name);
/// Returns the matrix of a pose.
pybind11::array_t<double> matrixOf(const Pose& pose);

/// @throws Failure unless they have shape (n, 4, 4) and all are rigid motions
std::vector<Pose> posesFromMatrices(const Vertices& matrices);

/// Compares one pair. Poses are matrices of four rows, `budget` is in seconds.
Refinement collideOnce(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
                       std::optional<double> budget);

/// Compares `a` with `b` in poses (n, 4, 4) in the frame of `a`. Returns arrays "verdict", "stage",
/// "level", "bound".
/// @param workers maximum number of threads; nothing: one per core
pybind11::dict collideMany(const Shape& a, const Shape& b, const Vertices& poses,
                           std::optional<double> budget, std::optional<int> workers);
/// As collideMany(). Returns arrays "lower", "upper", "points", "triangles" (-1: none), "final".
pybind11::dict distanceMany(const Shape& a, const Shape& b, const Vertices& poses,
                            std::optional<double> budget, std::optional<int> workers);

/// Computes the distance of one pair; arguments as collideOnce().
DistanceBounds distanceOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                            const Vertices& poseB, std::optional<double> budget);
PenetrationBounds penetrationOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                                  const Vertices& poseB, std::optional<double> budget);
/// Velocities are (linear, angular), three numbers each; world frame.
ContactTime contactTimeOnce(const Shape& a, const Vertices& poseA, const Vertices& motionA,
                            const Shape& b, const Vertices& poseB, const Vertices& motionB,
                            double horizon, double tolerance, std::optional<double> budget);

/// Returns two rows of x, y, z.
pybind11::array_t<double> rowsOf(const Vec3& first, const Vec3& second);
pybind11::array_t<double> vectorOf(const Vec3& v);

/// Returns the deepest pair of spheres as rows of x, y, z, radius.
pybind11::array_t<double> deepestSpheres(const Refinement& known);
/// Returns True, False, or None if the answer is not known.
pybind11::object touching(const Refinement& known);
/// Returns whether the distance is at most `tolerance`, or None if the bounds do not decide it.
pybind11::object within(const DistanceBounds& bounds, double tolerance);
/// Returns the triangles of a and b, or None.
pybind11::object heldTriangles(const DistanceBounds& bounds);
pybind11::object meetingTriangles(const Refinement& known);

}  // namespace nearmiss::python
