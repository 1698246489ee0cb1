// SPDX-License-Identifier: MIT
/// The faults of meshes for Python: intersecting triangles, open edges.
#pragma once

#include <nearmiss/mesh.h>
#include <pybind11/numpy.h>

#include "shapes.h"

namespace nearmiss::python {

/// Returns pairs of faces, one per row.
pybind11::array_t<std::uint32_t> selfContactsOf(const Shape& shape);
/// Adds check_mesh() and its result class.
void declareMeshFaults(pybind11::module_& m);

}  // namespace nearmiss::python
