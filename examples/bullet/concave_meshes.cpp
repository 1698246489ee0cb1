// SPDX-License-Identifier: MIT
#include "concave_meshes.h"

#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>

using nearmiss::Real;
using nearmiss::TriangleMesh;
using nearmiss::Vec3;

namespace {

/// Corners are repeated here: cleaning welds them.
void addTriangle(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (a == b || b == c || c == a) return;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

void addQuad(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  addTriangle(mesh, a, b, c);
  addTriangle(mesh, a, c, d);
}

/// Returns the surface of a set of cubes with edge `edge`, out of n x n x n.
TriangleMesh surfaceOfCells(int n, Real edge, bool (*isFilled)(int x, int y, int z)) {
  const auto filled = [&](const std::array<int, 3>& c) {
    for (const int i : c)
      if (i < 0 || i >= n) return false;
    return isFilled(c[0], c[1], c[2]);
  };
  TriangleMesh mesh;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        const std::array<int, 3> cell{x, y, z};
        if (!filled(cell)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (int side = 0; side < 2; ++side) {
            auto neighbour = cell;
            neighbour[axis] += side == 0 ? -1 : 1;
            if (filled(neighbour)) continue;
            const auto corner = [&](int u, int v) {
              auto c = cell;
              c[axis] += side;
              c[(axis + 1) % 3] += u;
              c[(axis + 2) % 3] += v;
              return edge * Vec3(c[0], c[1], c[2]);
            };
            if (side == 1)
              addQuad(mesh, corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
            else
              addQuad(mesh, corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0));
          }
      }
  return mesh;
}

/// A point at a distance from the vertical axis, `step` of `steps` around it.
Vec3 around(Real distance, Real height, int step, int steps) {
  const Real angle = 2.0 * std::numbers::pi * (step % steps) / steps;
  // + 0.0, because points on the axis would differ in the signs of their zeros
  return {distance * std::cos(angle) + 0.0, height, distance * std::sin(angle) + 0.0};
}

struct ProfilePoint {
  Real distance, height;
};

/// Revolves a closed outline about the vertical axis.
TriangleMesh turned(const std::vector<ProfilePoint>& outline, int steps) {
  TriangleMesh mesh;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const ProfilePoint p = outline[i], q = outline[(i + 1) % outline.size()];
    for (int s = 0; s < steps; ++s)
      addQuad(mesh, around(p.distance, p.height, s, steps), around(q.distance, q.height, s, steps),
              around(q.distance, q.height, s + 1, steps),
              around(p.distance, p.height, s + 1, steps));
  }
  return mesh;
}

/// A prism whose outline has the distance radii[i] from its axis at step i.
TriangleMesh prism(const std::vector<Real>& radii, Real thickness) {
  constexpr int layers = 3;
  const int steps = static_cast<int>(radii.size());
  const auto rim = [&](int step, int layer) {
    return around(radii[static_cast<std::size_t>(step % steps)], thickness * layer / layers, step,
                  steps);
  };
  TriangleMesh mesh;
  const Vec3 bottom(0.0), top(0.0, thickness, 0.0);
  for (int s = 0; s < steps; ++s) {
    addTriangle(mesh, bottom, rim(s, 0), rim(s + 1, 0));
    for (int layer = 0; layer < layers; ++layer)
      addQuad(mesh, rim(s, layer), rim(s, layer + 1), rim(s + 1, layer + 1), rim(s + 1, layer));
    addTriangle(mesh, top, rim(s + 1, layers), rim(s, layers));
  }
  return mesh;
}

TriangleMesh ring(Real radius, Real thickness) {
  constexpr int profileSteps = 24, steps = 48;
  std::vector<ProfilePoint> outline;
  for (int i = 0; i < profileSteps; ++i) {
    const Real angle = 2.0 * std::numbers::pi * i / profileSteps;
    outline.push_back({radius + thickness * std::cos(angle), thickness * std::sin(angle)});
  }
  return turned(outline, steps);
}

TriangleMesh bowl(Real outer, Real inner) {
  constexpr int profileSteps = 14, steps = 48;
  std::vector<ProfilePoint> outline;
  const auto addArc = [&](Real radius, int i) {
    // Zero exactly on the axis
    const Real angle = 0.5 * std::numbers::pi * i / profileSteps;
    outline.push_back({i == 0 ? 0.0 : radius * std::sin(angle), -radius * std::cos(angle)});
  };
  for (int i = 0; i <= profileSteps; ++i) addArc(outer, i);
  for (int i = profileSteps; i >= 0; --i) addArc(inner, i);
  return turned(outline, steps);
}

TriangleMesh gear() {
  constexpr int teeth = 12;
  std::vector<Real> radii;
  for (int tooth = 0; tooth < teeth; ++tooth)
    radii.insert(radii.end(), {0.34, 0.34, 0.34, 0.38, 0.45, 0.45, 0.45, 0.38});
  return prism(radii, 0.2);
}

TriangleMesh star() {
  constexpr int points = 5, steps = 16;
  std::vector<Real> radii;
  for (int i = 0; i < points * steps; ++i) {
    const Real fromTip = std::abs(i % steps - steps / 2) / (0.5 * steps);
    radii.push_back(0.5 - 0.3 * fromTip);
  }
  return prism(radii, 0.2);
}

}  // namespace

std::vector<NamedMesh> concaveMeshes() {
  std::vector<NamedMesh> meshes;
  const auto add = [&](const char* name, TriangleMesh mesh) {
    const auto cleaned = nearmiss::cleanMesh(mesh, 0.0);
    const auto mass = nearmiss::massProperties(mesh);
    if (!cleaned || !mass) {
      std::printf("%s: %s\n", name, (cleaned ? mass.error() : cleaned.error()).message.c_str());
      std::exit(1);
    }
    // Bullet has the centre of mass of a body at its origin
    for (Vec3& position : mesh.positions) position -= mass->centre;
    meshes.push_back({name, std::move(mesh)});
  };
  add("L", surfaceOfCells(12, 0.06, [](int x, int y, int z) { return (x < 4 || y < 4) && z < 4; }));
  add("U", surfaceOfCells(12, 0.06,
                          [](int x, int y, int z) { return (x < 4 || x >= 8 || y < 4) && z < 4; }));
  add("jack", surfaceOfCells(12, 0.06, [](int x, int y, int z) {
        const auto isMiddle = [](int i) { return i >= 4 && i < 8; };
        return isMiddle(x) + isMiddle(y) + isMiddle(z) >= 2;
      }));
  add("ring", ring(0.35, 0.1));
  add("gear", gear());
  add("star", star());
  add("bowl", bowl(0.45, 0.37));
  return meshes;
}
