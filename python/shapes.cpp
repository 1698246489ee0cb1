// SPDX-License-Identifier: MIT
#include "shapes.h"

#include <engine/model/model_loader.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "heard_work.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

TreeQuality qualityOf(const std::string& name) {
  if (name == "fast") return TreeQuality::Fast;
  if (name == "tight") return TreeQuality::Tight;
  if (name == "none") return TreeQuality::None;
  throw Failure("quality must be \"fast\", \"tight\" or \"none\", not \"" + name + "\"");
}

ShapeSettings settingsOf(double weld, const std::string& quality,
                         const std::optional<std::string>& builder, int levels, int branching,
                         std::size_t maxSpheres, std::optional<double> boxes,
                         std::optional<std::size_t> inner, bool bsp, int workers) {
  ShapeSettings settings;
  settings.weldDistance = weld;
  settings.quality = qualityOf(quality);
  if (builder) {
    settings.treeBuilder = *builder;
    settings.otherBuilder = findSphereTreeBuilder(*builder);
    if (builder->empty()) settings.quality = TreeQuality::None;
  }
  const bool usual = !builder || *builder == defaultSphereTreeBuilder;
  settings.tree.levels = levels;
  settings.tree.variational.branching = settings.tree.dag.branching =
      settings.tree.medial.branching = settings.tree.anchored.branching = branching;
  settings.tree.variational.maxSpheres = settings.tree.dag.maxSpheres = maxSpheres;
  // If neither is given, use the defaults for the builder and the mesh
  settings.usualAdditions = !boxes && !inner;
  if (!settings.usualAdditions) {
    settings.tree.nodeBoxRatio = boxes.value_or(usual ? usualNodeBoxRatio : 0.0);
    settings.tree.innerSpheres = inner.value_or(usual ? usualInnerSpheres : 0);
  }
  settings.tree.workers = workers;
  settings.bspTree = bsp;
  return settings;
}

/// Reads a mesh of another library: trimesh, Open3D's tensor meshes, or any object with these
/// attributes.
TriangleMesh meshOfObject(const py::object& mesh) {
  const std::string name = py::str(py::type::of(mesh).attr("__name__"));
  if (!py::hasattr(mesh, "vertices") || !py::hasattr(mesh, "faces")) {
    const char* hint = "";
    if (py::hasattr(mesh, "graph"))
      hint = ". For a scene, use nearmiss.trimesh.scene_to_collision(), or join its meshes first";
    else if (py::isinstance<py::str>(mesh) || py::hasattr(mesh, "__fspath__"))
      hint = ". To read a file, use Shape.load()";
    throw py::type_error("Shape() needs vertices and faces, or one mesh that has both, not " +
                         name + " alone" + hint);
  }
  return meshOf(numbersOf(mesh.attr("vertices"), "vertices"), wholeNumbers(mesh.attr("faces")));
}

const SphereTree& treeOf(const Shape& shape) {
  if (!shape.sphereTree()) throw Failure("the shape was made without a sphere tree");
  return *shape.sphereTree();
}

}  // namespace

Vertices numbersOf(const py::object& given, const char* name) {
  py::detail::make_caster<Vertices> numbers;
  if (!numbers.load(given, true)) {
    const std::string type = py::str(py::type::of(given).attr("__name__"));
    throw py::type_error(std::string(name) + " must be an array of numbers, not " + type);
  }
  return py::detail::cast_op<Vertices>(std::move(numbers));
}

std::string shapeOf(const py::array& array) { return py::str(array.attr("shape")); }

Faces wholeNumbers(const py::object& given) {
  const py::array any = py::array::ensure(given);
  if (!any) throw Failure("faces must be an array of three columns");
  const char kind = any.dtype().kind();
  const bool fits = kind == 'i' || (kind == 'u' && any.itemsize() < 8);
  if (!fits && any.size() > 0) {
    constexpr const char* refusal = "faces must be whole numbers below 2^53";
    if (kind != 'u' && kind != 'f' && kind != 'O') throw Failure(refusal);
    const Vertices numbers(any);
    const double* const first = numbers.data();
    if (!std::all_of(first, first + numbers.size(),
                     [](double x) { return std::trunc(x) == x && std::abs(x) < 0x1p53; }))
      throw Failure(refusal);
  }
  return Faces(any);
}

TriangleMesh meshOf(const Vertices& vertices, const Faces& faces) {
  TriangleMesh mesh;
  mesh.positions = positionsOf(vertices);
  if (faces.ndim() != 2 || faces.shape(1) != 3)
    throw Failure("faces must be an array of three columns, not one of shape " + shapeOf(faces));
  const auto f = faces.unchecked<2>();
  for (py::ssize_t i = 0; i < f.shape(0); ++i) {
    auto& corners = mesh.triangles.emplace_back();
    for (py::ssize_t k = 0; k < 3; ++k) {
      // Read once, because another thread may write it
      const std::int64_t vertex = f(i, k);
      if (vertex < 0 || vertex >= vertices.shape(0))
        throw Failure("face " + std::to_string(i) + " names vertex " + std::to_string(vertex) +
                      ", but must name one of " + std::to_string(vertices.shape(0)));
      corners[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(vertex);
    }
  }
  return mesh;
}

std::vector<Vec3> positionsOf(const Vertices& vertices) {
  if (vertices.ndim() != 2 || vertices.shape(1) != 3)
    throw Failure("vertices must be an array of three columns, not one of shape " +
                  shapeOf(vertices));
  if (vertices.shape(0) > std::numeric_limits<std::uint32_t>::max())
    throw Failure("there are too many vertices");
  std::vector<Vec3> positions;
  const auto v = vertices.unchecked<2>();
  for (py::ssize_t i = 0; i < v.shape(0); ++i) positions.push_back({v(i, 0), v(i, 1), v(i, 2)});
  return positions;
}

py::str textOf(std::string_view words) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(words.data(), static_cast<Py_ssize_t>(words.size()), "backslashreplace");
  if (!text) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

void warn(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences)
    if (PyErr_WarnFormat(PyExc_UserWarning, 1, "%U", textOf(sentence).ptr()) != 0)
      throw py::error_already_set();
}

Shape shapeFromArrays(const py::object& vertices, const py::object& faces, double weld,
                      const std::string& quality, const std::optional<std::string>& builder,
                      int levels, int branching, std::size_t maxSpheres,
                      std::optional<double> boxes, std::optional<std::size_t> inner, bool bsp,
                      int workers, const Progress& progress) {
  const ShapeSettings settings =
      settingsOf(weld, quality, builder, levels, branching, maxSpheres, boxes, inner, bsp, workers);
  TriangleMesh mesh = faces.is_none()
                          ? meshOfObject(vertices)
                          : meshOf(numbersOf(vertices, "vertices"), wholeNumbers(faces));
  BuildProgress own;
  return heard<Shape>(own, progress, [&] { return makeShape(std::move(mesh), settings, &own); });
}

Shape shapeFromFile(const std::filesystem::path& file, double radius, const std::string& quality,
                    const std::optional<std::string>& builder, int levels, int branching,
                    std::size_t maxSpheres, std::optional<double> boxes,
                    std::optional<std::size_t> inner, bool bsp, int workers,
                    const Progress& progress) {
  if (!(radius >= 0.0 && std::isfinite(radius)))
    throw Failure("the radius must be 0 or more, and finite");
  const ShapeSettings settings =
      settingsOf(0.0, quality, builder, levels, branching, maxSpheres, boxes, inner, bsp, workers);
  engine::LoadOptions options;
  options.targetRadius = radius;
  BuildProgress own;
  std::vector<std::string> warnings;
  Shape shape = heard<Shape>(own, progress, [&]() -> Result<Shape> {
    auto model = engine::loadModel(file, options, own.cancelled);
    if (!model) return model.error();
    warnings = std::move(model->warnings);
    ShapeSettings made = settings;
    made.cleaned = model->cleaning;
    return makeShape(std::move(model->mesh), made, &own);
  });
  warn(warnings);
  return shape;
}

Shape tightenedShape(const Shape& shape, int workers, const Progress& progress) {
  SphereTreeSettings tree;
  tree.workers = workers;
  BuildProgress own;
  return heard<Shape>(own, progress, [&] { return shape.tightened(tree, &own); });
}

Shape shapeFromOwnFile(const std::filesystem::path& file) {
  BuildProgress own;
  return heard<Shape>(own, {}, [&] { return readShape(file, &own.cancelled); });
}

void saveShape(const Shape& shape, const std::filesystem::path& file) {
  const Unlocked unlocked;
  valueOf(writeShape(file, shape));
}

Shape scaledShape(const Shape& shape, double factor) {
  // Copy, because another thread may release the shape meanwhile
  BuildProgress own;
  return heard<Shape>(own, {},
                      [shape, factor, &own] { return scaled(shape, factor, &own.cancelled); });
}

Refit refittedShape(const Shape& shape, const Vertices& vertices) {
  const std::vector<Vec3> positions = positionsOf(vertices);
  BuildProgress own;
  return heard<Refit>(own, {}, [shape, &positions] { return refit(shape, positions); });
}

py::bytes bytesOfShape(const Shape& shape) {
  const std::vector<std::byte> bytes = valueOf(bytesOf(shape));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Shape shapeFromPickle(const py::bytes& state) {
  const std::string_view bytes = state;
  BuildProgress own;
  return heard<Shape>(own, {}, [bytes, &own] {
    return shapeFromBytes(std::as_bytes(std::span(bytes)), &own.cancelled);
  });
}

py::array_t<double> verticesOf(const TriangleMesh& mesh) {
  const auto& positions = mesh.positions;
  py::array_t<double> array({static_cast<py::ssize_t>(positions.size()), py::ssize_t{3}});
  auto out = array.mutable_unchecked<2>();
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k) out(static_cast<py::ssize_t>(i), k) = positions[i][k];
  return array;
}

py::array_t<std::uint32_t> facesOf(const TriangleMesh& mesh) {
  const auto& triangles = mesh.triangles;
  py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}});
  auto out = array.mutable_unchecked<2>();
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      out(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k)) = triangles[i][k];
  return array;
}

int levelsOf(const Shape& shape) { return treeOf(shape).levelCount() - 1; }

py::dict reportOf(const Shape& shape) {
  return dictOf(shape.cleaning(), shape.polyhedron().report());
}

py::dict dictOf(const MeshCleaning& cleaning, const MeshReport& report) {
  py::dict out;
  out["welded_vertices"] = cleaning.weldedVertices;
  out["unused_vertices"] = cleaning.unusedVertices;
  out["degenerate_triangles"] = cleaning.degenerateTriangles;
  out["duplicate_triangles"] = cleaning.duplicateTriangles;
  out["turned_triangles"] = cleaning.turnedTriangles;
  out["faced_inwards"] = cleaning.facedInwards;
  out["boundary_edges"] = report.boundaryEdges;
  out["non_manifold_edges"] = report.nonManifoldEdges;
  out["misoriented_edges"] = report.misorientedEdges;
  out["self_intersections"] = report.selfIntersections;
  out["components"] = report.components;
  out["misoriented_components"] = report.misorientedComponents;
  out["volume"] = report.volume;
  return out;
}

py::array_t<double> spheresOf(const Shape& shape, int level) {
  const SphereTree& tree = treeOf(shape);
  const int wanted = level < 0 ? tree.levelCount() + level : level;
  if (wanted < 0 || wanted >= tree.levelCount())
    throw py::index_error("the tree has levels 0 to " + std::to_string(tree.levelCount() - 1));
  std::vector<SphereId> ids;
  tree.spheresOf(wanted, ids);
  py::array_t<double> array({static_cast<py::ssize_t>(ids.size()), py::ssize_t{4}});
  auto out = array.mutable_unchecked<2>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Sphere ball = tree.sphere(ids[i]);
    const auto row = static_cast<py::ssize_t>(i);
    for (int k = 0; k < 3; ++k) out(row, k) = ball.centre[k];
    out(row, 3) = ball.radius;
  }
  return array;
}

SphereTreeCertificate certificateOf(const Shape& shape, const Progress& progress) {
  static_cast<void>(treeOf(shape));
  BuildProgress own;
  // Copy, because another thread may release the shape meanwhile
  return heard<SphereTreeCertificate>(own, progress, [shape, &own] {
    return checkSphereTree(*shape.sphereTree(), shape.polyhedron(), own);
  });
}

void saveTree(const Shape& shape, const std::filesystem::path& file) {
  SphereTreeFile contents;
  contents.key.meshHash = shape.polyhedron().hash();
  contents.key.settingsHash = shape.treeOrigin().settingsHash;
  contents.builder = shape.treeOrigin().builder;
  contents.triangleCount = static_cast<std::uint32_t>(shape.polyhedron().mesh().triangles.size());
  contents.tree = treeOf(shape);
  valueOf(writeSphereTree(file, contents));
}

std::vector<std::string> builderNames() {
  std::vector<std::string> names;
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    names.emplace_back(entry.name);
  return names;
}

}  // namespace nearmiss::python
