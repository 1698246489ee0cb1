// SPDX-License-Identifier: MIT
/// Where two shapes touch, for Python.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/protrusion.h>
#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// Raises a RuntimeWarning if the depth of a manifold is not known; the first time of a process.
/// @throws what Python raises where warnings are errors
void warnOfUnknownDepth(const ContactManifold& manifold);

/// contact_manifold(), ContactManifold, protrusion() and Protrusion.
void declareContacts(pybind11::module_& m);

}  // namespace nearmiss::python
