// SPDX-License-Identifier: MIT
#include "lab/link_models.h"

#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "robot/primitive_meshes.h"

namespace nearmiss::app {
namespace {

void appendAt(const TriangleMesh& part, const Vec3& at, const Quat& turn, TriangleMesh& whole) {
  appendMoved(
      part, [&](const Vec3& p) { return turn * p + at; }, whole);
}

void appendBox(const Vec3& low, const Vec3& high, TriangleMesh& whole) {
  appendAt(boxMesh(0.5 * (high - low)), 0.5 * (low + high), Quat(1.0, 0.0, 0.0, 0.0), whole);
}

/// Three capsules, each thinner than the one before it.
TriangleMesh forearm() {
  TriangleMesh mesh;
  const Quat none(1.0, 0.0, 0.0, 0.0);
  appendAt(capsuleMesh(0.24, 0.5), Vec3(0.0, 0.0, -0.6), none, mesh);
  appendAt(capsuleMesh(0.18, 0.6), Vec3(0.06, 0.0, 0.0), glm::angleAxis(0.2, Vec3(0.0, 1.0, 0.0)),
           mesh);
  appendAt(capsuleMesh(0.14, 0.4), Vec3(0.16, 0.0, 0.6), none, mesh);
  return mesh;
}

/// An L of sheet metal.
TriangleMesh bracket() {
  TriangleMesh mesh;
  appendBox(Vec3(-0.6, -0.3, -0.05), Vec3(0.6, 0.3, 0.05), mesh);
  appendBox(Vec3(0.5, -0.3, -0.04), Vec3(0.6, 0.3, 0.9), mesh);
  return mesh;
}

TriangleMesh gripper() {
  TriangleMesh mesh;
  appendBox(Vec3(-0.5, -0.2, -0.5), Vec3(0.5, 0.2, 0.0), mesh);
  appendBox(Vec3(-0.45, -0.1, -0.05), Vec3(-0.3, 0.1, 0.7), mesh);
  appendBox(Vec3(0.3, -0.1, -0.05), Vec3(0.45, 0.1, 0.7), mesh);
  return mesh;
}

/// A foot, a column and a turntable.
TriangleMesh base() {
  TriangleMesh mesh;
  const Quat none(1.0, 0.0, 0.0, 0.0);
  appendBox(Vec3(-0.7, -0.7, -0.5), Vec3(0.7, 0.7, -0.35), mesh);
  appendAt(cylinderMesh(0.4, 0.7), Vec3(0.0, 0.0, -0.05), none, mesh);
  appendAt(cylinderMesh(0.55, 0.2), Vec3(0.0, 0.0, 0.3), none, mesh);
  return mesh;
}

}  // namespace

std::vector<LabModel> makeLinkModels() {
  std::vector<LabModel> models;
  for (LabModel& model : makeLabModels())
    if (model.kind == "link" || model.name == "bowl") models.push_back(std::move(model));
  models.push_back({"forearm", "link", forearm()});
  models.push_back({"bracket", "link", bracket()});
  models.push_back({"gripper", "link", gripper()});
  models.push_back({"base", "link", base()});
  return models;
}

}  // namespace nearmiss::app
