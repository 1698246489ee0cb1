// SPDX-License-Identifier: MIT
#include <nearmiss/flat_set.h>

#include "flat/solid_parts.h"
#include "flat/solid_rows.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

Real lengthOf(std::span<const RowPart> parts) noexcept {
  Real length = 0.0;
  for (const RowPart& part : parts) length += part.end - part.begin;
  return length;
}

/// Of what two lists have in common; both ascend.
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
  Box region = polyhedron.bounds();
  for (const Sphere& sphere : spheres)
    region.include(Box{sphere.centre - sphere.radius, sphere.centre + sphere.radius});
  const Real spacing = std::max(region.extent().y, region.extent().z) / rows;
  const SolidParts parts(polyhedron);
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
