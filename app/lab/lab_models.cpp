// SPDX-License-Identifier: MIT
#include "lab/models.h"

#include <engine/model/model_loader.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <unordered_map>
#include <utility>

#include "console/complaint.h"
#include "lab/grid_surface.h"

namespace nearmiss::app::lab {
namespace {

/// A ring of a tube at position v of its curve: `along` is the tangent, `up` roughly perpendicular
/// to it.
Vec3 ringPoint(const Vec3& centre, const Vec3& along, const Vec3& up, Real wide, Real thick,
               Real u) {
  const Vec3 side = glm::normalize(glm::cross(along, up));
  const Vec3 over = glm::normalize(glm::cross(side, along));
  return centre + wide * std::cos(turn * u) * side - thick * std::sin(turn * u) * over;
}

/// Height on a unit ball, excluding the poles, so that no triangle is degenerate.
Real ballHeight(Real v) { return -std::cos(glm::pi<Real>() * (0.02 + 0.96 * v)); }
Real ballRadius(Real v) { return std::sin(glm::pi<Real>() * (0.02 + 0.96 * v)); }

Real bump(Real x, Real at, Real width) {
  const Real d = (x - at) / width;
  return std::exp(-d * d);
}

void addThick(std::vector<LabModel>& models) {
  models.push_back(
      {"blob", "thick", surface(40, Edge::Capped, 60, Edge::Joined, [](Real v, Real u) {
         const Real r = 0.8 + 0.12 * std::sin(3.0 * turn * u) * ballRadius(v) +
                        0.08 * std::cos(9.0 * v + 2.0 * turn * u) * ballRadius(v);
         return r * Vec3(ballRadius(v) * std::cos(turn * u), ballRadius(v) * std::sin(turn * u),
                         ballHeight(v));
       })});
  models.push_back({"pear", "thick",
                    lathed(
                        48, 48, [](Real v, Real) { return ballRadius(v) * (0.62 - 0.3 * v); },
                        [](Real v) { return ballHeight(v); })});
  models.push_back(
      {"buoy", "thick", surface(64, Edge::Joined, 32, Edge::Joined, [](Real v, Real u) {
         const Real r = 0.62 + 0.36 * std::cos(turn * u);
         return Vec3(r * std::cos(turn * v), r * std::sin(turn * v), -0.36 * std::sin(turn * u));
       })});
  models.push_back({"gear", "thick",
                    lathed(
                        8, 192,
                        [](Real, Real u) {
                          const Real tooth = std::sin(16.0 * turn * u);
                          return 0.86 + 0.12 * std::tanh(4.0 * tooth);
                        },
                        [](Real v) { return 0.5 * (v - 0.5); })});
}

void addLinks(std::vector<LabModel>& models) {
  models.push_back({"capsule", "link",
                    lathed(
                        50, 40,
                        [](Real v, Real) {
                          return v < 0.3   ? 0.25 * ballRadius(v / 0.6)
                                 : v > 0.7 ? 0.25 * ballRadius((v - 0.4) / 0.6)
                                           : 0.25;
                        },
                        [](Real v) {
                          return v < 0.3   ? -0.75 + 0.25 * ballHeight(v / 0.6)
                                 : v > 0.7 ? 0.75 + 0.25 * ballHeight((v - 0.4) / 0.6)
                                           : -0.75 + 1.5 * (v - 0.3) / 0.4;
                        })});
  models.push_back({"bone", "link",
                    lathed(
                        64, 40,
                        [](Real v, Real) {
                          return ballRadius(v) *
                                 (0.12 + 0.3 * bump(v, 0.15, 0.14) + 0.24 * bump(v, 0.87, 0.12));
                        },
                        [](Real v) { return ballHeight(v); })});
  models.push_back(
      {"elbow", "link", surface(60, Edge::Capped, 36, Edge::Joined, [](Real v, Real u) {
         const Real angle = 0.25 * turn * v;
         const Vec3 along(-std::sin(angle), std::cos(angle), 0.0);
         const Real r = 0.2 + 0.1 * bump(v, 0.0, 0.06) + 0.1 * bump(v, 1.0, 0.06);
         return ringPoint(Vec3(std::cos(angle), std::sin(angle), 0.0) - Vec3(0.6, 0.6, 0.0), along,
                          Vec3(0.0, 0.0, 1.0), r, r, u);
       })});
  models.push_back({"flange", "link",
                    lathed(
                        60, 48,
                        [](Real v, Real) {
                          const Real rim =
                              std::tanh(60.0 * (0.08 - v)) + std::tanh(60.0 * (v - 0.92));
                          return 0.38 + 0.16 * (rim + 1.0) + 0.04 * std::tanh(60.0 * (v - 0.5));
                        },
                        [](Real v) { return 1.5 * (v - 0.5); })});
  models.push_back(
      {"finger", "link", surface(60, Edge::Capped, 32, Edge::Joined, [](Real v, Real u) {
         const Real bend = 0.9 * v;
         const Vec3 along(0.0, -std::sin(bend), std::cos(bend));
         const Vec3 centre(0.0, std::cos(bend) * 1.6 - 1.3, std::sin(bend) * 1.6 - 0.6);
         const Real taper = (0.3 - 0.16 * v) * (1.0 - 0.15 * bump(v, 0.5, 0.05));
         return ringPoint(centre, along, Vec3(1.0, 0.0, 0.0), taper, 0.7 * taper, u);
       })});
}

void addThin(std::vector<LabModel>& models) {
  models.push_back({"dish", "thin", surface(48, Edge::Joined, 64, Edge::Joined, [](Real v, Real u) {
                      // Both sides of a paraboloid, a few hundredths apart
                      const Real r = 0.5 + 0.45 * std::cos(turn * v);
                      return Vec3(r * std::cos(turn * u), r * std::sin(turn * u),
                                  0.5 * r * r + 0.015 * std::sin(turn * v));
                    })});
  models.push_back(
      {"ring", "thin", surface(120, Edge::Joined, 16, Edge::Joined, [](Real v, Real u) {
         const Real r = 0.96 + 0.03 * std::cos(turn * u);
         return Vec3(r * std::cos(turn * v), r * std::sin(turn * v), -0.03 * std::sin(turn * u));
       })});
  models.push_back(
      {"spring", "thin", surface(300, Edge::Capped, 10, Edge::Joined, [](Real v, Real u) {
         const Real angle = 5.0 * turn * v;
         const Vec3 centre(0.5 * std::cos(angle), 0.5 * std::sin(angle), 1.6 * (v - 0.5));
         const Vec3 along = glm::normalize(
             Vec3(-0.5 * std::sin(angle), 0.5 * std::cos(angle), 1.6 / (5.0 * turn)));
         return ringPoint(centre, along, Vec3(0.0, 0.0, 1.0), 0.05, 0.05, u);
       })});
  models.push_back(
      {"propeller", "thin", surface(120, Edge::Capped, 24, Edge::Joined, [](Real v, Real u) {
         const Real out = 2.0 * v - 1.0, twist = 1.2 * out;
         const Vec3 up(std::sin(twist), 0.0, std::cos(twist));
         const Real chord = 0.06 + 0.16 * bump(std::abs(out), 0.6, 0.35);
         return ringPoint(Vec3(0.0, out, 0.0), Vec3(0.0, 1.0, 0.0), up, chord,
                          0.012 + 0.05 * bump(out, 0.0, 0.1), u);
       })});
}

void addOpen(std::vector<LabModel>& models) {
  models.push_back({"cloth", "open", surface(40, Edge::Open, 40, Edge::Open, [](Real v, Real u) {
                      const Real x = 1.4 * (u - 0.5), y = 1.4 * (v - 0.5);
                      return Vec3(x, y, 0.12 * std::sin(7.0 * x) * std::cos(5.0 * y));
                    })});
  models.push_back({"bowl", "open", surface(30, Edge::Open, 60, Edge::Joined, [](Real v, Real u) {
                      const Real down = 0.05 + 0.2 * turn * v;
                      return Vec3(std::sin(down) * std::cos(turn * u),
                                  std::sin(down) * std::sin(turn * u), -std::cos(down));
                    })});
  models.push_back({"ribbon", "open", surface(160, Edge::Open, 8, Edge::Open, [](Real v, Real u) {
                      const Real angle = turn * v, wide = 0.4 * (u - 0.5);
                      const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
                      return 0.8 * out + wide * (std::cos(1.5 * angle) * out +
                                                 std::sin(1.5 * angle) * Vec3(0.0, 0.0, 1.0));
                    })});
}

}  // namespace

std::vector<LabModel> makeLabModels() {
  std::vector<LabModel> models;
  addThick(models);
  addLinks(models);
  addThin(models);
  addOpen(models);
  return models;
}

std::vector<std::string> labModelNames() {
  std::vector<std::string> names;
  for (const LabModel& model : makeLabModels()) names.push_back(model.name);
  for (const LabModel& model : makeRobotModels()) names.push_back(model.name);
  return names;
}

Result<LabModel> readShip(const std::string& nameOrFile) {
  const auto path = engine::findModel(nameOrFile);
  if (!path) return path.error();
  auto loaded = engine::loadModel(*path);
  if (!loaded) return loaded.error();
  for (const std::string& warning : loaded->warnings) complain(warning);
  return LabModel{loaded->name, "ship", std::move(loaded->mesh)};
}

Result<std::vector<LabModel>> chooseModels(const std::vector<std::string>& names) {
  std::vector<LabModel> known = makeLabModels(), models;
  for (LabModel& robot : makeRobotModels()) known.push_back(std::move(robot));
  for (const std::string& name : names) {
    const auto own = std::ranges::find(known, name, &LabModel::name);
    if (own != known.end()) {
      models.push_back(*own);
      continue;
    }
    auto ship = readShip(name);
    if (!ship) return ship.error();
    models.push_back(*std::move(ship));
  }
  return models;
}

TriangleMesh subdivided(const TriangleMesh& mesh) {
  TriangleMesh fine;
  fine.positions = mesh.positions;
  fine.triangles.reserve(4 * mesh.triangles.size());
  // Neighbours must share the midpoint of their edge, or the surface would open
  std::unordered_map<std::uint64_t, std::uint32_t> midpoints;
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t edge = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
    const auto [at, isNew] =
        midpoints.try_emplace(edge, static_cast<std::uint32_t>(fine.positions.size()));
    if (isNew) fine.positions.push_back(0.5 * (mesh.positions[a] + mesh.positions[b]));
    return at->second;
  };
  for (const auto& triangle : mesh.triangles) {
    const std::uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    const std::uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    fine.triangles.insert(fine.triangles.end(),
                          {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  return fine;
}

}  // namespace nearmiss::app::lab
