// SPDX-License-Identifier: MIT
#include "builders/solid_volume.h"

#include <nearmiss/flat_set.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

/// The max number of parts, the largest first: what is beyond them is not proven to be covered.
constexpr std::size_t maxParts = 16'384;

}  // namespace

SolidParts::SolidParts(const Polyhedron& polyhedron, const std::atomic<bool>* cancelled) {
  if (polyhedron.report().solid()) {
    solid_ = &polyhedron;
    surfaces_.push_back(&polyhedron.mesh());
    return;
  }
  // A loose triangle at a closed part opens nothing
  ClosedSurfaces closed = closedSurfaces(withoutOpenEdges(polyhedron.mesh()), maxParts, cancelled);
  parts_ = std::move(closed.surfaces);
  leftOut_ = closed.leftOut;
  for (const Polyhedron& part : parts_) surfaces_.push_back(&part.mesh());
}

bool SolidParts::contains(const Vec3& point) const {
  if (solid_) return solid_->contains(point);
  return std::any_of(parts_.begin(), parts_.end(), [&point](const Polyhedron& part) {
    return part.bounds().contains(point) && windingAbout(part, point) != 0;
  });
}

namespace {

/// Where a line crosses a surface, and whether the surface faces to -x there (1) or to +x (-1).
struct RowCrossing {
  Real x;
  int side;
};

using Corner = std::pair<Real, Real>;

/// True if a, b, (y, z) turn left; never the same for b, a, so that a line through a shared edge
/// crosses one of its two triangles.
bool turnsLeft(const Vec3& a, const Vec3& b, Real y, Real z) noexcept {
  const bool swapped = Corner(b.y, b.z) < Corner(a.y, a.z);
  const Vec3& from = swapped ? b : a;
  const Vec3& to = swapped ? a : b;
  const Real turn = (to.y - from.y) * (z - from.z) - (to.z - from.z) * (y - from.y);
  return (turn > 0.0) != swapped;
}

/// Calls add(y, z, crossing) for the lines that a triangle crosses.
void crossLines(const Triangle& triangle, const SolidRows& rows, const auto& add) {
  const Vec3 &a = triangle[0], &b = triangle[1], &c = triangle[2];
  const Vec3 normal = glm::cross(b - a, c - a);
  if (normal.x == 0.0) return;
  const Vec3 low = glm::min(glm::min(a, b), c), high = glm::max(glm::max(a, b), c);
  const auto first = [&rows](Real at, Real from) {
    return std::max(0, static_cast<int>(std::floor((at - from) / rows.spacing() - 0.5)));
  };
  const auto last = [&rows](Real at, Real from, int count) {
    return std::min(count - 1, static_cast<int>(std::ceil((at - from) / rows.spacing() - 0.5)));
  };
  const int side = normal.x < 0.0 ? 1 : -1;
  for (int z = first(low.z, rows.low().z); z <= last(high.z, rows.low().z, rows.countZ()); ++z)
    for (int y = first(low.y, rows.low().y); y <= last(high.y, rows.low().y, rows.countY()); ++y) {
      const Real atY = rows.yOf(y), atZ = rows.zOf(z);
      const bool left = turnsLeft(a, b, atY, atZ);
      if (turnsLeft(b, c, atY, atZ) != left || turnsLeft(c, a, atY, atZ) != left) continue;
      const Real x = a.x - (normal.y * (atY - a.y) + normal.z * (atZ - a.z)) / normal.x;
      add(y, z, RowCrossing{std::clamp(x, low.x, high.x), side});
    }
}

}  // namespace

void joinParts(std::vector<RowPart>& parts) {
  std::sort(parts.begin(), parts.end(),
            [](const RowPart& a, const RowPart& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const RowPart& part : parts) {
    if (kept > 0 && part.begin <= parts[kept - 1].end)
      parts[kept - 1].end = std::max(parts[kept - 1].end, part.end);
    else
      parts[kept++] = part;
  }
  parts.resize(kept);
}

SolidRows::SolidRows(const SolidParts& parts, const Box& region, Real spacing)
    : low_(region.low),
      spacing_(spacing),
      countY_(std::max(1, static_cast<int>(std::ceil(region.extent().y / spacing)))),
      countZ_(std::max(1, static_cast<int>(std::ceil(region.extent().z / spacing)))),
      inside_(static_cast<std::size_t>(countY_) * static_cast<std::size_t>(countZ_)) {
  for (const TriangleMesh* surface : parts.surfaces()) addSurface(*surface);
  if (parts.surfaces().size() > 1)
    for (std::vector<RowPart>& row : inside_) joinParts(row);
}

void SolidRows::addSurface(const TriangleMesh& mesh) {
  // By row, since a small part of the body crosses few of them
  struct PlacedCrossing {
    std::size_t row;
    RowCrossing crossing;
  };
  std::vector<PlacedCrossing> placed;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    crossLines(mesh.corners(t), *this, [&](int y, int z, const RowCrossing& crossing) {
      placed.push_back({static_cast<std::size_t>(z) * static_cast<std::size_t>(countY_) +
                            static_cast<std::size_t>(y),
                        crossing});
    });
  std::sort(placed.begin(), placed.end(), [](const PlacedCrossing& p, const PlacedCrossing& q) {
    const RowCrossing &a = p.crossing, &b = q.crossing;
    return p.row != q.row ? p.row < q.row : a.x != b.x ? a.x < b.x : a.side > b.side;
  });
  for (std::size_t begin = 0, end; begin < placed.size(); begin = end) {
    const std::size_t row = placed[begin].row;
    int winding = 0;
    for (end = begin; end < placed.size() && placed[end].row == row; ++end) {
      if (winding != 0 && placed[end].crossing.x > placed[end - 1].crossing.x)
        inside_[row].push_back({placed[end - 1].crossing.x, placed[end].crossing.x});
      winding += placed[end].crossing.side;
    }
    joinParts(inside_[row]);
  }
}

namespace {

Real lengthOf(std::span<const RowPart> parts) noexcept {
  Real length = 0.0;
  for (const RowPart& part : parts) length += part.end - part.begin;
  return length;
}

/// The length that two lists have in common; both ascend.
Real commonLength(std::span<const RowPart> a, std::span<const RowPart> b) noexcept {
  Real length = 0.0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    length += std::max(0.0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    if (a[i].end < b[j].end)
      ++i;
    else
      ++j;
  }
  return length;
}

}  // namespace

UnionVolume measureUnion(const Polyhedron& polyhedron, std::span<const Sphere> spheres, int rows) {
  return measureUnion(polyhedron, SolidParts(polyhedron), spheres, rows);
}

UnionVolume measureUnion(const Polyhedron& polyhedron, const SolidParts& parts,
                         std::span<const Sphere> spheres, int rows) {
  Box region = polyhedron.bounds();
  for (const Sphere& sphere : spheres)
    region.include(Box{sphere.centre - sphere.radius, sphere.centre + sphere.radius});
  const Real spacing = std::max(region.extent().y, region.extent().z) / rows;
  const SolidRows solid(parts, region, spacing);
  UnionVolume volume;
  std::vector<RowPart> row;
  for (int z = 0; z < solid.countZ(); ++z)
    for (int y = 0; y < solid.countY(); ++y) {
      row.clear();
      for (const Sphere& sphere : spheres) {
        const Real dy = solid.yOf(y) - sphere.centre.y, dz = solid.zOf(z) - sphere.centre.z;
        const Real square = sphere.radius * sphere.radius - dy * dy - dz * dz;
        if (square <= 0.0) continue;
        const Real half = std::sqrt(square);
        row.push_back({sphere.centre.x - half, sphere.centre.x + half});
      }
      joinParts(row);
      const auto inside = solid.inside(y, z);
      const Real common = commonLength(row, inside);
      volume.solid += lengthOf(inside);
      volume.whole += lengthOf(row);
      volume.outside += lengthOf(row) - common;
      volume.missed += lengthOf(inside) - common;
    }
  const Real area = spacing * spacing;
  volume.solid *= area;
  volume.whole *= area;
  volume.outside *= area;
  volume.missed *= area;
  return volume;
}

}  // namespace nearmiss
