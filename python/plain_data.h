// SPDX-License-Identifier: MIT
/// Results as plain data for Python: comparison, pickles, descriptions, and no truth value.
#pragma once

#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>
#include <nearmiss/world.h>
#include <pybind11/pybind11.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bodies.h"
#include "made_objects.h"
#include "shapes.h"

namespace nearmiss::python {

template <class T, class Of>
concept Field = std::same_as<std::remove_const_t<T>, Of>;

// All fields of a result, by reference

auto fieldsOf(Field<Vec3> auto& v) { return std::tie(v.x, v.y, v.z); }
auto fieldsOf(Field<glm::dmat3> auto& m) { return std::tie(m[0], m[1], m[2]); }
auto fieldsOf(Field<Sphere> auto& s) { return std::tie(s.centre, s.radius); }
auto fieldsOf(Field<ContactSpheres> auto& s) { return std::tie(s.a, s.b, s.separationBound); }
auto fieldsOf(Field<Refinement> auto& r) {
  return std::tie(r.verdict, r.canRefine, r.conservative, r.stage, r.level, r.separationBound,
                  r.betweenSolids, r.separationEstimate, r.collidingSpheres, r.deepest,
                  r.byInnerSpheres, r.triangleA, r.triangleB, r.linkA, r.linkB);
}
auto fieldsOf(Field<DistanceBounds> auto& d) {
  return std::tie(d.lower, d.upper, d.canRefine, d.pointA, d.pointB, d.triangleA, d.triangleB);
}
auto fieldsOf(Field<PenetrationBounds> auto& p) {
  return std::tie(p.lower, p.upper, p.direction, p.canRefine);
}
auto fieldsOf(Field<ContactTime> auto& t) {
  return std::tie(t.noContactBefore, t.reached, t.canRefine, t.bounds);
}
auto fieldsOf(Field<Protrusion> auto& p) {
  return std::tie(p.depth, p.ofB, p.vertex, p.from, p.to, p.canRefine);
}
auto fieldsOf(Field<ManifoldPoint> auto& p) {
  return std::tie(p.onA, p.onB, p.normal, p.depth, p.id);
}
auto fieldsOf(Field<ContactManifold> auto& c) {
  return std::tie(c.points, c.depthKnown, c.canRefine);
}
auto fieldsOf(Field<HandlePair> auto& p) { return std::tie(p.a, p.b); }
auto fieldsOf(Field<TouchingPair> auto& p) { return std::tie(p.bodies, p.known, p.sensed); }
auto fieldsOf(Field<Collisions> auto& c) { return std::tie(c.pairs, c.waiting, c.complete); }
auto fieldsOf(Field<ContactsOfPair> auto& c) { return std::tie(c.bodies, c.manifold, c.sensed); }
auto fieldsOf(Field<Contacts> auto& c) { return std::tie(c.pairs, c.complete); }
auto fieldsOf(Field<NearestBodies> auto& n) { return std::tie(n.bodies, n.bounds); }
auto fieldsOf(Field<MassProperties> auto& m) { return std::tie(m.volume, m.centre, m.inertia); }
auto fieldsOf(Field<SphereTreeCertificate> auto& c) {
  return std::tie(c.covers, c.bounds, c.uncoveredPieces, c.brokenBounds, c.brokenInner,
                  c.complaint);
}
auto fieldsOf(Field<MeshReport> auto& r) {
  return std::tie(r.boundaryEdges, r.nonManifoldEdges, r.misorientedEdges, r.nonManifoldVertices,
                  r.selfIntersections, r.selfIntersectionsCounted, r.components,
                  r.misorientedComponents, r.volume);
}
auto fieldsOf(Field<MeshCleaning> auto& c) {
  return std::tie(c.weldedVertices, c.weldedDistance, c.unusedVertices, c.degenerateTriangles,
                  c.longestDegenerate, c.keptApart, c.duplicateTriangles, c.turnedTriangles,
                  c.facedInwards);
}
auto fieldsOf(Field<std::array<std::uint32_t, 2>> auto& pair) { return std::tie(pair[0], pair[1]); }
auto fieldsOf(Field<MeshFaults::Edge> auto& e) { return std::tie(e.vertices, e.triangle); }
auto fieldsOf(Field<MeshFaults> auto& f) {
  return std::tie(f.report, f.cleaning, f.selfIntersections, f.boundaryEdges, f.nonManifoldEdges,
                  f.misorientedEdges, f.nonManifoldVertices, f.degenerateTriangles,
                  f.duplicateTriangles);
}

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
template <class T>
inline constexpr bool isScalar =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;

/// Returns true if all fields are equal.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (isScalar<T>) {
    return a == b;
  } else if constexpr (isVector<T>) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a[i], b[i])) return false;
    return true;
  } else {
    return [&]<std::size_t... i>(const auto& x, const auto& y, std::index_sequence<i...>) {
      return (same(std::get<i>(x), std::get<i>(y)) && ...);
    }
    (fieldsOf(a), fieldsOf(b),
     std::make_index_sequence<std::tuple_size_v<decltype(fieldsOf(a))>>());
  }
}

/// Returns the value as a number, a string, or a tuple of its fields.
template <class T>
pybind11::object packed(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return pybind11::int_(static_cast<std::int64_t>(value));
  } else if constexpr (isScalar<T>) {
    return pybind11::cast(value);
  } else if constexpr (isVector<T>) {
    pybind11::list items;
    for (const auto& item : value) items.append(packed(item));
    return items;
  } else {
    return std::apply(
        [](const auto&... field) -> pybind11::object {
          return pybind11::make_tuple(packed(field)...);
        },
        fieldsOf(value));
  }
}

/// Reads the result of packed().
/// @throws Failure or pybind11::cast_error for anything else
template <class T>
void unpack(const pybind11::handle& from, T& into) {
  if constexpr (std::is_enum_v<T>) {
    into = static_cast<T>(from.cast<std::underlying_type_t<T>>());
  } else if constexpr (isScalar<T>) {
    into = from.cast<T>();
  } else if constexpr (isVector<T>) {
    into.clear();
    for (const auto& item : from.cast<pybind11::list>()) unpack(item, into.emplace_back());
  } else {
    auto fields = fieldsOf(into);
    constexpr std::size_t count = std::tuple_size_v<decltype(fields)>;
    if (!pybind11::isinstance<pybind11::tuple>(from) || pybind11::len(from) != count)
      throw Failure("the pickle is of another version of nearmiss, or damaged");
    const auto items = pybind11::reinterpret_borrow<pybind11::tuple>(from);
    std::size_t i = 0;
    std::apply([&](auto&... field) { (unpack(pybind11::object(items[i++]), field), ...); }, fields);
  }
}

/// Returns a number with four digits.
std::string brief(double number);
std::string brief(const Vec3& vector);
/// Returns "(a, b)".
std::string brief(const HandlePair& bodies);
/// Returns "True" or "False".
std::string brief(bool truth);

/// Makes bool() of an object raise a TypeError that says what to use instead: without this, every
/// answer is true.
template <class Class>
void refuseBool(Class& declared, const char* instead) {
  declared.def("__bool__", [instead](const pybind11::object& self) -> bool {
    const std::string name = pybind11::str(pybind11::type::of(self).attr("__name__"));
    throw pybind11::type_error("the truth value of a " + name + " is ambiguous: use " + instead);
  });
}

/// Defines __repr__ as the name of the class and describe(object) in parentheses.
template <class T, class... More>
void describeBy(pybind11::class_<T, More...>& declared, const auto& describe) {
  declared.def("__repr__", [describe](const pybind11::object& self) -> pybind11::str {
    const std::string name = pybind11::str(pybind11::type::of(self).attr("__name__"));
    pybind11::detail::make_caster<T> known;
    if (!known.load(self, false)) return textOf("<" + name + " that was never initialised>");
    return textOf(name + "(" + describe(pybind11::detail::cast_op<const T&>(known)) + ")");
  });
}

/// Declares a class of results: comparison by fields, pickles and a description.
template <class T, class... More>
void declarePlain(pybind11::class_<T, More...>& declared, const auto& describe) {
  describeBy(declared, describe);
  declared.def("__eq__", [](const T& self, const pybind11::object& other) -> pybind11::object {
    pybind11::detail::make_caster<T> known;
    if (!known.load(other, false))
      return pybind11::reinterpret_borrow<pybind11::object>(Py_NotImplemented);
    return pybind11::bool_(same(self, pybind11::detail::cast_op<const T&>(known)));
  });
  declared.def_static("_restored", [](const pybind11::object& state) {
    T restored;
    try {
      unpack(state, restored);
    } catch (const pybind11::cast_error&) {
      throw Failure("the pickle is of another version of nearmiss, or damaged");
    }
    return restored;
  });
  declared.def("__reduce__", [](const T& self) {
    return pybind11::make_tuple(pybind11::module_::import("nearmiss._answers").attr("restored"),
                                pybind11::make_tuple(pybind11::type::of<T>(), packed(self)));
  });
}

}  // namespace nearmiss::python
