// SPDX-License-Identifier: MIT
#include "robots.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <tinyxml2.h>

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "collisions.h"
#include "robot/link_mesh.h"
#include "robot/robot_file.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

using app::robot::LinkMesh;
using app::robot::LinkShape;
using app::robot::LinkShapeKind;
using app::robot::RobotFile;
using app::robot::RobotFormat;
using app::robot::RobotLink;

/// Meshes of files, so that parts alike share theirs.
using MeshKey = std::tuple<std::string, Real, Real, Real>;

/// The mesh of a shape in its own frame, as vertices and faces.
py::tuple meshOf(LinkShape shape) {
  shape.at = Vec3(0.0);
  shape.turn = Quat(1.0, 0.0, 0.0, 0.0);
  LinkMesh own;
  valueOf(addShape(shape, own));
  return py::make_tuple(verticesOf(own.mesh), facesOf(own.mesh));
}

/// Its links by name, meshes, and for each part of a link its mesh and pose.
py::dict readLinks(const std::filesystem::path& file,
                   const std::vector<std::filesystem::path>& packages, bool visual) {
  const RobotFile robot = valueOf(app::robot::readRobot(file, {visual, packages}));
  if (robot.format != RobotFormat::Urdf)
    throw Failure("\"" + file.string() + "\" is no URDF, of which alone joints are read");
  py::list links, meshes, parts;
  std::map<MeshKey, std::size_t> known;
  for (const RobotLink& link : robot.links) {
    links.append(textOf(link.name));
    for (const LinkShape& shape : link.shapes) {
      std::size_t mesh = meshes.size();
      if (shape.kind == LinkShapeKind::Mesh) {
        const MeshKey key(shape.file.string(), shape.scale.x, shape.scale.y, shape.scale.z);
        mesh = known.try_emplace(key, mesh).first->second;
      }
      if (mesh == meshes.size()) meshes.append(meshOf(shape));
      parts.append(py::make_tuple(textOf(link.name), mesh, matrixOf({shape.at, shape.turn})));
    }
  }
  py::dict out;
  out["name"] = textOf(robot.name);
  out["links"] = links;
  out["meshes"] = meshes;
  out["parts"] = parts;
  return out;
}

}  // namespace

void declareRobots(py::module_& m) {
  m.def("_read_robot", &readLinks, py::arg("file"), py::arg("packages"), py::arg("visual"));
}

}  // namespace nearmiss::python
