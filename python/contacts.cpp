// SPDX-License-Identifier: MIT
#include "contacts.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <mutex>
#include <utility>

#include "ask_poses.h"
#include "made_objects.h"
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
  py::class_<Protrusion>(m, "Protrusion", "The deepest vertex of one shape inside the other.")
      .def_readonly("depth", &Protrusion::depth, "To the nearest face, metres; 0: none is inside.")
      .def_property_readonly(
          "of_b", [](const Protrusion& p) { return p.ofB; }, "True: it is a vertex of `b`.")
      .def_property_readonly(
          "vertex",
          [](const Protrusion& p) { return p.depth > 0.0 ? py::cast(p.vertex) : py::none(); },
          "Its row in `vertices`, or None.")
      .def_property_readonly(
          "points", [](const Protrusion& p) { return rowsOf(p.from, p.to); },
          "The vertex and the point of the face; of no use at depth 0. World frame.")
      .def_property_readonly("final", [](const Protrusion& p) { return !p.canRefine; });
  m.def("protrusion", &protrusionOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("budget") = py::none(),
        "How deep a vertex of one shape lies inside the other; `budget` in seconds.");
}

void declareQuery(py::module_& m) {
  py::class_<HeldManifoldQuery>(m, "ManifoldQuery",
                                "A resumable search for the contact points of two shapes. Keep one "
                                "for each pair: it reuses what it found before, so that points and "
                                "ids stay. Any thread may use it.")
      .def(py::init<>())
      .def("begin", &HeldManifoldQuery::begin, py::arg("a"), py::arg("pose_a"), py::arg("b"),
           py::arg("pose_b"), py::kw_only(), py::arg("margin") = 0.0, py::arg("max_points") = 4,
           "Takes two shapes in their poses.")
      .def("refine", &HeldManifoldQuery::refine, py::kw_only(), py::arg("budget") = py::none(),
           "Searches until all points are found or `budget`, in seconds, is spent; a later call "
           "continues.");
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
  py::class_<ContactManifold>(m, "ContactManifold",
                              "A few points at which two shapes touch, the deepest first.")
      .def("__len__", [](const ContactManifold& c) { return c.points.size(); })
      .def_property_readonly(
          "on_a",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.onA; });
          },
          "Points of a's surface, one a row; world frame.")
      .def_property_readonly(
          "on_b",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.onB; });
          },
          "Those of b's.")
      .def_property_readonly(
          "normals",
          [](const ContactManifold& c) {
            return vectorsOf(c, [](const ManifoldPoint& p) { return p.normal; });
          },
          "Of unit length, from b to a.")
      .def_property_readonly(
          "depths",
          [](const ContactManifold& c) {
            return numbersOf<double>(c, [](const ManifoldPoint& p) { return p.depth; });
          },
          "Metres that the two points overlap; below 0: the gap between them.")
      .def_property_readonly(
          "ids",
          [](const ContactManifold& c) {
            return numbersOf<std::uint64_t>(c, [](const ManifoldPoint& p) { return p.id; });
          },
          "Names of what touches: the same from frame to frame.")
      .def_readonly("depth_known", &ContactManifold::depthKnown,
                    "False if the shapes touch but how deep is unknown, because neither is a "
                    "solid: points then lie where the surfaces cross and have depth 0.")
      .def_readonly("can_refine", &ContactManifold::canRefine,
                    "True if the budget ended the search, and more may touch.")
      .def_property_readonly("final", [](const ContactManifold& c) { return !c.canRefine; });
  m.def("prepare", &prepareShape, py::arg("shape"),
        "Builds what contact queries otherwise build at their first use of a shape, which takes "
        "milliseconds for a large mesh.");
  declareQuery(m);
  m.def("contact_manifold", &manifoldOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("margin") = 0.0, py::arg("max_points") = 4,
        py::arg("budget") = py::none(),
        "Computes contact points, including points with a gap of at most `margin` metres. If "
        "there are more than `max_points`, keeps those that span the widest patch. `budget` is in "
        "seconds.");
  declareProtrusion(m);
}

}  // namespace nearmiss::python
