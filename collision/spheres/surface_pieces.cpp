// SPDX-License-Identifier: MIT
#include "spheres/surface_pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geometry/closest_points.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
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
  // A heap of lengths, the longest first; ties are decided by index
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
  // Take a piece whenever a share of the total is passed
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
