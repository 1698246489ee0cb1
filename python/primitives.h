// SPDX-License-Identifier: MIT
/// Meshes of primitives and mass properties, for Python.
#pragma once

#include <nearmiss/mesh.h>
#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// Declares MassProperties, and the meshes from which nearmiss/_primitives.py makes shapes.
void declarePrimitives(pybind11::module_& m);

}  // namespace nearmiss::python
