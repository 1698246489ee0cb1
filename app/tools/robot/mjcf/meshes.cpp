// SPDX-License-Identifier: MIT
#include "tools/robot/mjcf/meshes.h"

#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <tinyxml2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

using tinyxml2::XMLElement;

namespace {

constexpr std::size_t anyNumber = std::numeric_limits<std::size_t>::max();

}  // namespace

MjcfMeshes::MjcfMeshes(MjcfSource& source, const MjcfDefaults& defaults,
                       const MjcfCompiler& compiler)
    : source_(source), defaults_(defaults), compiler_(compiler) {
  for (const XMLElement* assets : source.sections("asset"))
    for (const XMLElement* mesh = assets->FirstChildElement("mesh"); mesh;
         mesh = mesh->NextSiblingElement("mesh")) {
      const char* name = mesh->Attribute("name");
      const char* file = mesh->Attribute("file");
      if (!name && !file) {
        source.fail(*mesh, "<mesh> has neither name nor file");
        continue;
      }
      const std::string known = name ? name : std::filesystem::path(file).stem().string();
      if (!meshes_.emplace(known, mesh).second)
        source.fail(*mesh, fmt::format("the mesh \"{}\" is there twice", known));
    }
}

void MjcfMeshes::read(const std::string& name, const XMLElement& geom, LinkShape& shape) {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    source_.fail(geom, fmt::format("no asset is the mesh \"{}\"", name));
    return;
  }
  const XMLElement& mesh = *found->second;
  if (!defaults_.knows(defaults_.classOf(mesh)))
    source_.fail(mesh, fmt::format("there is no default class \"{}\"", defaults_.classOf(mesh)));
  shape.kind = LinkShapeKind::Mesh;
  shape.scale = mjcfVector(source_, mesh, "scale", defaults_.text(mesh, "scale"), Vec3(1.0));
  if (shape.scale.x * shape.scale.y * shape.scale.z == 0.0)
    source_.fail(mesh, "the scale of <mesh> is 0");
  shape.originAt = mjcfVector(source_, mesh, "refpos", mesh.Attribute("refpos"), Vec3(0.0));
  shape.originTurn = mjcfQuaternion(source_, mesh, "refquat", mesh.Attribute("refquat"));
  if (const char* file = mesh.Attribute("file"))
    readFile(mesh, file, shape);
  else
    readVertices(mesh, shape);
}

void MjcfMeshes::readFile(const XMLElement& mesh, const std::string& named, LinkShape& shape) {
  if (mesh.Attribute("vertex")) {
    source_.fail(mesh, "<mesh> has both file and vertex");
    return;
  }
  std::filesystem::path file = named;
  if (compiler_.stripsPaths) file = file.filename();
  // operator/ keeps absolute paths
  file = source_.file().parent_path() / compiler_.meshFolder / file;
  if (file.extension() == ".msh" || file.extension() == ".MSH")
    source_.fail(mesh,
                 fmt::format("the mesh \"{}\" is MSH, which is not read; STL and OBJ are", named),
                 ErrorCode::Unsupported);
  else if (!isFileThere(file))
    source_.fail(
        mesh,
        fmt::format("names the mesh \"{}\", and there is no file \"{}\"", named, file.string()),
        ErrorCode::NotFound);
  shape.file = std::move(file);
}

void MjcfMeshes::readVertices(const XMLElement& mesh, LinkShape& shape) {
  const auto [made, isNew] = made_.try_emplace(&mesh);
  if (isNew) makeMesh(mesh, made->second);
  shape.mesh = made->second.mesh;
  shape.remark = made->second.remark;
}

void MjcfMeshes::makeMesh(const XMLElement& mesh, LinkShape& shape) {
  const char* vertex = mesh.Attribute("vertex");
  const char* face = mesh.Attribute("face");
  if (!vertex) {
    source_.fail(mesh, "<mesh> has neither file nor vertex", ErrorCode::Unsupported);
    return;
  }
  const auto coordinates = source_.numbers(mesh, "vertex", vertex, 0, anyNumber);
  if (!coordinates) return;
  auto made = std::make_shared<TriangleMesh>();
  if (coordinates->size() % 3 != 0) {
    source_.fail(mesh, "vertex of <mesh> does not hold three numbers each");
    return;
  }
  for (std::size_t i = 0; i < coordinates->size(); i += 3)
    made->positions.emplace_back((*coordinates)[i], (*coordinates)[i + 1], (*coordinates)[i + 2]);
  if (face ? !readFaces(mesh, face, *made) : !makeHull(mesh, *made)) return;
  if (const auto cleaned = cleanMesh(*made, 0.0); !cleaned)
    source_.fail(mesh, cleaned.error().message, cleaned.error().code);
  else if (made->triangles.empty())
    source_.fail(mesh, "no triangle of <mesh> has an area", ErrorCode::EmptyMesh);
  else if (cleaned->facedInwards)
    shape.remark =
        fmt::format("\"{}\", line {}: <mesh> faces inwards: what it encloses is taken as the solid",
                    source_.file().string(), mesh.GetLineNum());
  shape.mesh = std::move(made);
}

bool MjcfMeshes::readFaces(const XMLElement& mesh, const char* face, TriangleMesh& made) {
  const auto corners = source_.numbers(mesh, "face", face, 0, anyNumber);
  if (!corners) return false;
  if (corners->size() % 3 != 0) {
    source_.fail(mesh, "face of <mesh> does not hold three numbers each");
    return false;
  }
  for (std::size_t i = 0; i < corners->size(); i += 3) {
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Real index = (*corners)[i + k];
      if (index < 0.0 || index >= static_cast<Real>(made.positions.size()) ||
          index != static_cast<Real>(static_cast<std::uint32_t>(index))) {
        source_.fail(mesh, fmt::format("a face of <mesh> names the vertex {}, of {}", index,
                                       made.positions.size()));
        return false;
      }
      triangle[k] = static_cast<std::uint32_t>(index);
    }
    made.triangles.push_back(triangle);
  }
  return true;
}

/// A mesh with vertices only stands for their convex hull, as in MuJoCo.
bool MjcfMeshes::makeHull(const XMLElement& mesh, TriangleMesh& made) {
  auto hull = convexHullMesh(made.positions);
  if (hull)
    made = *std::move(hull);
  else
    source_.fail(mesh, hull.error().message, hull.error().code);
  return hull.has_value();
}

}  // namespace nearmiss::app::robot
