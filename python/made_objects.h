// SPDX-License-Identifier: MIT
/// Rejects objects whose constructor never ran, such as those of Shape.__new__(Shape) or
/// copy.copy(): pybind11 would read uninitialised memory. Include this in every source that passes
/// a class of the module.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>
#include <nearmiss/world.h>
#include <pybind11/pybind11.h>

#include <type_traits>

namespace nearmiss::python {

class HeldManifoldQuery;
class World;
struct Collisions;
struct Contacts;
struct ContactsOfPair;

template <class T>
inline constexpr bool ofThisModule =
    std::is_same_v<T, Shape> || std::is_same_v<T, SphereTreeCertificate> ||
    std::is_same_v<T, Refinement> || std::is_same_v<T, DistanceBounds> ||
    std::is_same_v<T, PenetrationBounds> || std::is_same_v<T, ContactTime> ||
    std::is_same_v<T, ContactManifold> || std::is_same_v<T, Protrusion> ||
    std::is_same_v<T, World> || std::is_same_v<T, Collisions> || std::is_same_v<T, NearestBodies> ||
    std::is_same_v<T, Verdict> || std::is_same_v<T, Stage> || std::is_same_v<T, Refit> ||
    std::is_same_v<T, SolidSide> || std::is_same_v<T, MassProperties> ||
    std::is_same_v<T, PointSide> || std::is_same_v<T, HeldManifoldQuery> ||
    std::is_same_v<T, Contacts> || std::is_same_v<T, ContactsOfPair> ||
    std::is_same_v<T, MeshFaults>;

}  // namespace nearmiss::python

namespace pybind11::detail {

template <class T>
requires nearmiss::python::ofThisModule<T>
class type_caster<T, void> : public type_caster_base<T> {
 public:
  bool load(handle source, bool convert) {
    const handle type = get_type_handle(typeid(T), false);
    if (!source || !type || !made(source, type)) return false;
    return type_caster_base<T>::load(source, convert);
  }

 private:
  static bool made(handle source, handle type) {
    // Another class: the base decides
    if (!PyObject_TypeCheck(source.ptr(), reinterpret_cast<PyTypeObject*>(type.ptr()))) return true;
    auto* const object = reinterpret_cast<instance*>(source.ptr());
    // A part of another object, such as the verdict of a result, has no holder of its own
    for (const auto& part : values_and_holders(object))
      if (part.value_ptr() == nullptr || (object->owned && !part.holder_constructed()))
        return false;
    return true;
  }
};

}  // namespace pybind11::detail
