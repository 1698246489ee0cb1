// SPDX-License-Identifier: MIT
#include "contacts.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "ask_poses.h"
#include "made_objects.h"
#include "plain_data.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

/// Returns a row of three numbers per point.
template <class Part>
py::array_t<double> vectorsOf(const ContactManifold& manifold, const Part& part) {
  const auto count = static_cast<py::ssize_t>(manifold.points.size());
  py::array_t<double> array({count, py::ssize_t{3}});
  auto out = array.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) out(i, k) = part(manifold.points[static_cast<std::size_t>(i)])[k];
  return array;
}

template <class Number, class Part>
py::array_t<Number> numbersOf(const ContactManifold& manifold, const Part& part) {
  py::array_t<Number> array(static_cast<py::ssize_t>(manifold.points.size()));
  Number* out = array.mutable_data();
  for (const ManifoldPoint& point : manifold.points) *out++ = part(point);
  return array;
}

ContactManifold manifoldOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                             const Vertices& poseB, double margin, std::size_t maxPoints,
                             std::optional<double> budget) {
  const ManifoldSettings settings{margin, maxPoints};
  valueOf(check(settings));
  ContactManifold found = withPoses(
      poseA, poseB, budget, [&](const Pose& here, const Pose& there, const TimeBudget& time) {
        return contactManifold(a, here, b, there, settings, time);
      });
  warnOnceUnless(found.depthKnown);
  return found;
}

void prepareShape(const Shape& shape) {
  // Copy, because another thread may release the shape meanwhile
  const Shape own = shape;
  const Unlocked unlocked;
  prepare(own);
}

Protrusion protrusionOnce(const Shape& a, const Vertices& poseA, const Shape& b,
                          const Vertices& poseB, std::optional<double> budget) {
  return withPoses(poseA, poseB, budget,
                   [&](const Pose& here, const Pose& there, const TimeBudget& time) {
                     return protrusion(a, here, b, there, time);
                   });
}

void declareProtrusion(py::module_& m) {
  py::class_<Protrusion> declared(
      m, "Protrusion",
      "The deepest vertex of one shape inside the other. Has no truth value: use `depth`.");
  declared
      .def_readonly("depth", &Protrusion::depth,
                    "Distance of the vertex to the nearest face [m]; 0: none is inside.")
      .def_property_readonly(
          "of_b", [](const Protrusion& p) { return p.ofB; }, "True if it is a vertex of `b`.")
      .def_property_readonly(
          "vertex",
          [](const Protrusion& p) { return p.depth > 0.0 ? py::cast(p.vertex) : py::none(); },
          "Its row in `vertices`, or None.")
      .def_property_readonly(
          "points", [](const Protrusion& p) { return rowsOf(p.from, p.to); },
          "The vertex and the nearest point of the face: an array (2, 3) [m], world frame. "
          "Meaningless at depth 0.")
      .def_property_readonly(
          "final", [](const Protrusion& p) { return !p.canRefine; },
          "True if all vertices were examined.");
  declarePlain(declared, [](const Protrusion& p) {
    return "depth=" + brief(p.depth) + ", of_b=" + brief(p.ofB) +
           ", vertex=" + (p.depth > 0.0 ? std::to_string(p.vertex) : "None") +
           ", final=" + brief(!p.canRefine);
  });
  refuseBool(declared, ".depth > 0");
  m.def("protrusion", &protrusionOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("budget") = py::none(),
        R"(Finds the deepest vertex of either shape inside the other. Returns a Protrusion.

Poses are 4x4 matrices, world frame. `budget` is in seconds. Only solids have an inside.

>>> into = np.eye(4)
>>> into[:3, 3] = 1.5, 1.25, 1.75
>>> nearmiss.protrusion(cube, np.eye(4), cube, into).depth
0.25
)");
}

void declareQuery(py::module_& m) {
  py::class_<HeldManifoldQuery>(m, "ManifoldQuery",
                                R"(A resumable search for the contact points of two shapes.

Keep one query per pair: it reuses earlier results, so that points and ids stay the same.
Thread-safe.

>>> query = nearmiss.ManifoldQuery()
>>> query.begin(cube, np.eye(4), cube, into)
>>> len(query.refine(budget=1e-3)) > 0
True
)")
      .def(py::init<>())
      .def("begin", &HeldManifoldQuery::begin, py::arg("a"), py::arg("pose_a"), py::arg("b"),
           py::arg("pose_b"), py::kw_only(), py::arg("margin") = 0.0, py::arg("max_points") = 4,
           "Starts a search. Arguments are those of contact_manifold(). Discards the previous "
           "search.")
      .def("refine", &HeldManifoldQuery::refine, py::kw_only(), py::arg("budget") = py::none(),
           "Searches until all points are found or `budget` [s] is spent. A later call continues. "
           "Returns a ContactManifold.")
      .def("__reduce__", [](const HeldManifoldQuery&) -> py::object {
        throw py::type_error(
            "a ManifoldQuery cannot be pickled, because it is a search in progress: pickle the "
            "ContactManifold that refine() returns, or the shapes and poses given to begin()");
      });
}

}  // namespace

void warnOnceUnless(bool depthKnown) {
  static bool warned = false;
  if (depthKnown || std::exchange(warned, true)) return;
  warn(
      {"two shapes touch, but how deep is unknown, because neither is a solid: see "
       "ContactManifold.depth_known and Shape.report()"});
}

void HeldManifoldQuery::begin(const Shape& a, const Vertices& poseA, const Shape& b,
                              const Vertices& poseB, double margin, std::size_t maxPoints) {
  const Pose here = poseFromMatrix(poseA, "pose_a"), there = poseFromMatrix(poseB, "pose_b");
  const ManifoldSettings settings{margin, maxPoints};
  valueOf(check(settings));
  const Shape one = a, other = b;
  const Unlocked unlocked;
  const std::lock_guard alone(lock_);
  query_.begin(one, here, other, there, settings);
  begun_ = true;
}

ContactManifold HeldManifoldQuery::refine(std::optional<double> budget) {
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  ContactManifold found;
  {
    const Unlocked unlocked;
    const std::lock_guard alone(lock_);
    // After an allocation failure the next call has to begin again
    if (!std::exchange(begun_, false)) throw Failure("the query has no shapes: call begin() first");
    found = query_.refine(time);
    begun_ = true;
  }
  clock.raiseIfInterrupted();
  warnOnceUnless(found.depthKnown);
  return found;
}

void declareContacts(py::module_& m) {
  py::class_<ContactManifold> declared(
      m, "ContactManifold",
      "The points at which two shapes touch, deepest first. Its length is the number of points; "
      "without points it is false.");
  declared.def("__len__", [](const ContactManifold& c) { return c.points.size(); })
      .def_property_readonly(
          "on_a",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.onA; });
          },
          "Points on the surface of `a`: an array (n, 3) [m], world frame.")
      .def_property_readonly(
          "on_b",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.onB; });
          },
          "Points on the surface of `b`: an array (n, 3) [m], world frame.")
      .def_property_readonly(
          "normals",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.normal; });
          },
          "Unit vectors from `b` to `a`: an array (n, 3).")
      .def_property_readonly(
          "depths",
          [](const ContactManifold& c) {
            return numbersOf<double>(c, [](const ManifoldPoint& p) { return p.depth; });
          },
          "Overlap at each point: an array (n) [m]. Negative: the gap.")
      .def_property_readonly(
          "ids",
          [](const ContactManifold& c) {
            return numbersOf<std::uint64_t>(c, [](const ManifoldPoint& p) { return p.id; });
          },
          "Identify the touching features: an array (n). Stable across frames.")
      .def_readonly("depth_known", &ContactManifold::depthKnown,
                    "False if the shapes touch but the depth is undefined, because neither is a "
                    "solid. The points then lie where the surfaces intersect and have depth 0.")
      .def_readonly("can_refine", &ContactManifold::canRefine,
                    "True if the budget ended the search, so that more points may touch.")
      .def_property_readonly(
          "final", [](const ContactManifold& c) { return !c.canRefine; },
          "True if all contacts were found.");
  declarePlain(declared, [](const ContactManifold& c) {
    const std::string depths = c.points.empty() ? "" : ", deepest=" + brief(c.points.front().depth);
    return std::to_string(c.points.size()) + " points" + depths + ", final=" + brief(!c.canRefine);
  });
  m.def("prepare", &prepareShape, py::arg("shape"),
        "Builds the data that contact queries otherwise build at their first use of a shape, which "
        "takes milliseconds for a large mesh.");
  declareQuery(m);
  m.def("contact_manifold", &manifoldOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("margin") = 0.0, py::arg("max_points") = 4,
        py::arg("budget") = py::none(),
        R"(Computes contact points for a rigid-body solver. Returns a ContactManifold.

Poses are 4x4 matrices, world frame. Includes points with a gap of at most `margin` [m]. If there
are more than `max_points`, keeps the deepest one and those that span the widest patch. `budget`
is in seconds.

>>> above = np.eye(4)
>>> above[2, 3] = 1.99
>>> nearmiss.contact_manifold(cube, above, cube, np.eye(4))
ContactManifold(4 points, deepest=0.01, final=True)
)");
  declareProtrusion(m);
}

}  // namespace nearmiss::python
