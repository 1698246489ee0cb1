// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bodies.h"
#include "contacts.h"
#include "handle_columns.h"
#include "heard_clock.h"
#include "plain_data.h"
#include "ray_columns.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

std::int64_t handleNumber(BodyHandle body) noexcept {
  return body == BodyHandle{} ? -1 : std::int64_t{static_cast<std::uint32_t>(body)};
}

/// Returns the points of all pairs in one list.
ContactManifold joined(const Contacts& found) {
  ContactManifold all;
  for (const ContactsOfPair& pair : found.pairs)
    all.points.insert(all.points.end(), pair.manifold.points.begin(), pair.manifold.points.end());
  return all;
}

py::array_t<std::int64_t> countsOf(const Contacts& found) {
  py::array_t<std::int64_t> counts(static_cast<py::ssize_t>(found.pairs.size()));
  std::int64_t* out = counts.mutable_data();
  for (const ContactsOfPair& pair : found.pairs)
    *out++ = static_cast<std::int64_t>(pair.manifold.points.size());
  return counts;
}

/// Runs `count` queries. Returns a column for each part of the results, and one for the bodies
/// found.
template <class Columns>
py::dict withBodies(std::size_t count, const char* name, std::optional<double> budget,
                    WorldLock& lock, const auto& ask) {
  Columns columns(count);
  Column<std::int64_t> body(count);
  // One thread, because the queries of a world share its memory
  askMany(
      count, name, budget, 1,
      [&]() -> Ask {
        return [&](std::size_t i, const TimeBudget& time) {
          const auto found = valueOf(ask(i, time));
          columns.put(i, found);
          body.data[i] = handleNumber(found.body);
        };
      },
      &lock);
  py::dict out = columns.named();
  out["bodies"] = body.array;
  return out;
}

}  // namespace

Contacts World::contacts(double margin, std::size_t maxPoints, std::optional<double> budget) {
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  Contacts copied;
  bool depthKnown = true;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(one_);
    const WorldContacts& found = *valueOf(bodies_.contacts({margin, maxPoints}, time));
    copied.complete = found.complete;
    for (const PairContacts& pair : found) {
      ContactsOfPair& own = copied.pairs.emplace_back();
      own.bodies = pair.bodies;
      own.manifold.points.assign(pair.points.begin(), pair.points.end());
      own.manifold.depthKnown = pair.depthKnown;
      own.manifold.canRefine = pair.canRefine;
      own.sensed = pair.sensed;
      depthKnown = depthKnown && pair.depthKnown;
    }
  }
  clock.raiseIfInterrupted();
  warnOnceUnless(depthKnown);
  return copied;
}

py::dict World::raycast(const RayArrays& given, std::optional<std::uint32_t> ignored,
                        std::optional<double> budget) {
  const Rays rays = raysOf(given);
  const BodyHandle except{ignored.value_or(0)};
  return firstIf(rays.single, withBodies<HitColumns>(rays.rays.size(), "ray", budget, one_,
                                                     [&](std::size_t i, const TimeBudget& time) {
                                                       return bodies_.raycast(rays.rays[i], except,
                                                                              time);
                                                     }));
}

py::dict World::nearestPoint(const Vertices& points, double reach,
                             std::optional<std::uint32_t> ignored, std::optional<double> budget) {
  const RowsOfThree asked = rowsOfThree(points, "points");
  const BodyHandle except{ignored.value_or(0)};
  return firstIf(asked.single,
                 withBodies<NearestColumns>(asked.rows.size(), "point", budget, one_,
                                            [&](std::size_t i, const TimeBudget& time) {
                                              return bodies_.nearestPoint(asked.rows[i], reach,
                                                                          except, time);
                                            }));
}

py::dict World::containing(const Vertices& points, std::optional<double> budget) {
  const RowsOfThree asked = rowsOfThree(points, "points");
  ContainingColumns columns(asked.rows.size());
  std::vector<BodyHandle> found;
  askMany(
      asked.rows.size(), "point", budget, 1,
      [&]() -> Ask {
        return [&](std::size_t i, const TimeBudget& time) {
          columns.final.data[i] = valueOf(bodies_.containing(asked.rows[i], found, time));
          for (const BodyHandle body : found) columns.put(i, handleNumber(body));
        };
      },
      &one_);
  return columns.named();
}

void declareWorldContacts(py::module_& m) {
  py::class_<ContactsOfPair> declared(
      m, "PairContacts",
      "The contact points of two bodies of a world. Has no truth value: use `points`.");
  declared
      .def_property_readonly(
          "bodies",
          [](const ContactsOfPair& pair) {
            return py::make_tuple(static_cast<std::uint32_t>(pair.bodies.a),
                                  static_cast<std::uint32_t>(pair.bodies.b));
          },
          "Two handles, the lower one first.")
      .def_readonly("points", &ContactsOfPair::manifold,
                    "A ContactManifold: normals point from the second body to the first.")
      .def_property_readonly(
          "depth_known", [](const ContactsOfPair& pair) { return pair.manifold.depthKnown; },
          "As ContactManifold.depth_known.")
      .def_property_readonly(
          "can_refine", [](const ContactsOfPair& pair) { return pair.manifold.canRefine; },
          "True if the search was cut short, so that more points may touch.")
      .def_readonly("sensed", &ContactsOfPair::sensed, "True if one of the two is a sensor.");
  declarePlain(declared, [](const ContactsOfPair& pair) {
    return "bodies=" + brief(pair.bodies) + ", " + std::to_string(pair.manifold.points.size()) +
           " points, sensed=" + brief(pair.sensed);
  });
  refuseBool(declared, ".points or .bodies");
  py::class_<Contacts> contacts(
      m, "Contacts",
      "The contacts of a world: an iterable of PairContacts, and the points of all pairs as "
      "arrays. Its length is the number of pairs.");
  contacts.def("__len__", [](const Contacts& found) { return found.pairs.size(); })
      .def("__iter__",
           [](const Contacts& found) {
             py::list pairs;
             for (const ContactsOfPair& pair : found.pairs) pairs.append(pair);
             return py::iter(pairs);
           })
      .def_readonly("complete", &Contacts::complete, "True if no pair can be refined further.")
      .def_property_readonly(
          "pairs",
          [](const Contacts& found) {
            return columnsOf(found.pairs, [](const ContactsOfPair& pair) { return pair.bodies; });
          },
          "Handles of the bodies: an array (n, 2), the lower handle first.")
      .def_property_readonly("counts", &countsOf, "Number of points of each pair: an array (n).")
      .def_property_readonly("all_points", &joined,
                             "A ContactManifold of the points of all pairs, pair by pair.");
  declarePlain(contacts, [](const Contacts& found) {
    std::size_t points = 0;
    for (const ContactsOfPair& pair : found.pairs) points += pair.manifold.points.size();
    return std::to_string(found.pairs.size()) + " pairs, " + std::to_string(points) +
           " points, complete=" + brief(found.complete);
  });
}

}  // namespace nearmiss::python
