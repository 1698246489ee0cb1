// SPDX-License-Identifier: MIT
/// Generated meshes of known shape: closed, wound outwards, without self-intersection.
#pragma once

#include <nearmiss/mesh.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

/// Adds the triangles of the quadrilateral a, b, c, d.
inline void addQuad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                    std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// Adds `more`, moved by `by`, without joining vertices.
inline void append(TriangleMesh& mesh, const TriangleMesh& more, const Vec3& by = Vec3(0.0)) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3& p : more.positions) mesh.positions.push_back(p + by);
  for (const auto& t : more.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// Every triangle of `mesh` with three vertices of its own, as model files often have it.
inline TriangleMesh loose(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (const Vec3& corner : mesh.corners(t)) soup.positions.push_back(corner);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

/// Turns inside out.
inline void flip(TriangleMesh& mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// The box from `low` to `high`: 8 vertices, 12 triangles.
inline TriangleMesh box(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back(
        {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  addQuad(mesh, 0, 4, 6, 2);
  addQuad(mesh, 1, 3, 7, 5);
  addQuad(mesh, 0, 1, 5, 4);
  addQuad(mesh, 2, 6, 7, 3);
  addQuad(mesh, 0, 2, 3, 1);
  addQuad(mesh, 4, 5, 7, 6);
  return mesh;
}

/// Edge 2 `half`, about the origin.
inline TriangleMesh cube(Real half = 1.0) { return box(Vec3(-half), Vec3(half)); }

/// Four corners of the cube of edge 2.
inline TriangleMesh tetrahedron() {
  return {{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

/// A surface without an inside over the square of edge 2 `half`, y up: squares of edge 2, whose
/// corners are `height` of their x and z high.
inline TriangleMesh terrain(int half, const std::function<Real(Real, Real)>& height) {
  TriangleMesh mesh;
  const auto side = static_cast<std::uint32_t>(half + 1);
  for (std::uint32_t k = 0; k < side; ++k)
    for (std::uint32_t i = 0; i < side; ++i) {
      const Real x = 2.0 * i - half, z = 2.0 * k - half;
      mesh.positions.push_back({x, height(x, z), z});
    }
  for (std::uint32_t k = 0; k + 1 < side; ++k)
    for (std::uint32_t i = 0; i + 1 < side; ++i) {
      const std::uint32_t at = k * side + i;
      addQuad(mesh, at, at + side, at + side + 1, at + 1);
    }
  return mesh;
}

/// Hills that are 0.3 high, and as wide as a solid of a metre.
inline TriangleMesh hills(int half) {
  return terrain(half, [](Real x, Real z) { return 0.3 * std::sin(1.7 * x) * std::cos(1.3 * z); });
}

/// A surface of latitude and longitude with poles on the z axis; `radius` is asked per ring and
/// place. 2 slices (stacks - 1) triangles.
inline TriangleMesh ball(int stacks, int slices, const std::function<Real(int, int)>& radius) {
  TriangleMesh mesh;
  mesh.positions.push_back({0, 0, radius(0, 0)});
  for (int i = 1; i < stacks; ++i)
    for (int j = 0; j < slices; ++j) {
      const Real polar = std::numbers::pi * i / stacks;
      const Real around = 2 * std::numbers::pi * j / slices;
      const Real r = radius(i, j);
      mesh.positions.push_back({r * std::sin(polar) * std::cos(around),
                                r * std::sin(polar) * std::sin(around), r * std::cos(polar)});
    }
  mesh.positions.push_back({0, 0, -radius(stacks, 0)});
  const auto at = [slices](int i, int j) {
    return static_cast<std::uint32_t>(1 + (i - 1) * slices + j % slices);
  };
  const auto last = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  for (int j = 0; j < slices; ++j) {
    mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
    for (int i = 1; i + 1 < stacks; ++i)
      addQuad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    mesh.triangles.push_back({last, at(stacks - 1, j + 1), at(stacks - 1, j)});
  }
  return mesh;
}

inline TriangleMesh sphere(int stacks = 12, int slices = 16, Real radius = 1.0) {
  return ball(stacks, slices, [radius](int, int) { return radius; });
}

/// A ball whose vertices lie between `inner` and 1 from the centre, at random: star-shaped, with
/// many thin spikes and deep notches.
inline TriangleMesh spikyStar(std::uint64_t seed, int stacks = 10, int slices = 14,
                              Real inner = 0.35) {
  Random random(seed);
  return ball(stacks, slices, [&](int, int) { return random.between(inner, 1.0); });
}

/// Around the z axis; 2 around across triangles.
inline TriangleMesh torus(int around = 20, int across = 10, Real radius = 0.7, Real tube = 0.25) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const Real u = 2 * std::numbers::pi * i / around;
      const Real v = 2 * std::numbers::pi * j / across;
      const Real r = radius + tube * std::cos(v);
      mesh.positions.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
    }
  const auto at = [=](int i, int j) {
    return static_cast<std::uint32_t>((i % around) * across + j % across);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      addQuad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return mesh;
}

/// A bed of nails: a plate of `nails` by `nails` unit squares with a pyramid of the given height on
/// every other one, scaled so that the plate is 1 wide. Two of them can interleave without contact.
inline TriangleMesh bedOfNails(int nails = 7, Real height = 3.0) {
  TriangleMesh mesh;
  const Real scale = 1.0 / nails;
  const auto side = static_cast<std::uint32_t>(nails + 1);
  for (const int layer : {0, 1})
    for (std::uint32_t j = 0; j < side; ++j)
      for (std::uint32_t i = 0; i < side; ++i)
        mesh.positions.push_back({i * scale - 0.5, j * scale - 0.5, (layer - 1) * scale});
  const auto at = [side](std::uint32_t layer, std::uint32_t i, std::uint32_t j) {
    return (layer * side + j) * side + i;
  };
  const auto n = static_cast<std::uint32_t>(nails);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      addQuad(mesh, at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
      const std::uint32_t base[] = {at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1),
                                    at(1, i, j + 1)};
      if ((i + j) % 2 != 0) {
        addQuad(mesh, base[0], base[1], base[2], base[3]);
        continue;
      }
      const auto tip = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.push_back({(i + 0.5) * scale - 0.5, (j + 0.5) * scale - 0.5, height * scale});
      for (int k = 0; k < 4; ++k) mesh.triangles.push_back({base[k], base[(k + 1) % 4], tip});
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    addQuad(mesh, at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
    addQuad(mesh, at(0, i + 1, n), at(0, i, n), at(1, i, n), at(1, i + 1, n));
    addQuad(mesh, at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1));
    addQuad(mesh, at(0, n, i), at(0, n, i + 1), at(1, n, i + 1), at(1, n, i));
  }
  return mesh;
}

/// A comb: a spine along x with `teeth` boxes standing on it, built of cells with coordinates that
/// are multiples of 1/8, so that everything about it is exact.
inline TriangleMesh comb(int teeth = 5, Real toothLength = 1.0) {
  TriangleMesh mesh;
  // Outline in the x-z plane, counter-clockwise as seen against y, made of columns of width 1/8
  const int columns = 2 * teeth - 1;
  const Real width = 0.125;
  const Real left = -0.5 * columns * width;
  const auto vertex = [&mesh](Real x, Real y, Real z) {
    mesh.positions.push_back({x, y, z});
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  };
  // Three heights per column border: foot, spine, tip; front and back
  std::vector<std::array<std::array<std::uint32_t, 3>, 2>> border;
  for (int c = 0; c <= columns; ++c) {
    auto& b = border.emplace_back();
    for (int y = 0; y < 2; ++y)
      b[y] = {vertex(left + c * width, y ? 0.125 : -0.125, -0.25),
              vertex(left + c * width, y ? 0.125 : -0.125, 0.0),
              vertex(left + c * width, y ? 0.125 : -0.125, toothLength)};
  }
  for (int c = 0; c < columns; ++c) {
    const auto& l = border[c];
    const auto& r = border[c + 1];
    const bool tooth = c % 2 == 0;
    addQuad(mesh, l[0][0], r[0][0], r[0][1], l[0][1]);
    addQuad(mesh, r[1][0], l[1][0], l[1][1], r[1][1]);
    addQuad(mesh, l[1][0], r[1][0], r[0][0], l[0][0]);
    if (!tooth) {
      addQuad(mesh, l[0][1], r[0][1], r[1][1], l[1][1]);
      continue;
    }
    addQuad(mesh, l[0][1], r[0][1], r[0][2], l[0][2]);
    addQuad(mesh, r[1][1], l[1][1], l[1][2], r[1][2]);
    addQuad(mesh, l[0][2], r[0][2], r[1][2], l[1][2]);
    addQuad(mesh, l[1][1], l[0][1], l[0][2], l[1][2]);
    addQuad(mesh, r[0][1], r[1][1], r[1][2], r[0][2]);
  }
  addQuad(mesh, border[0][1][0], border[0][0][0], border[0][0][1], border[0][1][1]);
  const auto& end = border[columns];
  addQuad(mesh, end[0][0], end[1][0], end[1][1], end[0][1]);
  return mesh;
}

/// One of each, for properties that every mesh must have.
inline std::vector<TriangleMesh> variousMeshes() {
  return {cube(),       tetrahedron(), sphere(),     torus(),
          bedOfNails(), comb(),        spikyStar(1), spikyStar(2)};
}

}  // namespace nearmiss::test
