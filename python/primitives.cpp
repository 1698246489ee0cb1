// SPDX-License-Identifier: MIT
#include "primitives.h"

#include <nearmiss/mesh.h>
#include <pybind11/numpy.h>

#include <utility>

#include "collisions.h"
#include "made_objects.h"
#include "plain_data.h"
#include "shapes.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

/// Returns vertices and faces in the form that Shape accepts.
py::tuple arraysOf(Result<TriangleMesh> made) {
  const TriangleMesh mesh = valueOf(std::move(made));
  return py::make_tuple(verticesOf(mesh), facesOf(mesh));
}

py::tuple boxArrays(const Vertices& halfExtents) {
  if (halfExtents.ndim() != 1 || halfExtents.shape(0) != 3)
    throw Failure("half_extents must be three numbers");
  const auto half = halfExtents.unchecked<1>();
  return arraysOf(boxMesh({half(0), half(1), half(2)}));
}

py::tuple hullArrays(const Vertices& points) {
  return arraysOf(convexHullMesh(positionsOf(points)));
}

py::array_t<double> tensorOf(const glm::dmat3& symmetric) {
  py::array_t<double> array({py::ssize_t{3}, py::ssize_t{3}});
  auto out = array.mutable_unchecked<2>();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) out(i, k) = symmetric[i][k];
  return array;
}

}  // namespace

void declarePrimitives(py::module_& m) {
  py::class_<MassProperties> mass(
      m, "MassProperties",
      "Mass properties of a body with a density of 1. For another density, multiply volume and "
      "inertia by it.");
  mass.def_readonly("volume", &MassProperties::volume, "Volume [m^3]; equals the mass [kg].")
      .def_property_readonly(
          "centre", [](const MassProperties& p) { return vectorOf(p.centre); },
          "Centre of mass: an array (3) [m], in the frame of the body.")
      .def_property_readonly(
          "inertia", [](const MassProperties& p) { return tensorOf(p.inertia); },
          "Inertia tensor about the centre, along the axes of the frame of the body: an array "
          "(3, 3) [kg m^2].");
  declarePlain(mass, [](const MassProperties& p) {
    return "volume=" + brief(p.volume) + ", centre=" + brief(p.centre);
  });
  refuseBool(mass, ".volume");
  m.def("_box_mesh", &boxArrays, py::arg("half_extents"));
  m.def(
      "_sphere_mesh",
      [](double radius, int subdivisions) { return arraysOf(sphereMesh(radius, subdivisions)); },
      py::arg("radius"), py::arg("subdivisions"));
  m.def(
      "_capsule_mesh",
      [](double radius, double halfHeight, int segments) {
        return arraysOf(capsuleMesh(radius, halfHeight, segments));
      },
      py::arg("radius"), py::arg("half_height"), py::arg("segments"));
  m.def(
      "_cylinder_mesh",
      [](double radius, double halfHeight, int segments) {
        return arraysOf(cylinderMesh(radius, halfHeight, segments));
      },
      py::arg("radius"), py::arg("half_height"), py::arg("segments"));
  m.def("_convex_hull_mesh", &hullArrays, py::arg("points"));
}

}  // namespace nearmiss::python
