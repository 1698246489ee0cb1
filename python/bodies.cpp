// SPDX-License-Identifier: MIT
#include "bodies.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>
#include <string>

#include "collisions.h"
#include "handle_columns.h"
#include "heard_clock.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

BodyTraits changed(BodyTraits traits, const World::Given& given) {
  traits.group = given.group.value_or(traits.group);
  traits.mask = given.mask.value_or(traits.mask);
  traits.assembly = given.assembly.value_or(traits.assembly);
  traits.importance = given.importance.value_or(traits.importance);
  traits.sensor = given.sensor.value_or(traits.sensor);
  return traits;
}

Failure unknownBody(std::uint32_t body) {
  return Failure("there is no body " + std::to_string(body) + ": it was removed or never added");
}

std::optional<Pose> givenPose(const std::optional<Vertices>& pose) {
  if (!pose) return std::nullopt;
  return poseFromMatrix(*pose, "pose");
}

py::tuple rowOf(const TouchingPair& pair) {
  return py::make_tuple(static_cast<std::uint32_t>(pair.bodies.a),
                        static_cast<std::uint32_t>(pair.bodies.b), pair.known);
}

py::object bodiesOf(const NearestBodies& nearest) {
  if (nearest.bodies.a == nearest.bodies.b) return py::none();
  return py::make_tuple(static_cast<std::uint32_t>(nearest.bodies.a),
                        static_cast<std::uint32_t>(nearest.bodies.b));
}

/// Only handles can be in a world; for any other object, such as a list, returns false.
bool holds(const World& world, const py::object& body) {
  py::detail::make_caster<std::uint32_t> handle;
  return PyIndex_Check(body.ptr()) && handle.load(body, true) && world.contains(handle);
}

}  // namespace

std::uint32_t World::add(const Shape& shape, const std::optional<Vertices>& pose,
                         const Given& given) {
  const Pose where = givenPose(pose).value_or(Pose{});
  const Shape own = shape;
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  return static_cast<std::uint32_t>(valueOf(bodies_.add(own, where, changed({}, given))));
}

void World::set(std::uint32_t body, const std::optional<Vertices>& pose, const Given& given) {
  const std::optional<Pose> where = givenPose(pose);
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  const BodyTraits* known = bodies_.traitsOf(BodyHandle{body});
  if (!known) throw unknownBody(body);
  if (where) valueOf(bodies_.setPose(BodyHandle{body}, *where));
  valueOf(bodies_.setTraits(BodyHandle{body}, changed(*known, given)));
}

void World::remove(std::uint32_t body) {
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  valueOf(bodies_.remove(BodyHandle{body}));
}

std::size_t World::size() const {
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  return bodies_.size();
}

bool World::contains(std::uint32_t body) const {
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  return bodies_.traitsOf(BodyHandle{body}) != nullptr;
}

std::vector<std::uint32_t> World::bodies() const {
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  std::vector<std::uint32_t> all;
  for (const BodyHandle body : bodies_.handles()) all.push_back(static_cast<std::uint32_t>(body));
  return all;
}

Shape World::shapeOf(std::uint32_t body) const {
  const Unlocked unlocked;
  const std::lock_guard alone(one_);
  const Shape* shape = bodies_.shapeOf(BodyHandle{body});
  if (!shape) throw unknownBody(body);
  return *shape;
}

py::array_t<double> World::poseOf(std::uint32_t body) const {
  Pose pose;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(one_);
    const Pose* known = bodies_.poseOf(BodyHandle{body});
    if (!known) throw unknownBody(body);
    pose = *known;
  }
  return matrixOf(pose);
}

Collisions World::collisions(std::optional<double> budget) {
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  Collisions copied;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(one_);
    const WorldCollisions& found = *valueOf(bodies_.collisions(time));
    copied = {found.pairs, found.waiting, found.complete};
  }
  clock.raiseIfInterrupted();
  return copied;
}

NearestBodies World::nearest(double within, std::optional<double> budget) {
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  NearestBodies found;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(one_);
    found = valueOf(bodies_.minDistance(within, time));
  }
  clock.raiseIfInterrupted();
  return found;
}

void declareWorld(py::module_& m) {
  py::class_<Collisions>(m, "Collisions",
                         "Which bodies of a world touch; an iterable of (a, b, answer).")
      .def_property_readonly(
          "pairs",
          [](const Collisions& found) {
            std::vector<HandlePair> pairs;
            for (const TouchingPair& pair : found.pairs) pairs.push_back(pair.bodies);
            return columnsOf(pairs);
          },
          "Bodies in two columns, those with the lower handle first.")
      .def_property_readonly(
          "answers",
          [](const Collisions& found) {
            py::list answers;
            for (const TouchingPair& pair : found.pairs) answers.append(pair.known);
            return answers;
          },
          "One for each pair: CONTACT, or POSSIBLE where time ran out or a tree does not guarantee "
          "its coverage.")
      .def_property_readonly(
          "sensed",
          [](const Collisions& found) {
            py::array_t<bool> marks(static_cast<py::ssize_t>(found.pairs.size()));
            auto out = marks.mutable_unchecked<1>();
            for (std::size_t i = 0; i < found.pairs.size(); ++i)
              out(static_cast<py::ssize_t>(i)) = found.pairs[i].sensed;
            return marks;
          },
          "One for each pair: True if one of the two is a sensor.")
      .def_property_readonly(
          "waiting", [](const Collisions& found) { return columnsOf(found.waiting); },
          "Pairs whose bounding spheres meet and that there was no time to look at.")
      .def_readonly("complete", &Collisions::complete,
                    "True if nothing waits, and no answer could be better.")
      .def("__len__", [](const Collisions& found) { return found.pairs.size(); })
      .def("__iter__", [](const Collisions& found) {
        py::list rows;
        for (const TouchingPair& pair : found.pairs) rows.append(rowOf(pair));
        return py::iter(rows);
      });
  py::class_<NearestBodies>(m, "NearestBodies",
                            "The two bodies of a world that are nearest to each other.")
      .def_property_readonly("bodies", &bodiesOf, "Two handles, or None.")
      .def_readonly("distance", &NearestBodies::bounds);

  // Larger numbers are reserved for robots: a body with such a number would never collide with that
  // robot
  const auto byHand = [](std::optional<std::uint32_t> group, std::optional<std::uint32_t> mask,
                         std::optional<std::uint32_t> assembly,
                         std::optional<std::uint32_t> importance, std::optional<bool> sensor) {
    constexpr std::uint32_t most = 65535;
    if (assembly.value_or(0) > most)
      throw Failure("assembly is " + std::to_string(*assembly) + ", but must be 0 to " +
                    std::to_string(most) + ": those above are robots' own");
    return World::Given{group, mask, assembly, importance, sensor};
  };
  py::class_<World>(m, "World",
                    "Bodies by handle: add, set and remove them, and ask which touch. Any thread "
                    "may; the handler of a signal is refused where its own thread is asking.")
      .def(py::init<>())
      .def(
          "add",
          [byHand](World& world, const Shape& shape, const std::optional<Vertices>& pose,
                   std::optional<std::uint32_t> group, std::optional<std::uint32_t> mask,
                   std::optional<std::uint32_t> assembly, std::optional<std::uint32_t> importance,
                   std::optional<bool> sensor) {
            return world.add(shape, pose, byHand(group, mask, assembly, importance, sensor));
          },
          py::arg("shape"), py::arg("pose") = py::none(), py::kw_only(),
          py::arg("group") = py::none(), py::arg("mask") = py::none(),
          py::arg("assembly") = py::none(), py::arg("importance") = py::none(),
          py::arg("sensor") = py::none(),
          "Adds a body and returns its handle. A pair counts if the `group` of each has a bit of "
          "the "
          "other's `mask` and both are not of the same `assembly` above 0, at most 65535: those "
          "beyond are robots' own. `importance`: 0 to 4294967295, the default. Pairs of two bodies "
          "with the default are always refined to the first level, even when `budget` is used up; "
          "pairs with a lower one may wait, the lower the sooner. A `sensor` only notices who "
          "touches it: its pairs are marked, and min_distance() passes it over.")
      .def(
          "set",
          [byHand](World& world, std::uint32_t body, const std::optional<Vertices>& pose,
                   std::optional<std::uint32_t> group, std::optional<std::uint32_t> mask,
                   std::optional<std::uint32_t> assembly, std::optional<std::uint32_t> importance,
                   std::optional<bool> sensor) {
            world.set(body, pose, byHand(group, mask, assembly, importance, sensor));
          },
          py::arg("body"), py::arg("pose") = py::none(), py::kw_only(),
          py::arg("group") = py::none(), py::arg("mask") = py::none(),
          py::arg("assembly") = py::none(), py::arg("importance") = py::none(),
          py::arg("sensor") = py::none(),
          "Moves a body, or changes what it may touch; what is not given stays.")
      .def(
          "_move_to_assembly",
          [](World& world, std::uint32_t body, std::uint32_t assembly) {
            World::Given given;
            given.assembly = assembly;
            world.set(body, std::nullopt, given);
          },
          py::arg("body"), py::arg("assembly"))
      .def("remove", &World::remove, py::arg("body"))
      .def("__len__", &World::size)
      .def("__contains__", &holds)
      .def_property_readonly("bodies", &World::bodies)
      .def("shape", &World::shapeOf, py::arg("body"))
      .def("pose", &World::poseOf, py::arg("body"))
      .def("collisions", &World::collisions, py::kw_only(), py::arg("budget") = py::none(),
           "Which bodies touch; `budget` in seconds. Other threads run meanwhile.")
      .def("min_distance", &World::nearest, py::kw_only(),
           py::arg("within") = std::numeric_limits<double>::infinity(),
           py::arg("budget") = py::none(),
           "The least distance of all pairs that count; pairs farther apart than `within` need not "
           "be found. `budget` in seconds.")
      .def("contacts", &World::contacts, py::kw_only(), py::arg("margin") = 0.0,
           py::arg("max_points") = 4, py::arg("budget") = py::none(),
           "Where bodies touch: Contacts, an iterable of one PairContacts for each pair whose gap "
           "is at most `margin` metres. Ids last from call to call, and pairs that rest cost next "
           "to nothing. Within `budget`, in seconds, all pairs share the time; those that it did "
           "not suffice for keep their last points, moved along with the bodies, and come first in "
           "the next call.")
      .def(
          "raycast",
          [](World& world, const Vertices& origins, const Vertices& directions,
             const std::optional<Vertices>& ends, double radius,
             std::optional<std::uint32_t> ignore, std::optional<double> budget) {
            return world.raycast({origins, directions, ends, radius}, ignore, budget);
          },
          py::arg("origins"), py::arg("directions"), py::kw_only(), py::arg("ends") = py::none(),
          py::arg("radius") = 0.0, py::arg("ignore") = py::none(), py::arg("budget") = py::none(),
          "Where rays first meet a body, sensors included, but not the body `ignore`: the arrays "
          "of raycast(), and bodies, -1 for none.")
      .def("nearest_point", &World::nearestPoint, py::arg("points"), py::kw_only(),
           py::arg("reach") = std::numeric_limits<double>::infinity(),
           py::arg("ignore") = py::none(), py::arg("budget") = py::none(),
           "The nearest points of all bodies but `ignore`: the arrays of nearest_point(), and "
           "bodies, -1 "
           "for none within `reach`.")
      .def("containing", &World::containing, py::arg("points"), py::kw_only(),
           py::arg("budget") = py::none(),
           "Which bodies contain which points, inside or on the surface: containing, rows of the "
           "index of a point and a body; final, false for points whose `budget`, in seconds, ran "
           "out.");
}

}  // namespace nearmiss::python
