// SPDX-License-Identifier: MIT
/// Reads the links of robot files, for the Python code that poses them.
#pragma once

#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// Adds _read_robot() to the module.
void declareRobots(pybind11::module_& m);

}  // namespace nearmiss::python
