// SPDX-License-Identifier: MIT
#include "mesh_faults.h"

#include <nearmiss/pair.h>
#include <pybind11/stl.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "heard_clock.h"
#include "heard_work.h"
#include "plain_data.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

using Numbers = py::array_t<std::uint32_t>;

Numbers rowsOf(const std::vector<std::array<std::uint32_t, 2>>& pairs) {
  Numbers rows({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  if (!pairs.empty())
    std::memcpy(rows.mutable_data(), pairs.data(), pairs.size() * sizeof(pairs[0]));
  return rows;
}

Numbers rowsOf(const std::vector<MeshFaults::Edge>& edges) {
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const MeshFaults::Edge& edge : edges) pairs.push_back(edge.vertices);
  return rowsOf(pairs);
}

Numbers columnOf(const std::vector<std::uint32_t>& numbers) {
  return Numbers(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

MeshFaults checkArrays(const Vertices& vertices, const py::object& faces, double weld,
                       bool selfIntersections, int workers) {
  TriangleMesh mesh = meshOf(vertices, wholeNumbers(faces));
  const MeshCheckSettings settings{selfIntersections, workers, weld};
  BuildProgress own;
  return heard<MeshFaults>(own, {}, [&] { return findMeshFaults(mesh, settings, &own.cancelled); });
}

}  // namespace

py::array_t<std::uint32_t> selfContactsOf(const Shape& shape) {
  SelfContactQuery query;
  HeardClock clock;
  {
    const Unlocked unlocked;
    query.begin(shape);
    static_cast<void>(query.refine(clock.budget(std::nullopt)));
  }
  clock.raiseUnless(!query.known().canRefine);
  return rowsOf(query.known().pairs);
}

void declareMeshFaults(py::module_& m) {
  const auto edges = [](const auto member) {
    return [member](const MeshFaults& faults) { return rowsOf(faults.*member); };
  };
  const auto numbers = [](const auto member) {
    return [member](const MeshFaults& faults) { return columnOf(faults.*member); };
  };
  py::class_<MeshFaults> declared(
      m, "MeshFaults",
      "The faults of a mesh, with the numbers of its faces and vertices. Has no truth value: use "
      "`solid`.");
  declared
      .def_property_readonly(
          "solid", [](const MeshFaults& faults) { return faults.report.solid(); },
          "True if the mesh is a solid.")
      .def_property_readonly(
          "reasons", [](const MeshFaults& faults) { return solidFaults(faults.report); },
          "Why the mesh is not a solid: a list with one phrase for each reason.")
      .def_property_readonly(
          "self_intersections", edges(&MeshFaults::selfIntersections),
          "Pairs of faces that intersect away from shared vertices and edges: an "
          "array (n, 2), at most a million rows.")
      .def_property_readonly("boundary_edges", edges(&MeshFaults::boundaryEdges),
                             "Edges of one face: an array (n, 2) of vertices.")
      .def_property_readonly("non_manifold_edges", edges(&MeshFaults::nonManifoldEdges),
                             "Edges of three faces or more: an array (n, 2) of vertices.")
      .def_property_readonly("misoriented_edges", edges(&MeshFaults::misorientedEdges),
                             "Edges that two faces traverse in the same direction: an array (n, 2) "
                             "of vertices.")
      .def_property_readonly("non_manifold_vertices", numbers(&MeshFaults::nonManifoldVertices),
                             "Vertices whose faces form more than one fan: an array (n).")
      .def_property_readonly("degenerate_faces", numbers(&MeshFaults::degenerateTriangles),
                             "Faces without area once vertices are welded: an array (n). All other "
                             "lists ignore them.")
      .def_property_readonly("duplicate_faces", numbers(&MeshFaults::duplicateTriangles),
                             "Faces equal to an earlier one: an array (n). All other lists ignore "
                             "them.")
      .def(
          "report", [](const MeshFaults& faults) { return dictOf(faults.cleaning, faults.report); },
          "Returns the counts as Shape.report() does.");
  declarePlain(declared, [](const MeshFaults& faults) {
    std::string words = "solid=" + brief(faults.report.solid());
    for (const std::string& reason : solidFaults(faults.report)) words += ", " + reason;
    return words;
  });
  refuseBool(declared, ".solid or .reasons");
  m.def("check_mesh", &checkArrays, py::arg("vertices"), py::arg("faces"), py::kw_only(),
        py::arg("weld") = 0.0, py::arg("self_intersections") = true, py::arg("workers") = 1,
        R"(Lists the faults that keep a mesh from being a solid. Returns MeshFaults.

`vertices` is an array (n, 3) [m], `faces` an array (m, 3) of vertex numbers. Vertices at equal
positions, or up to `weld` metres apart, count as one. `workers` is the number of threads.

>>> nearmiss.check_mesh(cube.vertices, cube.faces[1:])
MeshFaults(solid=False, not closed (3 boundary edges))
)");
}

}  // namespace nearmiss::python
