// SPDX-License-Identifier: MIT
#include "tools/robot/primitives.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
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

namespace {

/// Exceeds the margin that proofs of coverage need where many spheres meet in a point.
constexpr Real rounded = 1.0 + 1e-7;

using Cover = std::vector<Sphere>;

/// Number of cells of a box along each axis.
using BoxCells = std::array<std::size_t, 3>;

Real cellRadius(const Vec3& half, const BoxCells& cells) {
  Vec3 part = half;
  for (int axis = 0; axis < 3; ++axis)
    part[axis] /= static_cast<Real>(cells[static_cast<std::size_t>(axis)]);
  return glm::length(part);
}

/// Centre of a cell along a segment centred at 0.
Real cellMiddle(Real half, std::size_t cell, std::size_t cells) {
  return half * ((2.0 * static_cast<Real>(cell) + 1.0) / static_cast<Real>(cells) - 1.0);
}

/// Returns the covers with the smallest cells.
std::vector<Cover> boxCovers(const Vec3& half, std::size_t count) {
  constexpr std::size_t kept = 4;
  std::vector<std::pair<Real, BoxCells>> choices;
  for (std::size_t x = 1; x <= count; ++x)
    for (std::size_t y = 1; x * y <= count; ++y) {
      const BoxCells cells{x, y, count / (x * y)};
      choices.emplace_back(cellRadius(half, cells), cells);
    }
  const std::size_t some = std::min(kept, choices.size());
  std::partial_sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(some),
                    choices.end());
  std::vector<Cover> covers;
  for (std::size_t i = 0; i < some; ++i) {
    const auto& [radius, n] = choices[i];
    Cover& cover = covers.emplace_back();
    for (std::size_t x = 0; x < n[0]; ++x)
      for (std::size_t y = 0; y < n[1]; ++y)
        for (std::size_t z = 0; z < n[2]; ++z)
          cover.push_back({{cellMiddle(half.x, x, n[0]), cellMiddle(half.y, y, n[1]),
                            cellMiddle(half.z, z, n[2])},
                           radius * rounded});
  }
  return covers;
}

/// A cover of the unit disk by equal disks: their radius, and the distance of the outer ones from
/// the centre.
struct DiskCover {
  std::size_t around;
  bool middle;
  Real radius, out;
};
const std::array<DiskCover, 4> diskCovers{{{0, true, 1.0, 0.0},
                                           {3, false, 0.5 * std::sqrt(3.0), 0.5},
                                           {4, false, std::sqrt(0.5), std::sqrt(0.5)},
                                           {6, true, 0.5, 0.5 * std::sqrt(3.0)}}};

std::vector<Cover> cylinderCovers(Real radius, Real length, std::size_t count) {
  // Covers the polyhedron that represents the shape
  const Real wide = radius * (1.0 + roundedExcess), half = 0.5 * length;
  std::vector<Cover> covers;
  for (const DiskCover& disk : diskCovers) {
    const std::size_t columns = disk.around + (disk.middle ? 1 : 0);
    const std::size_t slices = count / columns;
    if (slices == 0) continue;
    const Real reach = std::hypot(wide * disk.radius, half / static_cast<Real>(slices)) * rounded;
    Cover& cover = covers.emplace_back();
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const Real z = cellMiddle(half, slice, slices);
      if (disk.middle) cover.push_back({{0.0, 0.0, z}, reach});
      for (std::size_t k = 0; k < disk.around; ++k) {
        const Real angle =
            glm::two_pi<Real>() * static_cast<Real>(k) / static_cast<Real>(disk.around);
        cover.push_back(
            {wide * disk.out * Vec3(std::cos(angle), std::sin(angle), 0.0) + Vec3(0, 0, z), reach});
      }
    }
  }
  return covers;
}

/// Equal spheres along the axis. Each covers the wall up to the midpoint to the next sphere, and
/// the first and last cover the ends.
Cover capsuleCover(Real radius, Real length, std::size_t count) {
  const Real wide = radius * (1.0 + roundedExcess);
  const auto gaps = static_cast<Real>(count - 1);
  // Inset at the ends and half the covered length of the wall, for spheres of this radius
  const auto covered = [&](Real reach) {
    return 2.0 * (reach - wide) +
           2.0 * gaps * std::sqrt(std::max(reach * reach - wide * wide, 0.0));
  };
  Real low = wide, high = wide + 0.5 * length;
  for (int i = 0; i < 100; ++i) {
    const Real middle = 0.5 * (low + high);
    (covered(middle) < length ? low : high) = middle;
  }
  const Real first = -0.5 * length + (high - wide);
  Cover cover;
  for (std::size_t k = 0; k < count; ++k) {
    const Real share = gaps > 0.0 ? static_cast<Real>(k) / gaps : 0.5;
    cover.push_back({{0.0, 0.0, first * (1.0 - 2.0 * share)}, high * rounded});
  }
  return cover;
}

}  // namespace

std::vector<std::vector<Sphere>> primitiveCovers(const LinkShape& shape, std::size_t count) {
  std::vector<Cover> covers;
  if (shape.kind == LinkShapeKind::Box) covers = boxCovers(shape.size, count);
  if (shape.kind == LinkShapeKind::Cylinder)
    covers = cylinderCovers(shape.size.x, shape.size.y, count);
  if (shape.kind == LinkShapeKind::Capsule)
    covers.push_back(capsuleCover(shape.size.x, shape.size.y, count));
  for (Cover& cover : covers)
    for (Sphere& sphere : cover) sphere.centre = shape.turn * sphere.centre + shape.at;
  return covers;
}

}  // namespace nearmiss::app::robot
