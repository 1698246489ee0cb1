// SPDX-License-Identifier: MIT
/// The faults of meshes for Python: triangles that intersect, open edges.
#pragma once

#include <nearmiss/mesh_faults.h>
#include <pybind11/numpy.h>

#include "shapes.h"

namespace nearmiss::python {

/// Pairs of faces, a row each.
pybind11::array_t<std::uint32_t> selfContactsOf(const Shape& shape);
/// Adds check_mesh() and the class of its answer.
void declareMeshFaults(pybind11::module_& m);

}  // namespace nearmiss::python
