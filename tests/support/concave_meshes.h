// SPDX-License-Identifier: MIT
/// Generated concave meshes of any resolution: gears, bumpy balls, knots, bowls, and what their
/// overlapping or open variants are.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "support/meshes.h"

namespace nearmiss::test {

/// A gear about the z axis: `teeth` trapezoids of `perTooth` points each, `rings` rings of squares
/// from the centre to the rim of both caps, `layers` along its height.
inline TriangleMesh gear(int teeth, int perTooth = 4, int rings = 1, int layers = 1,
                         Real outer = 0.6, Real inner = 0.45, Real height = 0.3) {
  const int around = teeth * perTooth;
  const auto rim = [&](int k) {
    const Real phase = static_cast<Real>(k % perTooth) / perTooth;
    const Real rise = std::clamp(2.0 - 4.0 * std::abs(2.0 * phase - 1.0) + 0.5, 0.0, 1.0);
    return inner + (outer - inner) * rise;
  };
  TriangleMesh mesh;
  const auto ring = [&](Real share, Real z) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int k = 0; k < around; ++k) {
      const Real angle = 2.0 * std::numbers::pi * k / around, r = share * rim(k);
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    return first;
  };
  const auto band = [&](std::uint32_t from, std::uint32_t to) {
    for (int k = 0; k < around; ++k) {
      const auto i = static_cast<std::uint32_t>(k);
      const auto j = static_cast<std::uint32_t>((k + 1) % around);
      addQuad(mesh, from + i, from + j, to + j, to + i);
    }
  };
  const auto fan = [&](std::uint32_t first, Real z, bool up) {
    const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(0.0, 0.0, z);
    for (int k = 0; k < around; ++k) {
      const auto i = first + static_cast<std::uint32_t>(k);
      const auto j = first + static_cast<std::uint32_t>((k + 1) % around);
      mesh.triangles.push_back({middle, up ? i : j, up ? j : i});
    }
  };
  const Real low = -0.5 * height;
  std::uint32_t before = ring(1.0 / rings, low);
  fan(before, low, false);
  const auto goOn = [&](Real share, Real z) {
    const std::uint32_t next = ring(share, z);
    band(before, next);
    before = next;
  };
  for (int r = 2; r <= rings; ++r) goOn(static_cast<Real>(r) / rings, low);
  for (int l = 1; l <= layers; ++l) goOn(1.0, low + height * l / layers);
  for (int r = rings - 1; r >= 1; --r) goOn(static_cast<Real>(r) / rings, -low);
  fan(before, -low, true);
  return mesh;
}

/// A ball with `bumps` waves around and along.
inline TriangleMesh bumpyBall(int stacks, int slices, int bumps, Real radius = 0.5,
                              Real height = 0.08) {
  return ball(stacks, slices, [=](int i, int j) {
    const Real polar = std::numbers::pi * i / stacks;
    const Real around = 2.0 * std::numbers::pi * j / slices;
    return radius + height * std::sin(polar) * std::sin(bumps * polar) * std::cos(bumps * around);
  });
}

/// A tube along the torus knot that winds `p` times around the axis and `q` times through the hole.
/// It crosses itself if `tube` is wide.
inline TriangleMesh knot(int along, int across, int p = 2, int q = 3, Real tube = 0.12,
                         Real size = 0.5) {
  const auto centre = [&](Real u) {
    const Real r = size * (0.7 + 0.3 * std::cos(q * u));
    return Vec3(r * std::cos(p * u), r * std::sin(p * u), 0.3 * size * std::sin(q * u));
  };
  TriangleMesh mesh;
  for (int i = 0; i < along; ++i) {
    const Real u = 2.0 * std::numbers::pi * i / along;
    const Vec3 at = centre(u), forward = glm::normalize(centre(u + 1e-4) - centre(u - 1e-4));
    // A frame that closes: outward from the axis of the torus, not from the curve's own normal
    const Vec3 ringCentre = 0.7 * size * Vec3(std::cos(p * u), std::sin(p * u), 0.0);
    Vec3 out = at - ringCentre;
    out = glm::normalize(out - glm::dot(out, forward) * forward);
    const Vec3 side = glm::cross(forward, out);
    for (int j = 0; j < across; ++j) {
      const Real v = 2.0 * std::numbers::pi * j / across;
      mesh.positions.push_back(at + tube * (std::cos(v) * out + std::sin(v) * side));
    }
  }
  const auto at = [=](int i, int j) {
    return static_cast<std::uint32_t>((i % along) * across + j % across);
  };
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j)
      addQuad(mesh, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  // Positive volume is outward
  Real volume = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle c = mesh.corners(t);
    volume += glm::dot(c[0], glm::cross(c[1], c[2]));
  }
  if (volume < 0.0) flip(mesh);
  return mesh;
}

/// Half a hollow ball without thickness, open above the equator: its z axis points out of it.
inline TriangleMesh bowl(int stacks, int slices, Real radius = 0.5) {
  TriangleMesh mesh = ball(2 * stacks, slices, [=](int i, int j) {
    return radius * (1.0 + 0.05 * std::cos(6.0 * std::numbers::pi * j / slices) *
                               std::sin(0.5 * std::numbers::pi * i / stacks));
  });
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return mesh.positions[t[0]].z + mesh.positions[t[1]].z + mesh.positions[t[2]].z > 1e-9;
  });
  static_cast<void>(*cleanMesh(mesh, 0.0));
  return mesh;
}

/// Three rods across each other, each with a surface of its own: closed, and they intersect.
inline TriangleMesh jack(int stacks, int slices, Real length = 0.6, Real width = 0.12) {
  TriangleMesh mesh;
  const TriangleMesh rod = sphere(stacks, slices);
  for (int axis = 0; axis < 3; ++axis) {
    TriangleMesh turned = rod;
    for (Vec3& p : turned.positions) {
      const Vec3 q(width * p.x, width * p.y, length * p.z);
      p = axis == 0 ? q : axis == 1 ? Vec3(q.z, q.x, q.y) : Vec3(q.y, q.z, q.x);
    }
    append(mesh, turned);
  }
  return mesh;
}

}  // namespace nearmiss::test
