// SPDX-License-Identifier: MIT
/// Contacts of two shapes for Python.
#pragma once

#include <nearmiss/pair.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>

#include "shapes.h"
#include "world_lock.h"

namespace nearmiss::python {

/// A thread-safe ManifoldQuery.
class HeldManifoldQuery {
 public:
  /// @throws Failure, like refine(), with the library's message
  void begin(const Shape& a, const Vertices& poseA, const Shape& b, const Vertices& poseB,
             double margin, std::size_t maxPoints);
  [[nodiscard]] ContactManifold refine(std::optional<double> budget);

 private:
  WorldLock lock_{"query"};
  ManifoldQuery query_;
  bool begun_ = false;
};

/// Issues a UserWarning the first time that `depthKnown` is false.
/// @throws the warning as an exception if Python treats warnings as errors
void warnOnceUnless(bool depthKnown);

/// Declares prepare(), contact_manifold(), ContactManifold, ManifoldQuery, protrusion() and
/// Protrusion.
void declareContacts(pybind11::module_& m);

}  // namespace nearmiss::python
