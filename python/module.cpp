// SPDX-License-Identifier: MIT
/// The extension module of the Python package `nearmiss`: shapes, their spheres, and collisions of
/// pairs.
#include <pybind11/functional.h>

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/detail/promised_verdict.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <exception>
#include <utility>

#include "bodies.h"
#include "collisions.h"
#include "contacts.h"
#include "mesh_faults.h"
#include "primitives.h"
#include "rays.h"
#include "robots.h"
#include "shapes.h"
#include "unlocked.h"

namespace py = pybind11;
using namespace nearmiss;
using namespace nearmiss::python;

namespace {

/// nearmiss.Error; kept for the lifetime of the process.
py::handle errorClass;

void declareError(py::module_& m) {
  errorClass = py::exception<Failure>(m, "Error", PyExc_ValueError).release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      const py::object sentence = textOf(failure.what());
      PyErr_SetObject(errorClass.ptr(), sentence.ptr());
    }
  });
}

/// An __init__ or __setstate__ that builds without the GIL. Code that it calls, and other threads,
/// may enter it with the same object meanwhile; py::init() and py::pickle() would overwrite what
/// they made.
template <class... Args>
auto initBy(Shape (*build)(Args...)) {
  return [build](py::detail::value_and_holder& made, Args... args) {
    Shape shape = build(std::forward<Args>(args)...);
    if (made.value_ptr() != nullptr) throw Failure("this shape is made already");
    made.value_ptr() = new Shape(std::move(shape));
  };
}

void declareEnums(py::module_& m) {
  py::enum_<Verdict>(m, "Verdict")
      .value("SEPARATE", Verdict::Separate)
      .value("POSSIBLE", Verdict::Possible)
      .value("CONTACT", Verdict::Contact);
  py::enum_<Stage>(m, "Stage")
      .value("BOUNDS", Stage::Bounds)
      .value("SPHERES", Stage::Spheres)
      .value("EXACT", Stage::Exact);
}

void declareShape(py::module_& m) {
  py::enum_<SolidSide>(m, "SolidSide")
      .value("NONE", SolidSide::None)
      .value("AS_WOUND", SolidSide::AsWound)
      .value("TURNED", SolidSide::Turned);
  py::class_<SphereTreeCertificate>(m, "Certificate", "What an independent check proved of a tree.")
      .def_readonly("covers", &SphereTreeCertificate::covers)
      .def_readonly("bounds", &SphereTreeCertificate::bounds)
      .def_readonly("complaint", &SphereTreeCertificate::complaint);
  py::class_<Shape>(m, "Shape", "One object, ready to collide: a mesh and the trees around it.")
      .def("__init__", initBy(&shapeFromArrays), py::detail::is_new_style_constructor(),
           py::arg("vertices"), py::arg("faces"), py::kw_only(), py::arg("weld") = 0.0,
           py::arg("quality") = "fast", py::arg("builder") = py::none(), py::arg("levels") = 4,
           py::arg("branching") = 8, py::arg("max_spheres") = 0, py::arg("boxes") = py::none(),
           py::arg("inner") = py::none(), py::arg("bsp") = false, py::arg("workers") = 1,
           py::arg("progress") = py::none())
      .def_static("load", &shapeFromFile, py::arg("file"), py::kw_only(), py::arg("radius") = 0.0,
                  py::arg("quality") = "fast", py::arg("builder") = py::none(),
                  py::arg("levels") = 4, py::arg("branching") = 8, py::arg("max_spheres") = 0,
                  py::arg("boxes") = py::none(), py::arg("inner") = py::none(),
                  py::arg("bsp") = false, py::arg("workers") = 1, py::arg("progress") = py::none(),
                  "A mesh file of any kind that the program nearmiss reads; `radius` scales and "
                  "centres it, 0 leaves it as it is.")
      .def_property_readonly("radius", &Shape::radius)
      .def_property_readonly("solid", &Shape::solid)
      .def_property_readonly("solid_side", &Shape::solidSide,
                             "NONE: only its surface collides. AS_WOUND: behind its faces. TURNED: "
                             "it was given facing inwards, and what it encloses is solid.")
      .def_property_readonly(
          "vertices", [](const Shape& shape) { return verticesOf(shape.polyhedron().mesh()); })
      .def_property_readonly("faces",
                             [](const Shape& shape) { return facesOf(shape.polyhedron().mesh()); })
      .def_property_readonly("levels", &levelsOf)
      .def("report", &reportOf, "What was repaired, and what could not be.")
      .def(
          "mass_properties", [](const Shape& shape) { return valueOf(massProperties(shape)); },
          "Volume, centre of mass and inertia tensor at a density of 1; parts that overlap count "
          "twice.")
      .def("spheres", &spheresOf, py::arg("level") = -1,
           "Centres and radii of a level as an array of four columns; negative levels count from "
           "the deepest.")
      .def("check", &certificateOf, py::kw_only(), py::arg("progress") = py::none(),
           "Proves that the spheres cover the mesh, and their bounds.")
      .def("tightened", &tightenedShape, py::kw_only(), py::arg("workers") = 1,
           py::arg("progress") = py::none(),
           "The same mesh with spheres about half as far from its surface, which takes seconds; "
           "for another thread, while this shape is in use.")
      .def("scaled", &scaledShape, py::arg("factor"),
           "The shape scaled by `factor` about its origin, with all its trees.")
      .def("refit", &refittedShape, py::arg("vertices"),
           "The shape with its `vertices` moved, as many and in their order: its sphere tree is "
           "kept and covers the new surface.")
      .def("self_contacts", &selfContactsOf,
           "Pairs of faces that meet away from what they share, an array of two columns; at most a "
           "million. Of a shape that was refitted too.")
      .def_static("read", &shapeFromOwnFile, py::arg("file"), "What save() wrote, trees and all.")
      .def("save", &saveShape, py::arg("file"), "Writes the shape with its trees.")
      .def("__getstate__", &bytesOfShape)
      .def("__setstate__", initBy(&shapeFromPickle), py::detail::is_new_style_constructor())
      .def("save_tree", &saveTree, py::arg("file"),
           "Writes the sphere tree alone, for the program nearmiss.");
  py::class_<Refit>(m, "Refit", "A shape whose vertices were moved.")
      .def_readonly("shape", &Refit::shape)
      .def_readonly("growth", &Refit::growth,
                    "How much larger its spheres are for their surface than those that were built.")
      .def_readonly("rebuild_pays", &Refit::rebuildPays);
  m.def("builders", &builderNames, "The sphere-tree builders by name.");
}

void declareCollisions(py::module_& m) {
  py::class_<Refinement>(m, "Refinement", "What is known of a pair.")
      .def_property_readonly("verdict", &promisedVerdict,
                             "POSSIBLE and final where a tree from a file, whose coverage is not "
                             "guaranteed, knows no more.")
      .def_readonly("stage", &Refinement::stage)
      .def_readonly("level", &Refinement::level)
      .def_readonly("bound", &Refinement::separationBound,
                    "Upper bound on the distance of the bodies, metres.")
      .def_readonly("between_solids", &Refinement::betweenSolids,
                    "True if the bound is of solids, which touch where one holds the other.")
      .def_readonly("estimate", &Refinement::separationEstimate)
      .def_property_readonly("final", [](const Refinement& r) { return !r.canRefine; })
      .def_property_readonly("spheres", &deepestSpheres)
      .def_property_readonly("triangles", &meetingTriangles);
  m.def("collide", &collideOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
        py::kw_only(), py::arg("budget") = py::none(),
        "Compares two shapes; `budget` in seconds. A pose is a 4x4 matrix whose last row is 0 0 0 "
        "1.");
  m.def(
      "collide_many", &collideMany, py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(),
      py::arg("budget") = py::none(),
      "`b` in many poses seen from `a`, (n, 4, 4): arrays of verdicts, stages, levels and bounds. "
      "`budget` in seconds for each. Other threads run meanwhile.");
}

void declareQueries(py::module_& m) {
  py::class_<DistanceBounds>(m, "DistanceBounds", "The distance between two shapes, as two bounds.")
      .def_readonly("lower", &DistanceBounds::lower)
      .def_readonly("upper", &DistanceBounds::upper)
      .def_property_readonly("final", [](const DistanceBounds& d) { return !d.canRefine; })
      .def_property_readonly(
          "points", [](const DistanceBounds& d) { return rowsOf(d.pointA, d.pointB); },
          "One on each surface, `upper` apart; world frame. Of no use where `triangles` is None.")
      .def_property_readonly(
          "triangles", &heldTriangles,
          "Those that hold the points; None where one solid holds the other and their surfaces do "
          "not meet.");
  m.def("distance", &distanceOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
        py::kw_only(), py::arg("budget") = py::none(),
        "The distance between two shapes, 0 if they touch; `budget` in seconds.");

  py::class_<PenetrationBounds>(
      m, "PenetrationBounds", "The shortest move of `b` that separates two shapes, as two bounds.")
      .def_readonly("lower", &PenetrationBounds::lower)
      .def_readonly("upper", &PenetrationBounds::upper)
      .def_property_readonly("final", [](const PenetrationBounds& p) { return !p.canRefine; })
      .def_property_readonly(
          "direction", [](const PenetrationBounds& p) { return vectorOf(p.direction); },
          "Moving `b` this way by `upper` separates them; world frame.");
  m.def("penetration", &penetrationOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("budget") = py::none(),
        "The penetration depth of two shapes; `budget` in seconds. Without one, the worst concave "
        "pairs take about ten seconds.");

  py::class_<ContactTime>(m, "ContactTime",
                          "A time before which two shapes certainly do not touch.")
      .def_readonly("no_contact_before", &ContactTime::noContactBefore, "Seconds.")
      .def_readonly("reached", &ContactTime::reached, "True if they are within the tolerance then.")
      .def_property_readonly(
          "final", [](const ContactTime& t) { return !t.canRefine; },
          "True if more time would not help. If then nothing was reached and the time is before "
          "the "
          "horizon, rounding hides how far apart they are from there on, or a body leaves the "
          "range "
          "of poses.");
  m.def(
      "time_to_contact", &contactTimeOnce, py::arg("a"), py::arg("pose_a"), py::arg("motion_a"),
      py::arg("b"), py::arg("pose_b"), py::arg("motion_b"), py::kw_only(),
      py::arg("horizon") = 10.0, py::arg("tolerance") = 1e-4, py::arg("budget") = py::none(),
      "When two shapes of constant velocity come within `tolerance` metres. A motion is two "
      "rows, the linear and the angular velocity, world frame. An infinite horizon needs a budget, "
      "and so does one before which the shapes turn by more than some 1e9 times their radii. "
      "Without a budget it ends after a million steps, some ten seconds.");
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  // Classes report the module in which users find them, also in pickles
  const py::object own = m.attr("__name__");
  m.attr("__name__") = "nearmiss";
  m.attr("__version__") = NEARMISS_VERSION;
  declareError(m);
  declareEnd();
  declareEnums(m);
  declarePrimitives(m);
  declareShape(m);
  declareMeshFaults(m);
  declareCollisions(m);
  declareQueries(m);
  declareContacts(m);
  declareRays(m);
  declareRobots(m);
  declareWorldContacts(m);
  declareWorld(m);
  m.attr("__name__") = own;
}
