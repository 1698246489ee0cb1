// SPDX-License-Identifier: MIT
#include "bodies.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>
#include <string>

#include "collisions.h"
#include "handle_columns.h"
#include "heard_clock.h"
#include "plain_data.h"
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
  py::class_<Collisions> collisions(
      m, "Collisions",
      "The pairs of bodies of a world that touch: an iterable of (a, b, answer). Its length is the "
      "number of pairs.");
  collisions
      .def_property_readonly(
          "pairs",
          [](const Collisions& found) {
            std::vector<HandlePair> pairs;
            for (const TouchingPair& pair : found.pairs) pairs.push_back(pair.bodies);
            return columnsOf(pairs);
          },
          "Handles of the bodies: an array (n, 2), the lower handle first.")
      .def_property_readonly(
          "answers",
          [](const Collisions& found) {
            py::list answers;
            for (const TouchingPair& pair : found.pairs) answers.append(pair.known);
            return answers;
          },
          "A list with a Refinement for each pair: CONTACT, or POSSIBLE if time ran out or a tree "
          "does not guarantee its coverage.")
      .def_property_readonly(
          "sensed",
          [](const Collisions& found) {
            py::array_t<bool> marks(static_cast<py::ssize_t>(found.pairs.size()));
            auto out = marks.mutable_unchecked<1>();
            for (std::size_t i = 0; i < found.pairs.size(); ++i)
              out(static_cast<py::ssize_t>(i)) = found.pairs[i].sensed;
            return marks;
          },
          "True for each pair with a sensor: an array (n).")
      .def_property_readonly(
          "waiting", [](const Collisions& found) { return columnsOf(found.waiting); },
          "Pairs with overlapping bounding spheres that were not examined for lack of time: an "
          "array (m, 2).")
      .def_readonly("complete", &Collisions::complete,
                    "True if no pair waits and no answer can be refined further.")
      .def("__len__", [](const Collisions& found) { return found.pairs.size(); })
      .def("__iter__", [](const Collisions& found) {
        py::list rows;
        for (const TouchingPair& pair : found.pairs) rows.append(rowOf(pair));
        return py::iter(rows);
      });
  declarePlain(collisions, [](const Collisions& found) {
    return std::to_string(found.pairs.size()) + " pairs, " + std::to_string(found.waiting.size()) +
           " waiting, complete=" + brief(found.complete);
  });
  py::class_<NearestBodies> nearest(m, "NearestBodies",
                                    "The two bodies of a world that are nearest to each other. Has "
                                    "no truth value: use `bodies`.");
  nearest.def_property_readonly("bodies", &bodiesOf, "Two handles, or None if there is no pair.")
      .def_readonly("distance", &NearestBodies::bounds, "Their DistanceBounds.");
  declarePlain(nearest, [](const NearestBodies& found) {
    return "bodies=" + (found.bodies.a == found.bodies.b ? "None" : brief(found.bodies)) +
           ", distance=" + brief(found.bounds.upper);
  });
  refuseBool(nearest, ".bodies is not None, or .distance");

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
                    R"(Many bodies by handle: add, move and remove them, and query all pairs.

Thread-safe: each call waits until earlier ones have ended. A signal handler is refused while its
own thread is inside a call.

>>> world, cube = nearmiss.World(), nearmiss.box([1, 1, 1])
>>> beside = np.eye(4)
>>> beside[0, 3] = 1.5
>>> first, second = world.add(cube), world.add(cube, beside)
>>> [(a, b, answer.touching) for a, b, answer in world.collisions(budget=1e-3)]
[(1, 2, True)]
)")
      .def(py::init<>())
      .def("__repr__",
           [](const py::object& self) {
             py::detail::make_caster<World> known;
             if (!known.load(self, false)) return std::string("<World that was never initialised>");
             return "World(" + std::to_string(py::detail::cast_op<World&>(known).size()) +
                    " bodies)";
           })
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
          R"(Adds a body and returns its handle, an int.

pose        4x4 matrix, world frame [m]; None: at the origin
group,mask  bits; a pair is tested if the group of each has a bit of the other's mask
assembly    bodies with the same number, 1 to 65535, do not collide; 0: none
importance  0 to 4294967295, the default. Pairs of two bodies with the default are always refined
            to the first level; pairs with lower values may wait when the budget runs out
sensor      True: pairs with this body are marked, and min_distance() ignores it
)")
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
          "Moves a body, or changes its traits. Arguments are those of add(); omitted ones stay "
          "unchanged.")
      .def(
          "_move_to_assembly",
          [](World& world, std::uint32_t body, std::uint32_t assembly) {
            World::Given given;
            given.assembly = assembly;
            world.set(body, std::nullopt, given);
          },
          py::arg("body"), py::arg("assembly"))
      .def("remove", &World::remove, py::arg("body"), "Removes a body.")
      .def("__len__", &World::size)
      .def("__contains__", &holds)
      .def_property_readonly("bodies", &World::bodies, "List of all handles, ascending.")
      .def("shape", &World::shapeOf, py::arg("body"), "Returns the Shape of a body.")
      .def("pose", &World::poseOf, py::arg("body"), "Returns the pose of a body: an array (4, 4).")
      .def("collisions", &World::collisions, py::kw_only(), py::arg("budget") = py::none(),
           "Finds the pairs that touch. Returns Collisions. `budget` is in seconds for all pairs. "
           "Other "
           "Python threads run meanwhile.")
      .def("min_distance", &World::nearest, py::kw_only(),
           py::arg("within") = std::numeric_limits<double>::infinity(),
           py::arg("budget") = py::none(),
           "Finds the two nearest bodies. Returns NearestBodies. Pairs farther apart than `within` "
           "[m] need not be found. `budget` is in seconds.")
      .def(
          "contacts", &World::contacts, py::kw_only(), py::arg("margin") = 0.0,
          py::arg("max_points") = 4, py::arg("budget") = py::none(),
          R"(Computes the contact points of all pairs whose gap is at most `margin` [m]. Returns Contacts.

Ids are stable from call to call, and resting pairs take almost no time. All pairs share `budget`
[s]. Pairs for which it does not suffice keep their last points, moved with the bodies, and come
first in the next call.
)")
      .def(
          "raycast",
          [](World& world, const Vertices& origins, const Vertices& directions,
             const std::optional<Vertices>& ends, double radius,
             std::optional<std::uint32_t> ignore, std::optional<double> budget,
             std::optional<int> workers) {
            return world.raycast({origins, directions, ends, radius}, ignore, budget, workers);
          },
          py::arg("origins"), py::arg("directions"), py::kw_only(), py::arg("ends") = py::none(),
          py::arg("radius") = 0.0, py::arg("ignore") = py::none(), py::arg("budget") = py::none(),
          py::arg("workers") = py::none(),
          "Finds the first hit of each ray on any body, sensors included, except the body "
          "`ignore`. "
          "Returns the arrays of nearmiss.raycast(), and \"bodies\", -1 for none. `budget` and "
          "`workers` as there.")
      .def("nearest_point", &World::nearestPoint, py::arg("points"), py::kw_only(),
           py::arg("reach") = std::numeric_limits<double>::infinity(),
           py::arg("ignore") = py::none(), py::arg("budget") = py::none(),
           py::arg("workers") = py::none(),
           "Finds the nearest point of all bodies except `ignore`. Returns the arrays of "
           "nearmiss.nearest_point(), and \"bodies\", -1 for none within `reach` [m]. `budget` and "
           "`workers` as for nearmiss.raycast().")
      .def("containing", &World::containing, py::arg("points"), py::kw_only(),
           py::arg("budget") = py::none(), py::arg("workers") = py::none(),
           "Finds the bodies that contain each point, inside or on the surface. Returns the arrays "
           "of nearmiss.containing(), with handles of bodies. `budget` and `workers` as for "
           "nearmiss.raycast().")
      .def("__reduce__", [](const World&) -> py::object {
        throw py::type_error(
            "a World cannot be pickled, because its handles belong to one process: pickle "
            "world.shape(body) and world.pose(body) for each body, and add them to a new World");
      });
}

}  // namespace nearmiss::python
