// SPDX-License-Identifier: MIT
#include "robots.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <tinyxml2.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collisions.h"
#include "heard_work.h"
#include "tools/robot/link_mesh.h"
#include "tools/robot/robot_file.h"

namespace py = pybind11;

namespace nearmiss::python {
namespace {

using app::robot::LinkMesh;
using app::robot::LinkShape;
using app::robot::LinkShapeKind;
using app::robot::RobotFile;
using app::robot::RobotFormat;
using app::robot::RobotLink;

/// Key of a mesh file, so that equal parts share one mesh.
using MeshKey = std::tuple<std::string, Real, Real, Real>;

struct RobotPart {
  std::size_t link = 0, mesh = 0;
  Pose pose;
};

/// The links of a robot, their meshes, and warnings about it.
struct RobotMeshes {
  std::string name;
  std::vector<std::string> links;
  std::vector<TriangleMesh> meshes;
  std::vector<RobotPart> parts;
  std::vector<std::string> warnings;

  /// Adds the mesh of a shape in its own frame.
  Result<Success> add(LinkShape shape, const std::atomic<bool>& cancelled) {
    shape.at = Vec3(0.0);
    shape.turn = Quat(1.0, 0.0, 0.0, 0.0);
    LinkMesh own;
    if (const auto added = addShape(shape, own, &cancelled); !added) return added.error();
    // Restore the winding of the file, so that the shape records the repair
    if (own.facedInwards)
      for (auto& triangle : own.mesh.triangles) std::swap(triangle[1], triangle[2]);
    meshes.push_back(std::move(own.mesh));
    warnings.insert(warnings.end(), own.warnings.begin(), own.warnings.end());
    return Success{};
  }
};

Result<RobotMeshes> meshesOf(const std::filesystem::path& file,
                             const app::robot::RobotReading& reading,
                             const std::atomic<bool>& cancelled) {
  const auto robot = app::robot::readRobot(file, reading);
  if (!robot) return robot.error();
  if (robot->format != RobotFormat::Urdf)
    return Error{ErrorCode::Unsupported,
                 "\"" + file.string() + "\" is no URDF, of which alone joints are read"};
  RobotMeshes out;
  out.name = robot->name;
  out.warnings = robot->remarks;
  std::map<MeshKey, std::size_t> known;
  for (const RobotLink& link : robot->links) {
    for (const LinkShape& shape : link.shapes) {
      std::size_t mesh = out.meshes.size();
      if (shape.kind == LinkShapeKind::Mesh) {
        const MeshKey key(shape.file.string(), shape.scale.x, shape.scale.y, shape.scale.z);
        mesh = known.try_emplace(key, mesh).first->second;
      }
      if (mesh == out.meshes.size())
        if (const auto added = out.add(shape, cancelled); !added) return added.error();
      out.parts.push_back({out.links.size(), mesh, {shape.at, shape.turn}});
    }
    out.links.push_back(link.name);
  }
  return out;
}

/// Returns links by name, meshes, and for each part of a link its mesh and pose.
py::dict readLinks(const std::filesystem::path& file,
                   const std::vector<std::filesystem::path>& packages, bool visual) {
  BuildProgress own;
  const auto robot = heard<RobotMeshes>(own, {}, [&] {
    return meshesOf(file, {visual, packages}, own.cancelled);
  });
  warn(robot.warnings);
  py::list links, meshes, parts;
  for (const std::string& link : robot.links) links.append(textOf(link));
  for (const TriangleMesh& mesh : robot.meshes)
    meshes.append(py::make_tuple(verticesOf(mesh), facesOf(mesh)));
  for (const RobotPart& part : robot.parts)
    parts.append(py::make_tuple(links[part.link], part.mesh, matrixOf(part.pose)));
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
