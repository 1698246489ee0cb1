// SPDX-License-Identifier: MIT
#include "geometry/winding_inside.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/disjoint_sets.h"
#include "geometry/box_measures.h"
#include "geometry/box_search.h"
#include "geometry/closest_points.h"
#include "geometry/convex_polygon.h"
#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"
#include "geometry/nearest_probe.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// Relative to the largest coordinate; more than a thousand rounding errors.
constexpr Real clearanceShare = 1e-12;
/// Relative to the body's diagonal: triangles that intersect others are divided down to this size.
constexpr Real finestShare = 1.0 / 256.0;
/// Approximate maximum number of parts along intersections. If there would be more, the parts are
/// larger.
constexpr Real wantedParts = 16384.0;
/// Maximum number of divisions of one triangle, per part of its longest edge. A triangle that is
/// crossed all over needs more, and is left in large parts.
constexpr Real divisionsPerLength = 24.0;
/// A part of a triangle is cut into cells once at most this many triangles cross it. If it cannot
/// be divided any further, the limit is maxPlanesOfLast.
constexpr std::size_t maxPlanes = 3, maxPlanesOfLast = 16;

Real longestEdge(const Triangle& t, std::size_t& from) noexcept {
  Real longest = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real squared = squaredDistance(t[i], t[(i + 1) % 3]);
    if (squared <= longest) continue;
    longest = squared;
    from = i;
  }
  return std::sqrt(longest);
}

Real longestEdge(const Triangle& t) noexcept {
  std::size_t from = 0;
  return longestEdge(t, from);
}

/// Sign of the first coordinate of the normal, decided exactly.
int facingAlongX(const Triangle& t) noexcept {
  return orientation2d(Projection::AlongX, t[0], t[1], t[2]);
}

}  // namespace

/// A triangle, and the others that intersect it or a part of it.
struct WindingInside::Crossed {
  std::uint32_t triangle = 0;
  std::span<const std::uint32_t> others;
};

WindingInside::WindingInside(const Polyhedron& surface)
    : surface_(&surface),
      boxes_(&surfaceOf(surface).boxes()),
      buried_(surface.mesh().triangles.size(), 0) {
  const TriangleMesh& mesh = surface.mesh();
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  const Box& bounds = surface.bounds();
  clearance_ = clearanceShare * largestCoordinate(bounds);
  resolution_ = finestShare * glm::length(bounds.extent());

  MeetingTriangles pairs = surface.parts_->meeting;
  // If there are too many intersections, not all pairs are known; then everything counts as
  // boundary
  const bool all = surface.report().selfIntersections == maxSelfIntersections;
  const std::size_t known = pairs.size();
  for (std::size_t i = 0; i < known; ++i) pairs.push_back({pairs[i][1], pairs[i][0]});
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::uint32_t> others;
  others.reserve(pairs.size());
  for (const auto& pair : pairs) others.push_back(pair[1]);

  std::vector<char> crossed(count, all ? 1 : 0);
  Real length = 0.0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && pairs[i][0] == pairs[i - 1][0]) continue;
    crossed[pairs[i][0]] = 1;
    length += longestEdge(mesh.corners(pairs[i][0]));
  }
  resolution_ = std::max(resolution_, length / wantedParts);
  findBuried(crossed);

  for (std::uint32_t t = 0; t < count; ++t)
    if (buried_[t] == 0 && (all || crossed[t] == 0)) keep(t, mesh.corners(t));
  for (std::size_t begin = 0, end; begin < pairs.size(); begin = end) {
    end = begin + 1;
    while (end < pairs.size() && pairs[end][0] == pairs[begin][0]) ++end;
    divide({pairs[begin][0], std::span(others).subspan(begin, end - begin)});
  }
  // Rounding could remove everything
  if (boundary_->triangles.empty()) {
    buried_.assign(count, 0);
    for (std::uint32_t t = 0; t < count; ++t) keep(t, mesh.corners(t));
  }
  boundaryBoxes_.emplace(*boundary_);
}

bool WindingInside::contains(const Vec3& point) const {
  if (!surface_->bounds().contains(point)) return false;
  WindingCount count(point);
  boxes_->anyOverlapping(count.region(), [&](std::uint32_t t) {
    count.add(surface_->mesh().corners(t));
    return count.onSurface();
  });
  return count.inside();
}

/// Returns the winding number in front of a triangle, near its point `at`. The point may be off the
/// plane by rounding errors: its side is decided exactly.
int WindingInside::windingInFrontOf(std::uint32_t triangle, const Vec3& at) const {
  WindingCount count(at);
  boxes_->anyOverlapping(count.region(), [&](std::uint32_t t) {
    if (t != triangle) count.add(surface_->mesh().corners(t));
    return false;
  });
  const Triangle own = surface_->mesh().corners(triangle);
  const int side = orientation(own[0], own[1], own[2], at);
  if (side == 0) {
    // From just in front of the triangle, the ray hits it if the triangle faces against the ray
    return count.winding() - (facingAlongX(own) < 0 ? 1 : 0);
  }
  WindingCount itself(at);
  itself.add(own);
  return count.winding() + itself.winding() - (side > 0 ? 1 : 0);
}

/// Returns a lower bound of the winding number in front of a point of a triangle. Near another
/// sheet of the surface, rounding may put the point on the wrong side of it, so a second point
/// slightly in front is tested too.
int WindingInside::certainlyInFrontOf(std::uint32_t triangle, const Vec3& at) const {
  const int exact = windingInFrontOf(triangle, at);
  if (exact <= 0) return exact;
  const Vec3 front = at + clearance_ * unitNormalOf(surface_->mesh().corners(triangle));
  WindingCount count(front);
  boxes_->anyOverlapping(count.region(), [&](std::uint32_t t) {
    count.add(surface_->mesh().corners(t));
    return false;
  });
  return count.onSurface() ? 0 : std::min(exact, count.winding());
}

/// Triangles that nothing crosses and that share an edge have the same winding number in front of
/// them. So only the largest of all connected triangles is tested.
void WindingInside::findBuried(const std::vector<char>& crossed) {
  const TriangleMesh& mesh = surface_->mesh();
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  DisjointSets patches(count);
  forEachEdge(sortedEdges(mesh), [&](std::span<const EdgeUse> uses) {
    for (const EdgeUse& use : uses.subspan(1))
      if (crossed[use.triangle] == 0 && crossed[uses[0].triangle] == 0)
        patches.join(use.triangle, uses[0].triangle);
  });
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> largest(count, none);  // by root
  for (std::uint32_t t = 0; t < count; ++t) {
    if (crossed[t] != 0) continue;
    std::uint32_t& best = largest[patches.find(t)];
    if (best == none || areaOf(mesh.corners(t)) > areaOf(mesh.corners(best))) best = t;
  }
  for (std::uint32_t& t : largest)
    if (t != none && certainlyInFrontOf(t, centreOf(mesh.corners(t))) <= 0) t = none;
  for (std::uint32_t t = 0; t < count; ++t)
    buried_[t] = crossed[t] == 0 && largest[patches.find(t)] != none ? 1 : 0;
}

void WindingInside::keep(std::uint32_t triangle, const Triangle& part) {
  const auto first = static_cast<std::uint32_t>(boundary_->positions.size());
  boundary_->positions.insert(boundary_->positions.end(), part.begin(), part.end());
  boundary_->triangles.push_back({first, first + 1, first + 2});
  triangleOf_.push_back(triangle);
}

/// Keeps the cells of a part that are not buried. Other triangles change the winding number only
/// where they cross the part, so it is constant within a cell.
/// @return true if all cells stay
bool WindingInside::keepCells(const Crossed& part, const Triangle& corners,
                              std::vector<ConvexPolygon>& kept) const {
  const Triangle own = surface_->mesh().corners(part.triangle);
  const Vec3 normal = unitNormalOf(own);
  std::vector<ConvexPolygon> cells{ConvexPolygon(corners.begin(), corners.end())};
  const auto cut = [&cells, this](const Vec3& origin, const Vec3& along) {
    std::vector<ConvexPolygon> parts;
    for (const ConvexPolygon& cell : cells) {
      for (const Real sign : {1.0, -1.0}) {
        ConvexPolygon half = clipped(cell, origin, sign * along);
        if (isWide(half, clearance_)) parts.push_back(std::move(half));
      }
    }
    cells = std::move(parts);
  };
  for (const std::uint32_t t : part.others) {
    const Triangle other = surface_->mesh().corners(t);
    const Vec3 across = unitNormalOf(other);
    cut(other[0], across);
    // A coplanar triangle ends at its edges
    const auto height = [&](const Vec3& p) { return std::abs(glm::dot(across, p - other[0])); };
    if (std::max({height(corners[0]), height(corners[1]), height(corners[2])}) > 8.0 * clearance_)
      continue;
    for (std::size_t i = 0; i < 3; ++i)
      cut(other[i], glm::normalize(glm::cross(normal, other[(i + 1) % 3] - other[i])));
  }
  const std::size_t before = kept.size();
  bool all = true;
  for (ConvexPolygon& cell : cells) {
    if (certainlyInFrontOf(part.triangle, centreOf(cell)) > 0)
      all = false;
    else
      kept.push_back(std::move(cell));
  }
  if (all) {
    kept.resize(before);
    kept.emplace_back(corners.begin(), corners.end());
  }
  return all;
}

/// Halves a triangle that others cross until few cross each part, and removes what is buried. If
/// both halves stay, keeps them as one.
void WindingInside::divide(const Crossed& whole) {
  const TriangleMesh& mesh = surface_->mesh();
  const Triangle corners = mesh.corners(whole.triangle);
  auto left =
      static_cast<std::size_t>(divisionsPerLength * (1.0 + longestEdge(corners) / resolution_));

  /// Adds what remains of a part to `kept`. Returns true if that is all of it.
  const auto divided = [&](const auto& self, const Triangle& part,
                           std::span<const std::uint32_t> others,
                           std::vector<ConvexPolygon>& kept) -> bool {
    const Box box = boxOf(part);
    std::vector<std::uint32_t> near;
    for (const std::uint32_t t : others) {
      const Triangle other = mesh.corners(t);
      if (overlap(box, boxOf(other)) && trianglesMeet(part, other)) near.push_back(t);
    }
    std::size_t from = 0;
    const bool last = longestEdge(part, from) <= resolution_ || left == 0;
    if (near.size() <= (last ? maxPlanesOfLast : maxPlanes))
      return keepCells({whole.triangle, near}, part, kept);
    if (last) {
      kept.emplace_back(part.begin(), part.end());
      return true;
    }
    --left;
    const Vec3 &p = part[from], &q = part[(from + 1) % 3], &apex = part[(from + 2) % 3];
    const Vec3 middle = 0.5 * (p + q);
    const std::size_t before = kept.size();
    const bool first = self(self, {p, middle, apex}, near, kept);
    const bool second = self(self, {middle, q, apex}, near, kept);
    if (!first || !second) return false;
    kept.resize(before);
    kept.emplace_back(part.begin(), part.end());
    return true;
  };
  std::vector<ConvexPolygon> kept;
  divided(divided, corners, whole.others, kept);
  buried_[whole.triangle] = kept.empty() ? 1 : 0;
  for (const ConvexPolygon& part : kept)
    for (std::size_t i = 2; i < part.size(); ++i)
      keep(whole.triangle, {part[0], part[i - 1], part[i]});
}

SurfacePoint WindingInside::nearestBoundary(const Vec3& point) const noexcept {
  NearestProbe probe(point, std::numeric_limits<Real>::infinity(), *boundaryBoxes_);
  BoxSearch<NearestProbe> search;
  search.begin(boundaryBoxes_->boxes());
  search.run(probe, TimeBudget::unlimited());
  return {probe.nearest(), probe.distance(), triangleOf_[probe.triangle()]};
}

const WindingInside* windingInsideOf(const Shape& shape) {
  if (!shape.polyhedron().report().hasWindingInside()) return nullptr;
  return &KeptWithShape::ofMesh(shape).get<WindingInside>(
      [&shape] { return WindingInside(shape.polyhedron()); });
}

}  // namespace nearmiss
