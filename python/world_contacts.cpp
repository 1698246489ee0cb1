// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "bodies.h"
#include "contacts.h"
#include "handle_columns.h"
#include "heard_clock.h"
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
  askEach(
      count, name, budget,
      [&](std::size_t i, const TimeBudget& time) {
        auto found = ask(i, time);
        if (found) {
          columns.put(i, *found);
          body.data[i] = handleNumber(found->body);
        }
        return found;
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
  const std::vector<Ray> rays = raysOf(given);
  const BodyHandle except{ignored.value_or(0)};
  return withBodies<HitColumns>(rays.size(), "ray", budget, one_,
                                [&](std::size_t i, const TimeBudget& time) {
                                  return bodies_.raycast(rays[i], except, time);
                                });
}

py::dict World::nearestPoint(const Vertices& points, double reach,
                             std::optional<std::uint32_t> ignored, std::optional<double> budget) {
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  const BodyHandle except{ignored.value_or(0)};
  return withBodies<NearestColumns>(asked.size(), "point", budget, one_,
                                    [&](std::size_t i, const TimeBudget& time) {
                                      return bodies_.nearestPoint(asked[i], reach, except, time);
                                    });
}

py::dict World::containing(const Vertices& points, std::optional<double> budget) {
  const std::vector<Vec3> asked = rowsOfThree(points, "points");
  ContainingColumns columns(asked.size());
  std::vector<BodyHandle> found;
  askEach(
      asked.size(), "point", budget,
      [&](std::size_t i, const TimeBudget& time) {
        auto complete = bodies_.containing(asked[i], found, time);
        if (!complete) return complete;
        columns.final.data[i] = *complete;
        for (const BodyHandle body : found) columns.put(i, handleNumber(body));
        return complete;
      },
      &one_);
  return columns.named();
}

void declareWorldContacts(py::module_& m) {
  py::class_<ContactsOfPair>(m, "PairContacts", "Where two bodies of a world touch.")
      .def_property_readonly(
          "bodies",
          [](const ContactsOfPair& pair) {
            return py::make_tuple(static_cast<std::uint32_t>(pair.bodies.a),
                                  static_cast<std::uint32_t>(pair.bodies.b));
          },
          "Two handles, the lower one first.")
      .def_readonly("points", &ContactsOfPair::manifold,
                    "A ContactManifold: normals point from the second body to the first.")
      .def_property_readonly("depth_known",
                             [](const ContactsOfPair& pair) { return pair.manifold.depthKnown; })
      .def_property_readonly(
          "can_refine", [](const ContactsOfPair& pair) { return pair.manifold.canRefine; },
          "True if the search was cut short: other points may touch too.")
      .def_readonly("sensed", &ContactsOfPair::sensed, "True if one of the two is a sensor.");
  py::class_<Contacts>(m, "Contacts",
                       "Where the bodies of a world touch: an iterable of PairContacts, and the "
                       "points of all pairs as arrays.")
      .def("__len__", [](const Contacts& found) { return found.pairs.size(); })
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
          "Bodies in two columns, those with the lower handle first.")
      .def_property_readonly("counts", &countsOf, "The number of points of each pair.")
      .def_property_readonly("all_points", &joined,
                             "A ContactManifold of the points of all pairs, pair by pair.");
}

}  // namespace nearmiss::python
