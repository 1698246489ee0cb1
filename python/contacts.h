// SPDX-License-Identifier: MIT
/// Where two shapes touch, for Python.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/protrusion.h>
#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// contact_manifold(), ContactManifold, protrusion() and Protrusion.
void declareContacts(pybind11::module_& m);

}  // namespace nearmiss::python
