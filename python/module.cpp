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
#include <string>
#include <utility>

#include "bodies.h"
#include "collisions.h"
#include "contacts.h"
#include "mesh_faults.h"
#include "plain_data.h"
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

/// An enumeration that is compared, never used as a truth value.
template <class Enum>
py::enum_<Enum> enumOf(py::module_& m, const char* name, const char* about, const char* instead) {
  py::enum_<Enum> declared(m, name, about);
  refuseBool(declared, instead);
  return declared;
}

void declareEnums(py::module_& m) {
  enumOf<Verdict>(m, "Verdict",
                  "Whether two bodies touch. SEPARATE and CONTACT are certain. POSSIBLE means that "
                  "spheres still overlap at the level reached.",
                  "== nearmiss.Verdict.CONTACT, or the attribute .touching of the answer")
      .value("SEPARATE", Verdict::Separate)
      .value("POSSIBLE", Verdict::Possible)
      .value("CONTACT", Verdict::Contact);
  enumOf<Stage>(m, "Stage",
                "The evidence for a verdict: bounding spheres, levels of spheres, or triangles.",
                "== nearmiss.Stage.EXACT")
      .value("BOUNDS", Stage::Bounds)
      .value("SPHERES", Stage::Spheres)
      .value("EXACT", Stage::Exact);
}

constexpr const char* aboutShape =
    R"(A triangle mesh with the trees built around it. Immutable; copies share the data.

Takes `vertices`, an array (n, 3) in metres, and `faces`, an array (m, 3) of vertex numbers.
Instead of both, takes one mesh that has the attributes `vertices` and `faces`, such as one of
trimesh. Any triangles are accepted; report() tells what was repaired.

weld         join vertices up to this distance apart [m]
quality      sphere tree: "fast" (milliseconds), "tight" (seconds, closer spheres) or "none"
builder      name of a sphere-tree builder, see builders(); None: by `quality`
levels       depth of the sphere tree
branching    maximum number of children of a sphere
max_spheres  maximum number of spheres; 0: no limit
boxes        ratio at which nodes get boxes; None: the builder's default
inner        number of spheres inside the solid; None: the builder's default
bsp          also build a BSP tree
workers      number of threads that build the tree
progress     called with the fraction done, 0 to 1, several times per second; returning False
             cancels the build with nearmiss.Error

>>> cube = nearmiss.box([1, 1, 1])
>>> nearmiss.Shape(cube.vertices, cube.faces)
Shape(12 faces, radius=1.732, solid=True)
)";

void declareShape(py::module_& m) {
  enumOf<SolidSide>(m, "SolidSide", "Which side of the faces of a shape is solid.",
                    "== nearmiss.SolidSide.AS_WOUND")
      .value("NONE", SolidSide::None)
      .value("AS_WOUND", SolidSide::AsWound)
      .value("TURNED", SolidSide::Turned);
  py::class_<SphereTreeCertificate> certificate(
      m, "Certificate", "What an independent check proved about a sphere tree.");
  certificate
      .def_readonly("covers", &SphereTreeCertificate::covers,
                    "True if the spheres contain the whole surface as promised.")
      .def_readonly("bounds", &SphereTreeCertificate::bounds,
                    "True if all stored distance bounds hold.")
      .def_readonly("complaint", &SphereTreeCertificate::complaint,
                    "One sentence about the first fault; empty if there is none.");
  declarePlain(certificate, [](const SphereTreeCertificate& c) {
    return "covers=" + brief(c.covers) + ", bounds=" + brief(c.bounds);
  });
  refuseBool(certificate, ".covers and .bounds");
  py::class_<Shape> shape(m, "Shape", aboutShape);
  describeBy(shape, [](const Shape& s) {
    return std::to_string(s.polyhedron().mesh().triangles.size()) +
           " faces, radius=" + brief(s.radius()) + ", solid=" + brief(s.solid());
  });
  shape
      .def("__init__", initBy(&shapeFromArrays), py::detail::is_new_style_constructor(),
           py::arg("vertices"), py::arg("faces") = py::none(), py::kw_only(), py::arg("weld") = 0.0,
           py::arg("quality") = "fast", py::arg("builder") = py::none(), py::arg("levels") = 4,
           py::arg("branching") = 8, py::arg("max_spheres") = 0, py::arg("boxes") = py::none(),
           py::arg("inner") = py::none(), py::arg("bsp") = false, py::arg("workers") = 1,
           py::arg("progress") = py::none())
      .def_static(
          "load", &shapeFromFile, py::arg("file"), py::kw_only(), py::arg("radius") = 0.0,
          py::arg("quality") = "fast", py::arg("builder") = py::none(), py::arg("levels") = 4,
          py::arg("branching") = 8, py::arg("max_spheres") = 0, py::arg("boxes") = py::none(),
          py::arg("inner") = py::none(), py::arg("bsp") = false, py::arg("workers") = 1,
          py::arg("progress") = py::none(),
          R"(Reads a mesh file of any kind that the program nearmiss reads, such as STL, OBJ, PLY and OFF.

If `radius` is above 0, centres the mesh and scales it to that radius [m]. The other settings
are those of Shape().

>>> bolt = nearmiss.Shape.load("bolt.stl")
)")
      .def_property_readonly("radius", &Shape::radius,
                             "Radius of the bounding sphere about the origin [m].")
      .def_property_readonly("solid", &Shape::solid,
                             "True if inside and outside are defined everywhere.")
      .def_property_readonly(
          "solid_side", &Shape::solidSide,
          "A SolidSide. NONE: only the surface collides. AS_WOUND: the space behind the faces is "
          "solid. TURNED: the faces were given facing inwards, and what they enclose is solid.")
      .def_property_readonly(
          "vertices", [](const Shape& s) { return verticesOf(s.polyhedron().mesh()); },
          "Vertices of the repaired mesh: an array (n, 3) [m].")
      .def_property_readonly(
          "faces", [](const Shape& s) { return facesOf(s.polyhedron().mesh()); },
          "Faces of the repaired mesh: an array (m, 3) of vertex numbers.")
      .def_property_readonly("levels", &levelsOf,
                             "Number of the deepest level of the sphere tree. Raises an error if "
                             "there is no tree.")
      .def("report", &reportOf,
           "Returns a dict that tells what was repaired and what could not be, such as "
           "\"boundary_edges\" and \"volume\" [m^3].")
      .def(
          "mass_properties", [](const Shape& s) { return valueOf(massProperties(s)); },
          R"(Computes volume, centre of mass and inertia at a density of 1. Overlapping parts count twice.

>>> nearmiss.box([1, 1, 1]).mass_properties().volume
8.0
)")
      .def(
          "spheres", &spheresOf, py::arg("level") = -1,
          "Returns the spheres of a level: an array (n, 4) of x, y, z and radius [m], in the frame "
          "of the shape. Negative levels count from the deepest.")
      .def("check", &certificateOf, py::kw_only(), py::arg("progress") = py::none(),
           "Proves that the spheres cover the mesh, and that their bounds hold. Returns a "
           "Certificate. `progress` as in Shape().")
      .def(
          "tightened", &tightenedShape, py::kw_only(), py::arg("workers") = 1,
          py::arg("progress") = py::none(),
          "Builds the same shape with spheres about half as far from its surface, which takes "
          "seconds. May run on another thread while this shape is in use. `workers` and `progress` "
          "as in Shape().")
      .def("scaled", &scaledShape, py::arg("factor"),
           "Returns the shape scaled by `factor` about its origin. Scales all trees, so nothing is "
           "built again.")
      .def("refit", &refittedShape, py::arg("vertices"),
           "Returns a Refit: the shape with moved vertices, an array (n, 3) [m] in the order of "
           "`vertices`. Its sphere tree is kept and covers the new surface.")
      .def("self_contacts", &selfContactsOf,
           "Finds pairs of faces that intersect away from shared vertices and edges: an array "
           "(n, 2), at most a million rows. Also works for refitted shapes.")
      .def_static("read", &shapeFromOwnFile, py::arg("file"),
                  "Reads a file of save(), including all trees.")
      .def("save", &saveShape, py::arg("file"), "Writes the shape with its trees.")
      .def("__getstate__", &bytesOfShape)
      .def("__setstate__", initBy(&shapeFromPickle), py::detail::is_new_style_constructor())
      .def("save_tree", &saveTree, py::arg("file"),
           "Writes only the sphere tree, for the program nearmiss.");
  py::class_<Refit> refit(m, "Refit", "A shape whose vertices were moved.");
  refit.def_readonly("shape", &Refit::shape, "The new Shape.")
      .def_readonly("growth", &Refit::growth,
                    "How much looser the spheres are than those that were built: 1 for none.")
      .def_readonly("rebuild_pays", &Refit::rebuildPays,
                    "True if queries of a newly built shape would be faster.")
      .def("__reduce__", [](const Refit& r) {
        return py::make_tuple(py::module_::import("nearmiss._answers").attr("restored"),
                              py::make_tuple(py::type::of<Refit>(),
                                             py::make_tuple(r.shape, r.growth, r.rebuildPays)));
      });
  refit.def_static("_restored", [](const py::tuple& state) {
    if (state.size() != 3)
      throw Failure("the pickle is of another version of nearmiss, or damaged");
    return Refit{state[0].cast<Shape>(), state[1].cast<double>(), state[2].cast<bool>()};
  });
  describeBy(refit, [](const Refit& r) {
    return "growth=" + brief(r.growth) + ", rebuild_pays=" + brief(r.rebuildPays);
  });
  refuseBool(refit, ".rebuild_pays or .shape");
  m.def("builders", &builderNames, "Returns the names of the sphere-tree builders.");
}

std::string describe(const Refinement& r) {
  const py::object verdict = py::cast(promisedVerdict(r)), stage = py::cast(r.stage);
  return std::string(py::str(verdict.attr("name"))) +
         ", stage=" + std::string(py::str(stage.attr("name"))) +
         ", level=" + std::to_string(r.level) + ", bound=" + brief(r.separationBound) +
         ", final=" + brief(!r.canRefine);
}

void declareCollisions(py::module_& m) {
  py::class_<Refinement> refinement(m, "Refinement",
                                    R"(What is known about a pair: the answer of collide().

Has no truth value, because a pair can be undecided: use `touching`.

>>> answer = nearmiss.collide(a, pose_a, b, pose_b, budget=50e-6)
>>> if answer.touching is not False: ...   # they touch, or may touch
)");
  refinement
      .def_property_readonly(
          "touching", &touching,
          "True for a contact, False if the bodies are separate, and None if the "
          "budget did not suffice to decide.")
      .def_property_readonly("verdict", &promisedVerdict,
                             "A Verdict. POSSIBLE and final if the tree comes from a file without "
                             "guaranteed coverage and knows no more.")
      .def_readonly("stage", &Refinement::stage, "A Stage: the evidence for the verdict.")
      .def_readonly("level", &Refinement::level, "Deepest level of spheres that was completed.")
      .def_readonly("bound", &Refinement::separationBound,
                    "Upper bound on the distance of the bodies [m]; 0 for a contact.")
      .def_readonly("between_solids", &Refinement::betweenSolids,
                    "True if the bound is between solids, which also touch if one contains the "
                    "other.")
      .def_readonly("estimate", &Refinement::separationEstimate,
                    "Estimate of the distance [m]; not a bound.")
      .def_property_readonly(
          "final", [](const Refinement& r) { return !r.canRefine; },
          "True if more time would not change the answer.")
      .def_property_readonly(
          "spheres", &deepestSpheres,
          "The spheres that overlap most, one of each body: an array (2, 4) of x, y, z and radius "
          "[m], world frame. Meaningless if the bodies are separate.")
      .def_property_readonly("triangles", &meetingTriangles,
                             "Two faces that intersect, as (face of a, face of b), or None.");
  declarePlain(refinement, [](const Refinement& r) { return describe(r); });
  refuseBool(refinement, ".touching, which is True, False, or None if undecided");
  m.def("collide", &collideOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
        py::kw_only(), py::arg("budget") = py::none(),
        R"(Decides whether two shapes touch. Returns a Refinement.

A pose is a 4x4 matrix of a rigid motion, world frame [m]; its last row is 0 0 0 1. `budget` is
in seconds; without one, the answer is final.

>>> cube, away = nearmiss.box([1, 1, 1]), np.eye(4)
>>> away[0, 3] = 2.5
>>> nearmiss.collide(cube, np.eye(4), cube, away).touching
False
)");
  m.def("collide_many", &collideMany, py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(),
        py::arg("budget") = py::none(), py::arg("workers") = py::none(),
        R"(Compares `a` with `b` in many poses, an array (n, 4, 4) in the frame of `a`.

Returns a dict of arrays of length n: "verdict" and "stage" (the values of a Verdict and a
Stage), "level", and "bound", an upper bound on the distance [m].

`budget` is in seconds for each pose. `workers` is the maximum number of threads; None: one per
core. Other Python threads run meanwhile. Without a budget, results do not depend on `workers`.

>>> poses = np.tile(np.eye(4), (1000, 1, 1))
>>> poses[:, 0, 3] = np.linspace(0, 4, 1000)
>>> (nearmiss.collide_many(cube, cube, poses)["verdict"] == nearmiss.Verdict.CONTACT.value).sum()
500
)");
}

void declareDistances(py::module_& m) {
  py::class_<DistanceBounds> bounds(
      m, "DistanceBounds",
      R"(Bounds on the distance of two shapes: the answer of distance().

Has no truth value: use `touching` or is_within().
)");
  bounds.def_readonly("lower", &DistanceBounds::lower, "The distance is at least this [m].")
      .def_readonly("upper", &DistanceBounds::upper,
                    "The distance is at most this [m]; 0 if the shapes touch.")
      .def_property_readonly(
          "touching", [](const DistanceBounds& d) { return within(d, 0.0); },
          "True if the distance is 0, False if it is not, and None if the bounds do not decide it.")
      .def("is_within", &within, py::arg("tolerance"),
           "Returns whether the distance is at most `tolerance` [m], or None if the bounds do not "
           "decide it.")
      .def_property_readonly(
          "final", [](const DistanceBounds& d) { return !d.canRefine; },
          "True if more time would not tighten the bounds.")
      .def_property_readonly(
          "points", [](const DistanceBounds& d) { return rowsOf(d.pointA, d.pointB); },
          "A point on each surface, `upper` apart: an array (2, 3) [m], world frame. Meaningless "
          "if "
          "`triangles` is None.")
      .def_property_readonly("triangles", &heldTriangles,
                             "The faces that contain the points, as (face of a, face of b). None "
                             "if one solid contains "
                             "the other and their surfaces do not intersect.");
  declarePlain(bounds, [](const DistanceBounds& d) {
    return "lower=" + brief(d.lower) + ", upper=" + brief(d.upper) +
           ", final=" + brief(!d.canRefine);
  });
  refuseBool(bounds, ".touching, .is_within(tolerance), .lower or .upper");
  m.def("distance", &distanceOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
        py::kw_only(), py::arg("budget") = py::none(),
        R"(Computes the distance of two shapes [m], 0 if they touch. Returns DistanceBounds.

Poses are 4x4 matrices, world frame. `budget` is in seconds.

>>> nearmiss.distance(cube, np.eye(4), cube, away).upper
0.5
)");
  m.def("distance_many", &distanceMany, py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(),
        py::arg("budget") = py::none(), py::arg("workers") = py::none(),
        R"(Computes the distance of `a` and `b` in many poses of `b`, (n, 4, 4) in the frame of `a`.

Returns a dict of arrays: "lower" and "upper" (n) [m], "points" (n, 2, 3) in the frame of `a`,
"triangles" (n, 2), -1 for none, and "final" (n).

`budget` is in seconds for each pose. `workers` is the maximum number of threads; None: one per
core. Without a budget, results do not depend on `workers`.

>>> nearmiss.distance_many(cube, cube, away[None])["upper"]
array([0.5])
)");
}

void declareQueries(py::module_& m) {
  declareDistances(m);
  py::class_<PenetrationBounds> depth(
      m, "PenetrationBounds",
      "Bounds on the penetration depth of two shapes, the length of the shortest translation that "
      "separates them. Has no truth value: use `upper`.");
  depth
      .def_readonly("lower", &PenetrationBounds::lower,
                    "No shorter translation separates the shapes [m].")
      .def_readonly("upper", &PenetrationBounds::upper,
                    "A translation of this length along `direction` separates them [m].")
      .def_property_readonly(
          "final", [](const PenetrationBounds& p) { return !p.canRefine; },
          "True if more time would not tighten the bounds.")
      .def_property_readonly(
          "direction", [](const PenetrationBounds& p) { return vectorOf(p.direction); },
          "Unit vector along which `b` moves: an array (3), world frame. Zero if the shapes are "
          "separate.");
  declarePlain(depth, [](const PenetrationBounds& p) {
    return "lower=" + brief(p.lower) + ", upper=" + brief(p.upper) +
           ", direction=" + brief(p.direction) + ", final=" + brief(!p.canRefine);
  });
  refuseBool(depth, ".upper > 0, or collide() for contacts of depth 0");
  m.def("penetration", &penetrationOnce, py::arg("a"), py::arg("pose_a"), py::arg("b"),
        py::arg("pose_b"), py::kw_only(), py::arg("budget") = py::none(),
        R"(Computes the penetration depth of two shapes [m]. Returns PenetrationBounds.

Poses are 4x4 matrices, world frame. `budget` is in seconds. Without one, the worst concave
pairs take about ten seconds.

>>> into = np.eye(4)
>>> into[0, 3] = 1.5
>>> nearmiss.penetration(cube, np.eye(4), cube, into)
PenetrationBounds(lower=0.5, upper=0.5, direction=[1, 0, 0], final=True)
)");

  py::class_<ContactTime> contact(
      m, "ContactTime",
      "A time before which two moving shapes do not touch. Has no truth value: use `reached`.");
  contact
      .def_readonly("no_contact_before", &ContactTime::noContactBefore,
                    "The shapes do not touch before this time [s].")
      .def_readonly("reached", &ContactTime::reached,
                    "True if the shapes are within the tolerance at that time.")
      .def_property_readonly(
          "final", [](const ContactTime& t) { return !t.canRefine; },
          "True if more time would not help. If `reached` is false and the time is before the "
          "horizon, the remaining gap is below rounding, or a body leaves the range of poses.");
  declarePlain(contact, [](const ContactTime& t) {
    return "no_contact_before=" + brief(t.noContactBefore) + ", reached=" + brief(t.reached) +
           ", final=" + brief(!t.canRefine);
  });
  refuseBool(contact, ".reached or .no_contact_before");
  m.def(
      "time_to_contact", &contactTimeOnce, py::arg("a"), py::arg("pose_a"), py::arg("motion_a"),
      py::arg("b"), py::arg("pose_b"), py::arg("motion_b"), py::kw_only(),
      py::arg("horizon") = 10.0, py::arg("tolerance") = 1e-4, py::arg("budget") = py::none(),
      R"(Computes when two shapes of constant velocity come within `tolerance` [m]. Returns a ContactTime.

A motion is an array (2, 3): the linear [m/s] and the angular velocity [rad/s], world frame.
Stops at `horizon` [s]. An infinite horizon needs a budget [s], and so does one before which the
shapes turn by more than 1e9 times their radii. Without a budget, stops after a million steps,
about ten seconds.

>>> coming = [[-1.0, 0, 0], [0, 0, 0]]
>>> round(nearmiss.time_to_contact(cube, np.eye(4), np.zeros((2, 3)), cube, away,
...                                coming).no_contact_before, 2)
0.5
)");
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
