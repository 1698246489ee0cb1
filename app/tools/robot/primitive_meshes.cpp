// SPDX-License-Identifier: MIT
#include "tools/robot/primitive_meshes.h"

#include <nearmiss/mesh.h>

#include <cmath>
#include <glm/gtc/constants.hpp>
#include <utility>
#include <vector>

namespace nearmiss::app::robot {
namespace {

constexpr std::uint32_t sectors = 32, rings = 8;

/// Distance of the corners of a polygon around the unit circle.
const Real outward = 1.0 / std::cos(glm::pi<Real>() / sectors);

static_assert(sectors == 32 && rings == 8, "roundedExcess is 1 / (cos(pi / 32) cos(pi / 32)) - 1");

/// A closed surface of revolution around z; the profile has distances from the axis and heights.
/// Fans close both ends.
TriangleMesh turned(const std::vector<std::pair<Real, Real>>& profile) {
  TriangleMesh mesh;
  for (const auto& [radius, height] : profile)
    for (std::uint32_t k = 0; k < sectors; ++k) {
      const Real angle = glm::two_pi<Real>() * k / sectors;
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
    }
  const auto at = [](std::uint32_t ring, std::uint32_t k) { return ring * sectors + k % sectors; };
  const auto last = static_cast<std::uint32_t>(profile.size() - 1);
  for (std::uint32_t ring = 0; ring < last; ++ring)
    for (std::uint32_t k = 0; k < sectors; ++k) {
      mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
  for (std::uint32_t k = 1; k + 1 < sectors; ++k) {
    mesh.triangles.push_back({at(0, 0), at(0, k + 1), at(0, k)});
    mesh.triangles.push_back({at(last, 0), at(last, k), at(last, k + 1)});
  }
  return mesh;
}

/// From bottom to top: half a polygon around the unit circle, with its quarters `apart`.
std::vector<std::pair<Real, Real>> halfCircle(Real apart) {
  // Edges touch the circle; the first and last are horizontal
  const Real step = glm::pi<Real>() / (2 * rings), out = 1.0 / std::cos(0.5 * step);
  std::vector<std::pair<Real, Real>> profile;
  for (std::uint32_t i = 0; i < 2 * rings; ++i) {
    const Real angle = -glm::half_pi<Real>() + (i + 0.5) * step;
    const Real shift = (i < rings ? -0.5 : 0.5) * apart;
    profile.emplace_back(outward * out * std::cos(angle), out * std::sin(angle) + shift);
  }
  return profile;
}

}  // namespace

Result<TriangleMesh> cylinderAround(Real radius, Real length) {
  return cylinderMesh(outward * radius, 0.5 * length, sectors);
}

TriangleMesh capsuleAround(Real radius, Real length) {
  TriangleMesh mesh = turned(halfCircle(length / radius));
  for (Vec3& p : mesh.positions) p *= radius;
  return mesh;
}

TriangleMesh ellipsoidAround(const Vec3& radii) {
  TriangleMesh mesh = turned(halfCircle(0.0));
  for (Vec3& p : mesh.positions) p *= radii;
  return mesh;
}

}  // namespace nearmiss::app::robot
