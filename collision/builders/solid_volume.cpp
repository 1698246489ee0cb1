// SPDX-License-Identifier: MIT
#include "builders/solid_volume.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/mesh.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "geometry/box_measures.h"
#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

/// Maximum number of parts, the largest first. The others are not proven to be covered.
constexpr std::size_t maxParts = 16'384;

}  // namespace

SolidParts::SolidParts(const Polyhedron& polyhedron, const std::atomic<bool>* cancelled) {
  if (polyhedron.report().solid()) {
    solid_ = &polyhedron;
    surfaces_.push_back(&polyhedron.mesh());
    return;
  }
  // A loose triangle attached to a closed part does not open it
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

using Corner = std::pair<Real, Real>;

/// Returns true if a, b, (y, z) turn left. Never true for both a, b and b, a, so that a line
/// through a shared edge crosses exactly one of its two triangles.
bool turnsLeft(const Vec3& a, const Vec3& b, Real y, Real z) noexcept {
  const bool swapped = Corner(b.y, b.z) < Corner(a.y, a.z);
  const Vec3& from = swapped ? b : a;
  const Vec3& to = swapped ? a : b;
  const Real turn = (to.y - from.y) * (z - from.z) - (to.z - from.z) * (y - from.y);
  return (turn > 0.0) != swapped;
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
    : surfaces_(parts.surfaces()),
      low_(region.low),
      spacing_(spacing),
      countY_(std::max(1, static_cast<int>(std::ceil(region.extent().y / spacing)))),
      countZ_(std::max(1, static_cast<int>(std::ceil(region.extent().z / spacing)))),
      inside_(static_cast<std::size_t>(countY_)) {
  for (std::uint32_t surface = 0; surface < surfaces_.size(); ++surface)
    for (std::uint32_t t = 0; t < surfaces_[surface]->triangles.size(); ++t) {
      const Triangle triangle = surfaces_[surface]->corners(t);
      // A triangle parallel to the lines has no side
      if (normalOf(triangle).x == 0.0) continue;
      const Box box = boxOf(triangle);
      const int first = firstLine(box.low.z, low_.z), last = lastLine(box.high.z, low_.z, countZ_);
      if (first <= last) crossed_.push_back({surface, t, first, last});
    }
  std::sort(crossed_.begin(), crossed_.end(),
            [](const Crossed& a, const Crossed& b) { return a.first > b.first; });
}

int SolidRows::firstLine(Real at, Real from) const noexcept {
  return std::max(0, static_cast<int>(std::floor((at - from) / spacing_ - 0.5)));
}

int SolidRows::lastLine(Real at, Real from, int count) const noexcept {
  return std::min(count - 1, static_cast<int>(std::ceil((at - from) / spacing_ - 0.5)));
}

void SolidRows::nextLayer() {
  ++layer_;
  std::erase_if(open_, [this](const Crossed& crossed) { return crossed.last < layer_; });
  for (; !crossed_.empty() && crossed_.back().first == layer_; crossed_.pop_back())
    open_.push_back(crossed_.back());
  crossings_.clear();
  for (const Crossed& crossed : open_) cross(crossed);
  fillRows();
}

/// Adds the crossings of the layer's lines with a triangle.
void SolidRows::cross(const Crossed& crossed) {
  const Triangle triangle = surfaces_[crossed.surface]->corners(crossed.triangle);
  const Vec3 &a = triangle[0], &b = triangle[1], &c = triangle[2];
  const Vec3 normal = normalOf(triangle);
  const Box box = boxOf(triangle);
  const int side = normal.x < 0.0 ? 1 : -1;
  const Real atZ = zOf(layer_);
  const int end = lastLine(box.high.y, low_.y, countY_);
  for (int y = firstLine(box.low.y, low_.y); y <= end; ++y) {
    const Real atY = yOf(y);
    const bool left = turnsLeft(a, b, atY, atZ);
    if (turnsLeft(b, c, atY, atZ) != left || turnsLeft(c, a, atY, atZ) != left) continue;
    const Real x = a.x - (normal.y * (atY - a.y) + normal.z * (atZ - a.z)) / normal.x;
    crossings_.push_back({y, crossed.surface, std::clamp(x, box.low.x, box.high.x), side});
  }
}

/// Each surface encloses its own parts of a row.
void SolidRows::fillRows() {
  std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
    return std::tuple(a.y, a.surface, a.x, -a.side) < std::tuple(b.y, b.surface, b.x, -b.side);
  });
  for (std::vector<RowPart>& row : inside_) row.clear();
  for (std::size_t begin = 0, end; begin < crossings_.size(); begin = end) {
    const Crossing& first = crossings_[begin];
    int winding = 0;
    for (end = begin; end < crossings_.size() && crossings_[end].y == first.y &&
                      crossings_[end].surface == first.surface;
         ++end) {
      if (winding != 0 && crossings_[end].x > crossings_[end - 1].x)
        inside_[static_cast<std::size_t>(first.y)].push_back(
            {crossings_[end - 1].x, crossings_[end].x});
      winding += crossings_[end].side;
    }
  }
  for (std::vector<RowPart>& row : inside_) joinParts(row);
}

namespace {

Real lengthOf(std::span<const RowPart> parts) noexcept {
  Real length = 0.0;
  for (const RowPart& part : parts) length += part.end - part.begin;
  return length;
}

/// Returns the length of the intersection of two lists of parts, both ascending.
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

/// Maximum coordinate and radius of a measured sphere, metres, and maximum number of rows of lines.
constexpr Real maxMeasured = 1e18;
constexpr int maxRows = 4096;

/// Returns the spheres with a valid radius and position.
std::vector<Sphere> soundBalls(std::span<const Sphere> spheres) {
  std::vector<Sphere> sound;
  std::ranges::copy_if(spheres, std::back_inserter(sound), [](const Sphere& sphere) {
    return sphere.radius >= 0.0 && sphere.radius <= maxMeasured &&
           isWithin(sphere.centre, maxMeasured);
  });
  return sound;
}

/// Returns the parts of a line that lie in balls, ascending and disjoint.
void ballsAlong(std::span<const Sphere> balls, Real atY, Real atZ, std::vector<RowPart>& row) {
  row.clear();
  for (const Sphere& ball : balls) {
    const Real dy = atY - ball.centre.y, dz = atZ - ball.centre.z;
    const Real square = ball.radius * ball.radius - dy * dy - dz * dz;
    if (square <= 0.0) continue;
    const Real half = std::sqrt(square);
    row.push_back({ball.centre.x - half, ball.centre.x + half});
  }
  joinParts(row);
}

}  // namespace

UnionVolume measureUnion(const Polyhedron& polyhedron, std::span<const Sphere> spheres, int rows) {
  return measureUnion(polyhedron, SolidParts(polyhedron), spheres, rows);
}

UnionVolume measureUnion(const Polyhedron& polyhedron, const SolidParts& parts,
                         std::span<const Sphere> spheres, int rows,
                         const std::atomic<bool>* cancelled) {
  const std::vector<Sphere> balls = soundBalls(spheres);
  Box region = polyhedron.bounds();
  for (const Sphere& ball : balls)
    region.include(Box{ball.centre - ball.radius, ball.centre + ball.radius});
  const Real spacing =
      std::max(region.extent().y, region.extent().z) / std::clamp(rows, 1, maxRows);
  UnionVolume volume;
  // Everything lies on one line
  if (!(spacing > 0.0)) return volume;
  SolidRows solid(parts, region, spacing);
  std::vector<RowPart> row;
  for (int z = 0; z < solid.countZ() && !wasCancelled(cancelled); ++z) {
    solid.nextLayer();
    for (int y = 0; y < solid.countY(); ++y) {
      ballsAlong(balls, solid.yOf(y), solid.zOf(z), row);
      const auto inside = solid.inside(y);
      const Real common = commonLength(row, inside);
      volume.solid += lengthOf(inside);
      volume.whole += lengthOf(row);
      volume.outside += lengthOf(row) - common;
      volume.missed += lengthOf(inside) - common;
    }
  }
  const Real area = spacing * spacing;
  volume.solid *= area;
  volume.whole *= area;
  volume.outside *= area;
  volume.missed *= area;
  return volume;
}

}  // namespace nearmiss
