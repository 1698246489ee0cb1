// SPDX-License-Identifier: MIT
/// Where two shapes touch, for Python.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/protrusion.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>

#include "shapes.h"
#include "world_lock.h"

namespace nearmiss::python {

/// A ManifoldQuery that any thread may use.
class HeldManifoldQuery {
 public:
  /// @throws Failure, as refine(), with the library's sentence
  void begin(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
             double margin, std::size_t maxPoints);
  [[nodiscard]] ContactManifold refine(std::optional<double> budget);

 private:
  WorldLock lock_{"query"};
  ManifoldQuery query_;
  bool begun_ = false;
};

/// The first time that `depthKnown` is false, a UserWarning says what this means.
/// @throws what Python raises where warnings are errors
void warnOnceUnless(bool depthKnown);

/// prepare(), contact_manifold(), ContactManifold, ManifoldQuery, protrusion() and Protrusion.
void declareContacts(pybind11::module_& m);

}  // namespace nearmiss::python
