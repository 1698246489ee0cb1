// SPDX-License-Identifier: MIT
#include "spheres/surface_samples.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/seeded_random.h"
#include "geometry/closest_points.h"
#include "geometry/triangle_normal.h"
#include "spheres/point_grid.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

constexpr int relaxationRounds = 40;
/// How far a round moves two points apart, relative to the overlap of their neighbourhoods.
constexpr Real strength = 0.15;
/// Maximum number of triangles that a push may cross.
constexpr int maxPushSteps = 64;
constexpr std::uint32_t noTriangle = 0xffffffff;

Vec3 areaVector(const Triangle& t) noexcept { return 0.5 * normalOf(t); }

/// Returns the triangle across each edge. Edge e runs from corner e to corner e + 1.
std::vector<std::array<std::uint32_t, 3>> edgeNeighbours(const TriangleMesh& mesh) {
  struct Edge {
    std::uint32_t low, high, triangle, edge;
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Edge> edges;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::uint32_t e = 0; e < 3; ++e) {
      const std::uint32_t a = mesh.triangles[t][e], b = mesh.triangles[t][(e + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), t, e});
    }
  std::sort(edges.begin(), edges.end());
  std::vector<std::array<std::uint32_t, 3>> beyond(mesh.triangles.size(),
                                                   {noTriangle, noTriangle, noTriangle});
  for (std::size_t first = 0, last; first < edges.size(); first = last) {
    last = first + 1;
    while (last < edges.size() && edges[last].low == edges[first].low &&
           edges[last].high == edges[first].high)
      ++last;
    // If more than two triangles share an edge, they are linked in a cycle
    for (std::size_t i = first; i < last && last > first + 1; ++i)
      beyond[edges[i].triangle][edges[i].edge] = edges[i + 1 < last ? i + 1 : first].triangle;
  }
  return beyond;
}

class Relaxation {
 public:
  Relaxation(const TriangleMesh& mesh, std::size_t count)
      : mesh_(mesh), beyond_(edgeNeighbours(mesh)), radius_(1.5 * evenSpacing(mesh, count)) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      normals_.push_back(unitNormalOf(mesh.corners(t)));
    scatter(count);
  }

  std::vector<SurfaceSample> run(const std::atomic<bool>* cancelled) {
    for (int round = 0; round < relaxationRounds && !wasCancelled(cancelled); ++round) relax();
    return std::move(samples_);
  }

 private:
  void scatter(std::size_t count);
  void relax();
  [[nodiscard]] Vec3 push(std::uint32_t i, const PointGrid& grid) const;
  void walk(SurfaceSample& sample, Vec3 step) const;

  const TriangleMesh& mesh_;
  std::vector<std::array<std::uint32_t, 3>> beyond_;
  std::vector<Vec3> normals_;
  Real radius_;  ///< points within this distance push each other
  std::vector<SurfaceSample> samples_;
  std::vector<Vec3> positions_;
};

void Relaxation::scatter(std::size_t count) {
  std::vector<Real> upTo;
  Real total = 0.0;
  for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
    upTo.push_back(total += glm::length(areaVector(mesh_.corners(t))));
  SeededRandom random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::upper_bound(upTo.begin(), upTo.end(), total * random.unit());
    const auto t = static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(at - upTo.begin(), std::ssize(upTo) - 1));
    Real u = random.unit(), v = random.unit();
    if (u + v > 1.0) {
      u = 1.0 - u;
      v = 1.0 - v;
    }
    const Triangle c = mesh_.corners(t);
    samples_.push_back({c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]), t});
  }
}

/// Moves all points at once, so that their order does not matter.
void Relaxation::relax() {
  positions_.clear();
  for (const SurfaceSample& sample : samples_) positions_.push_back(sample.position);
  const PointGrid grid(positions_, radius_);
  std::vector<Vec3> steps;
  for (std::uint32_t i = 0; i < samples_.size(); ++i) steps.push_back(push(i, grid));
  for (std::size_t i = 0; i < samples_.size(); ++i) walk(samples_[i], steps[i]);
}

Vec3 Relaxation::push(std::uint32_t i, const PointGrid& grid) const {
  const Vec3 normal = normals_[samples_[i].triangle];
  Vec3 sum(0.0);
  grid.forEachNear(positions_[i], radius_, [&](std::uint32_t j) {
    // Points on the two sides of a thin plate do not push each other
    if (j == i || glm::dot(normal, normals_[samples_[j].triangle]) < -0.2) return;
    const Vec3 between = positions_[i] - positions_[j];
    const Real distance = glm::length(between);
    if (distance >= radius_ || distance == 0.0) return;
    // Rotate the neighbour into this point's plane at its true distance
    const Vec3 flat = between - glm::dot(between, normal) * normal;
    const Real length = glm::length(flat);
    if (length < 1e-6 * distance) return;
    sum += flat * ((radius_ - distance) / length);
  });
  const Real most = 0.5 * radius_, length = glm::length(sum) * strength;
  return length > most ? sum * (strength * most / length) : sum * strength;
}

/// Moves the sample by `step`, which lies in the plane of its triangle.
void Relaxation::walk(SurfaceSample& sample, Vec3 step) const {
  Vec3 at = sample.position;
  std::uint32_t cameFrom = noTriangle;
  for (int i = 0; i < maxPushSteps; ++i) {
    const std::uint32_t t = sample.triangle;
    const Triangle c = mesh_.corners(t);
    const Vec3 normal = normals_[t];
    // Find the edge through which the step leaves first
    Real least = 1.0;
    std::size_t edge = 3;
    for (std::size_t e = 0; e < 3; ++e) {
      if (beyond_[t][e] == cameFrom && cameFrom != noTriangle) continue;
      const Vec3 outward = glm::cross(c[(e + 1) % 3] - c[e], normal);
      const Real speed = glm::dot(step, outward);
      if (speed <= 0.0) continue;
      const Real time = std::max(0.0, glm::dot(c[e] - at, outward) / speed);
      if (time < least) {
        least = time;
        edge = e;
      }
    }
    at += least * step;
    if (edge == 3) break;
    step *= 1.0 - least;
    const Vec3 along = glm::normalize(c[(edge + 1) % 3] - c[edge]);
    const std::uint32_t next = beyond_[t][edge];
    if (next == noTriangle) {
      // Slide along the rim
      step = glm::dot(step, along) * along;
      cameFrom = noTriangle;
      if (glm::dot(step, step) < 1e-12 * radius_ * radius_) break;
      continue;
    }
    // Rotate the rest of the step about the edge, into the next triangle
    const Vec3 outward = glm::cross(along, normal);
    Vec3 into(0.0);
    for (const Vec3& corner : mesh_.corners(next)) into += corner - c[edge];
    into -= glm::dot(into, along) * along;
    into -= glm::dot(into, normals_[next]) * normals_[next];
    if (glm::dot(into, into) == 0.0) break;
    step = glm::dot(step, along) * along + glm::dot(step, outward) * glm::normalize(into);
    cameFrom = t;
    sample.triangle = next;
  }
  // Rounding and truncated steps may leave the point outside its triangle
  sample.position = closestOnTriangle(at, mesh_.corners(sample.triangle));
}

}  // namespace

std::vector<Vec3> positionsOf(std::span<const SurfaceSample> points) {
  std::vector<Vec3> positions;
  for (const SurfaceSample& point : points) positions.push_back(point.position);
  return positions;
}

Real evenSpacing(const TriangleMesh& mesh, std::size_t count) noexcept {
  Real area = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    area += glm::length(areaVector(mesh.corners(t)));
  return std::sqrt(area / static_cast<Real>(std::max<std::size_t>(1, count)));
}

std::vector<SurfaceSample> evenPoints(const TriangleMesh& mesh, std::size_t count,
                                      const std::atomic<bool>* cancelled) {
  NEARMISS_ASSERT(!mesh.triangles.empty());
  return Relaxation(mesh, count).run(cancelled);
}

/// Multiples of powers of 1 / x modulo 1, with x^4 = x + 1.
Vec3 evenPoint(std::size_t k) noexcept {
  constexpr Vec3 step(0.8191725133961645, 0.6710436067037893, 0.5497004779019703);
  const Vec3 at = 0.5 + static_cast<Real>(k + 1) * step;
  return at - glm::floor(at);
}

std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count) {
  std::vector<Real> areaUpTo;
  Real area = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto p = mesh.corners(t);
    area += areaOf(p);
    areaUpTo.push_back(area);
  }
  std::vector<SurfaceSample> points;
  std::size_t t = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Real at = (static_cast<Real>(k) + 0.5) / static_cast<Real>(count) * area;
    while (t + 1 < areaUpTo.size() && areaUpTo[t] < at) ++t;
    const auto p = mesh.corners(t);
    Vec3 share = evenPoint(k);
    if (share.x + share.y > 1.0) share = 1.0 - share;
    points.push_back(
        {p[0] + share.x * (p[1] - p[0]) + share.y * (p[2] - p[0]), static_cast<std::uint32_t>(t)});
  }
  return points;
}

namespace {

SurfacePiece pieceOf(const std::array<Vec3, 3>& corners, std::uint32_t triangle) noexcept {
  return {corners, (corners[0] + corners[1] + corners[2]) / 3.0, triangle};
}

/// Interleaves the bits of three coordinates of 21 bits each.
std::uint64_t indexOnCurve(const Vec3& point, const Box& bounds) noexcept {
  const Vec3 extent = bounds.extent();
  const Real side = std::max({extent.x, extent.y, extent.z});
  std::uint64_t index = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real part = side > 0.0 ? (point[axis] - bounds.low[axis]) / side : 0.0;
    const auto cell = static_cast<std::uint64_t>(std::clamp(part, 0.0, 1.0) * 2097151.0);
    for (int bit = 0; bit < 21; ++bit) index |= (cell >> bit & 1) << (3 * bit + axis);
  }
  return index;
}

}  // namespace

std::array<SurfacePiece, 2> halves(const SurfacePiece& piece) noexcept {
  const auto parts = halves(piece.corners);
  return {pieceOf(parts[0], piece.triangle), pieceOf(parts[1], piece.triangle)};
}

Real areaOf(const SurfacePiece& piece) noexcept { return areaOf(piece.corners); }

bool isNeedle(const SurfacePiece& piece) noexcept {
  constexpr Real narrow = 1e-3;
  const Real length = longestEdge(piece.corners).length;
  return 2.0 * areaOf(piece) < narrow * length * length;
}

std::vector<SurfacePiece> surfacePieces(const TriangleMesh& mesh) {
  Box bounds;
  std::vector<SurfacePiece> pieces;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    pieces.push_back(pieceOf(mesh.corners(t), static_cast<std::uint32_t>(t)));
    bounds.include(pieces.back().middle);
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    order.emplace_back(indexOnCurve(pieces[i].middle, bounds), i);
  std::sort(order.begin(), order.end());
  std::vector<SurfacePiece> sorted;
  sorted.reserve(pieces.size());
  for (const auto& [index, i] : order) sorted.push_back(pieces[i]);
  return sorted;
}

void cutEvenly(std::vector<SurfacePiece>& pieces, std::size_t count) {
  if (pieces.empty()) return;
  Real area = 0.0;
  for (const SurfacePiece& piece : pieces) area += areaOf(piece);
  const Real shortest = 2.0 * std::sqrt(area / static_cast<Real>(count));
  const std::size_t most = pieces.size() + count;
  // A heap of lengths, the longest first; ties are broken by index
  using Candidate = std::pair<Real, std::size_t>;
  const auto shorter = [](const Candidate& a, const Candidate& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  std::vector<Candidate> heap;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    heap.emplace_back(longestEdge(pieces[i].corners).length, i);
  std::make_heap(heap.begin(), heap.end(), shorter);
  while (pieces.size() < most && heap.front().first > shortest) {
    std::pop_heap(heap.begin(), heap.end(), shorter);
    const std::size_t at = heap.back().second;
    heap.pop_back();
    const auto parts = halves(pieces[at]);
    pieces[at] = parts[0];
    pieces.push_back(parts[1]);
    for (const std::size_t part : {at, pieces.size() - 1}) {
      heap.emplace_back(longestEdge(pieces[part].corners).length, part);
      std::push_heap(heap.begin(), heap.end(), shorter);
    }
  }
}

std::vector<std::uint32_t> evenSample(std::span<const SurfacePiece> pieces, std::size_t count) {
  std::vector<std::uint32_t> sample;
  if (pieces.size() <= count) {
    sample.resize(pieces.size());
    std::iota(sample.begin(), sample.end(), 0u);
    return sample;
  }
  const auto weightOf = [](const SurfacePiece& piece) {
    const Real length = longestEdge(piece.corners).length;
    return length * length;
  };
  Real total = 0.0;
  for (const SurfacePiece& piece : pieces) total += weightOf(piece);
  if (!(total > 0.0)) {
    // All have length 0, so any choice is equally good
    for (std::size_t i = 0; i < count; ++i)
      sample.push_back(static_cast<std::uint32_t>(i * pieces.size() / count));
    return sample;
  }
  // Choose a piece whenever another share of the total is reached
  const Real share = total / static_cast<Real>(count);
  Real passed = 0.0, next = 0.0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    passed += weightOf(pieces[i]);
    if (passed <= next) continue;
    sample.push_back(static_cast<std::uint32_t>(i));
    next = (std::floor(passed / share) + 1.0) * share;
  }
  return sample;
}

}  // namespace nearmiss
