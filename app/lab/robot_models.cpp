// SPDX-License-Identifier: MIT
#include "lab/models.h"

#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "lab/grid_surface.h"
#include "tools/robot/primitives.h"

namespace nearmiss::app::lab {
namespace {

void append(TriangleMesh& whole, const TriangleMesh& part) {
  const auto first = static_cast<std::uint32_t>(whole.positions.size());
  whole.positions.insert(whole.positions.end(), part.positions.begin(), part.positions.end());
  for (const auto& t : part.triangles)
    whole.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

/// A palm and two inward jaws cut from one plate: a solid with few large triangles.
TriangleMesh gripper() {
  constexpr std::uint32_t corners = 14;
  constexpr std::array<std::array<Real, 2>, corners> outline{{{-0.70, -0.60},
                                                              {0.70, -0.60},
                                                              {0.70, -0.10},
                                                              {0.65, 0.70},
                                                              {0.20, 0.70},
                                                              {0.20, 0.50},
                                                              {0.42, 0.50},
                                                              {0.40, -0.05},
                                                              {-0.40, -0.05},
                                                              {-0.42, 0.50},
                                                              {-0.20, 0.50},
                                                              {-0.20, 0.70},
                                                              {-0.65, 0.70},
                                                              {-0.70, -0.10}}};
  constexpr std::array<std::array<std::uint32_t, 3>, corners - 2> face{{{0, 1, 2},
                                                                        {0, 2, 7},
                                                                        {0, 7, 8},
                                                                        {0, 8, 13},
                                                                        {2, 3, 6},
                                                                        {2, 6, 7},
                                                                        {3, 4, 5},
                                                                        {3, 5, 6},
                                                                        {13, 8, 9},
                                                                        {13, 9, 12},
                                                                        {12, 9, 10},
                                                                        {12, 10, 11}}};
  TriangleMesh mesh;
  for (const Real y : {-0.3, 0.3})
    for (const auto& corner : outline) mesh.positions.push_back({corner[0], y, corner[1]});
  for (const auto& t : face) {
    mesh.triangles.push_back({t[0], t[1], t[2]});
    mesh.triangles.push_back({corners + t[0], corners + t[2], corners + t[1]});
  }
  for (std::uint32_t i = 0; i < corners; ++i) {
    const std::uint32_t next = (i + 1) % corners;
    mesh.triangles.push_back({i, corners + i, corners + next});
    mesh.triangles.push_back({i, corners + next, next});
  }
  return mesh;
}

/// An oval link with a housing at each end, one solid with long triangles.
TriangleMesh forearm() {
  constexpr std::array<std::array<Real, 3>, 9> rings{{{-0.95, 0.30, 0.26},
                                                      {-0.55, 0.32, 0.28},
                                                      {-0.52, 0.24, 0.20},
                                                      {-0.10, 0.22, 0.17},
                                                      {0.45, 0.16, 0.12},
                                                      {0.60, 0.15, 0.11},
                                                      {0.62, 0.21, 0.19},
                                                      {0.90, 0.21, 0.19},
                                                      {0.94, 0.17, 0.15}}};
  return surface(8, Edge::Capped, 48, Edge::Joined, [&](Real v, Real u) {
    const auto& ring = rings[static_cast<std::size_t>(std::lround(8.0 * v))];
    return Vec3(ring[1] * std::cos(turn * u), ring[2] * std::sin(turn * u), ring[0]);
  });
}

/// A wide flange, a drum, a neck and a head: thick, with long thin triangles.
TriangleMesh base() {
  constexpr std::array<std::array<Real, 2>, 10> rings{{{-0.60, 0.85},
                                                       {-0.50, 0.85},
                                                       {-0.48, 0.60},
                                                       {-0.10, 0.55},
                                                       {0.00, 0.45},
                                                       {0.10, 0.45},
                                                       {0.15, 0.60},
                                                       {0.40, 0.60},
                                                       {0.55, 0.45},
                                                       {0.60, 0.25}}};
  const auto ringAt = [&](Real v) { return rings[static_cast<std::size_t>(std::lround(9.0 * v))]; };
  return lathed(
      9, 64, [&](Real v, Real) { return ringAt(v)[1]; }, [&](Real v) { return ringAt(v)[0]; });
}

/// A whole arm of shells that are open at their joints, and plates for fingers.
TriangleMesh openRobot() {
  TriangleMesh mesh;
  const auto tube = [&](const Vec3& from, const Vec3& to, Real thick, Real thin,
                        std::uint32_t rows) {
    const Vec3 along = glm::normalize(to - from);
    const Vec3 side = glm::normalize(glm::cross(along, Vec3(0.3, 1.0, 0.2)));
    const Vec3 over = glm::cross(along, side);
    append(mesh, surface(rows, Edge::Open, 32, Edge::Joined, [&](Real v, Real u) {
             const Real r = thick + (thin - thick) * v;
             return from + v * (to - from) +
                    r * (std::cos(turn * u) * side + std::sin(turn * u) * over);
           }));
  };
  const auto dome = [&](const Vec3& at, Real radius, Real share) {
    append(mesh, surface(12, Edge::Open, 32, Edge::Joined, [&](Real v, Real u) {
             const Real down = 0.05 + 0.5 * turn * share * v;
             return at + radius * Vec3(std::sin(down) * std::cos(turn * u),
                                       std::sin(down) * std::sin(turn * u), std::cos(down));
           }));
  };
  tube({0.0, 0.0, -0.9}, {0.0, 0.0, -0.45}, 0.4, 0.28, 10);
  dome({0.0, 0.0, -0.4}, 0.26, 0.7);
  tube({0.0, 0.0, -0.25}, {0.35, 0.0, 0.4}, 0.17, 0.13, 16);
  dome({0.38, 0.0, 0.45}, 0.17, 0.8);
  tube({0.3, 0.0, 0.5}, {-0.35, 0.1, 0.75}, 0.12, 0.08, 16);
  tube({-0.37, 0.1, 0.75}, {-0.45, 0.1, 0.72}, 0.1, 0.1, 2);
  for (const Real side : {-0.08, 0.08})
    append(mesh, surface(10, Edge::Open, 6, Edge::Open, [&](Real v, Real u) {
             return Vec3(-0.46 - 0.3 * v, 0.1 + side * (1.0 - 0.4 * v), 0.68 + 0.1 * u - 0.1 * v);
           }));
  return mesh;
}

void appendAt(const TriangleMesh& part, const Vec3& at, const Quat& turn, TriangleMesh& whole) {
  robot::appendMoved(
      part, [&](const Vec3& p) { return turn * p + at; }, whole);
}

void appendBox(const Vec3& low, const Vec3& high, TriangleMesh& whole) {
  appendAt(*boxMesh(0.5 * (high - low)), 0.5 * (low + high), Quat(1.0, 0.0, 0.0, 0.0), whole);
}

/// Three capsules of decreasing thickness.
TriangleMesh forearmLink() {
  TriangleMesh mesh;
  const Quat none(1.0, 0.0, 0.0, 0.0);
  appendAt(robot::capsuleAround(0.24, 0.5), Vec3(0.0, 0.0, -0.6), none, mesh);
  appendAt(robot::capsuleAround(0.18, 0.6), Vec3(0.06, 0.0, 0.0),
           glm::angleAxis(0.2, Vec3(0.0, 1.0, 0.0)), mesh);
  appendAt(robot::capsuleAround(0.14, 0.4), Vec3(0.16, 0.0, 0.6), none, mesh);
  return mesh;
}

/// An L of sheet metal.
TriangleMesh bracketLink() {
  TriangleMesh mesh;
  appendBox(Vec3(-0.6, -0.3, -0.05), Vec3(0.6, 0.3, 0.05), mesh);
  appendBox(Vec3(0.5, -0.3, -0.04), Vec3(0.6, 0.3, 0.9), mesh);
  return mesh;
}

TriangleMesh gripperLink() {
  TriangleMesh mesh;
  appendBox(Vec3(-0.5, -0.2, -0.5), Vec3(0.5, 0.2, 0.0), mesh);
  appendBox(Vec3(-0.45, -0.1, -0.05), Vec3(-0.3, 0.1, 0.7), mesh);
  appendBox(Vec3(0.3, -0.1, -0.05), Vec3(0.45, 0.1, 0.7), mesh);
  return mesh;
}

/// A foot, a column and a turntable.
TriangleMesh baseLink() {
  TriangleMesh mesh;
  const Quat none(1.0, 0.0, 0.0, 0.0);
  appendBox(Vec3(-0.7, -0.7, -0.5), Vec3(0.7, 0.7, -0.35), mesh);
  appendAt(*robot::cylinderAround(0.4, 0.7), Vec3(0.0, 0.0, -0.05), none, mesh);
  appendAt(*robot::cylinderAround(0.55, 0.2), Vec3(0.0, 0.0, 0.3), none, mesh);
  return mesh;
}

}  // namespace

std::vector<LabModel> makeRobotModels() {
  return {{"gripper", "robot", gripper()},
          {"forearm", "robot", forearm()},
          {"base", "robot", base()},
          {"arm shells", "robot", openRobot()}};
}

std::vector<LabModel> makeLinkModels() {
  std::vector<LabModel> models;
  for (LabModel& model : makeLabModels())
    if (model.kind == "link" || model.name == "bowl") models.push_back(std::move(model));
  models.push_back({"forearm", "link", forearmLink()});
  models.push_back({"bracket", "link", bracketLink()});
  models.push_back({"gripper", "link", gripperLink()});
  models.push_back({"base", "link", baseLink()});
  return models;
}

}  // namespace nearmiss::app::lab
