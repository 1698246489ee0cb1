// SPDX-License-Identifier: MIT
#include "builders/delaunay.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <utility>

#include "base/seeded_random.h"
#include "geometry/exact_predicates.h"

namespace nearmiss {
namespace {

/// Minimum distance of the far corners, relative to the extent.
constexpr Real outerCorners = 64.0;

/// For each corner, the corners of the opposite face, ordered so that their orientation with that
/// corner is positive.
constexpr std::array<std::array<std::size_t, 3>, 4> tetrahedronFaces{
    {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}}};

/// Spreads bits so that they occupy every third bit.
std::uint64_t spread(std::uint64_t x) noexcept {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

}  // namespace

Delaunay::Delaunay(std::span<const Vec3> points, const std::vector<bool>& skip,
                   const std::atomic<bool>* cancelled)
    : points_(points.begin(), points.end()) {
  enclose();
  // Random ranks: on a lattice, no point shall get the edges of all points around it
  rank_.resize(points_.size());
  for (std::uint32_t i = 0; i < rank_.size(); ++i) rank_[i] = i;
  SeededRandom random(36);
  for (std::size_t i = rank_.size(); i > 1; --i)
    std::swap(rank_[i - 1], rank_[static_cast<std::size_t>(random.unit() * static_cast<Real>(i))]);
  for (const std::uint32_t point : insertionOrder(skip)) {
    if (wasCancelled(cancelled)) break;
    insert(point);
  }
  dropFree();
}

void Delaunay::enclose() {
  Box bounds;
  for (const Vec3& p : points_) bounds.include(p);
  const Vec3 extent = bounds.extent();
  Real size = std::max({extent.x, extent.y, extent.z});
  // For a single point far from the origin, the size must exceed rounding errors
  size = std::max(size, 1e-6 * std::max(1.0, glm::length(bounds.centre())));
  const Real reach = 4.0 * outerCorners * size;
  const Vec3 centre = bounds.centre();
  const auto first = static_cast<std::uint32_t>(points_.size());
  for (const Vec3& direction : {Vec3(1, 1, 1), Vec3(-1, -1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1)})
    points_.push_back(centre + reach * direction);
  Tetrahedron whole{{first, first + 1, first + 2, first + 3}, {none, none, none, none}};
  if (orientation(points_[first], points_[first + 1], points_[first + 2], points_[first + 3]) < 0)
    std::swap(whole.corners[0], whole.corners[1]);
  tetrahedra_.push_back(whole);
  mark_.push_back(none);
}

/// Returns rounds of random points, each twice as long as the one before, so that the expected work
/// does not depend on the distribution of points. Each round follows a space-filling curve, so that
/// the next point is near.
std::vector<std::uint32_t> Delaunay::insertionOrder(const std::vector<bool>& skip) const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < skip.size(); ++i)
    if (!skip[i]) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
  Box bounds;
  for (const std::uint32_t i : order) bounds.include(points_[i]);
  const Vec3 extent = bounds.extent();
  const Real size = std::max({extent.x, extent.y, extent.z, 1e-300});
  const auto along = [&](std::uint32_t i) {
    const Vec3 at = (points_[i] - bounds.low) / size * 2097151.0;
    return spread(static_cast<std::uint64_t>(at.x)) |
           spread(static_cast<std::uint64_t>(at.y)) << 1 |
           spread(static_cast<std::uint64_t>(at.z)) << 2;
  };
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
  for (const std::uint32_t i : order) keyed.emplace_back(along(i), i);
  for (std::size_t end = keyed.size(); end > 0;) {
    const std::size_t begin = end > 64 ? end / 2 : 0;
    std::sort(keyed.begin() + static_cast<std::ptrdiff_t>(begin),
              keyed.begin() + static_cast<std::ptrdiff_t>(end));
    end = begin;
  }
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = keyed[i].second;
  return order;
}

void Delaunay::insert(std::uint32_t point) {
  hollow(point, locate(point));
  fill(point);
}

/// Returns the tetrahedron that a point lies in or on. Walks from the last one, always across a
/// face that has the point beyond it. In a Delaunay triangulation this never cycles.
std::uint32_t Delaunay::locate(std::uint32_t point) {
  std::uint32_t at = last_;
  for (std::uint32_t turn = 0;; ++turn) {
    const Tetrahedron& t = tetrahedra_[at];
    std::uint32_t next = none;
    for (std::uint32_t k = 0; k < 4 && next == none; ++k) {
      // Vary the face that is tested first
      const std::uint32_t face = (k + turn) % 4;
      const auto& f = tetrahedronFaces[face];
      if (orientation(points_[t.corners[f[0]]], points_[t.corners[f[1]]], points_[t.corners[f[2]]],
                      points_[point]) < 0)
        next = t.across[face];
    }
    if (next == none) return at;
    at = next;
  }
}

/// Returns true if a point lies inside the sphere through four corners. If it lies on the sphere,
/// one of the five points counts as lifted: the one with the highest rank whose removal leaves four
/// points with a volume. If that is the new point, it is outside. If it is a corner, the new point
/// is inside if it lies on that corner's side of the other three.
bool Delaunay::conflicts(const Tetrahedron& t, std::uint32_t point) const noexcept {
  const auto at = [&](std::size_t i) -> const Vec3& { return points_[t.corners[i]]; };
  const int sign = inSphere(at(0), at(1), at(2), at(3), points_[point]);
  if (sign != 0) return sign > 0;
  std::array<std::uint32_t, 5> byRank{t.corners[0], t.corners[1], t.corners[2], t.corners[3],
                                      point};
  std::sort(byRank.begin(), byRank.end(),
            [this](std::uint32_t a, std::uint32_t b) { return rank_[a] > rank_[b]; });
  for (const std::uint32_t lifted : byRank) {
    if (lifted == point) return false;
    std::array<std::uint32_t, 4> replaced = t.corners;
    std::replace(replaced.begin(), replaced.end(), lifted, point);
    const int side = orientation(points_[replaced[0]], points_[replaced[1]], points_[replaced[2]],
                                 points_[replaced[3]]);
    if (side != 0) return side > 0;
  }
  return false;
}

/// Removes all tetrahedra that a point conflicts with, which are connected. Fills hollow_ and rim_.
void Delaunay::hollow(std::uint32_t point, std::uint32_t start) {
  // A mark is twice the point's number if the tetrahedron conflicts, and one more if it does not
  const std::uint32_t inside = 2 * point, outside = 2 * point + 1;
  hollow_.assign(1, start);
  rim_.clear();
  mark_[start] = inside;
  for (std::size_t i = 0; i < hollow_.size(); ++i) {
    const Tetrahedron& t = tetrahedra_[hollow_[i]];
    for (std::uint32_t face = 0; face < 4; ++face) {
      const std::uint32_t next = t.across[face];
      if (next != none && mark_[next] != inside && mark_[next] != outside) {
        mark_[next] = conflicts(tetrahedra_[next], point) ? inside : outside;
        if (mark_[next] == inside) hollow_.push_back(next);
      }
      if (next != none && mark_[next] == inside) continue;
      std::uint32_t back = 0;
      if (next != none)
        while (tetrahedra_[next].across[back] != hollow_[i]) ++back;
      const auto& f = tetrahedronFaces[face];
      rim_.push_back({next, back, {t.corners[f[0]], t.corners[f[1]], t.corners[f[2]]}});
    }
  }
  for (const std::uint32_t t : hollow_) {
    tetrahedra_[t].corners[0] = none;
    free_.push_back(t);
  }
}

/// Connects the faces of the rim to the point.
void Delaunay::fill(std::uint32_t point) {
  walls_.clear();
  for (const Rim& rim : rim_) {
    std::uint32_t at;
    if (free_.empty()) {
      at = static_cast<std::uint32_t>(tetrahedra_.size());
      tetrahedra_.emplace_back();
      mark_.push_back(none);
    } else {
      at = free_.back();
      free_.pop_back();
    }
    Tetrahedron& t = tetrahedra_[at];
    mark_[at] = none;
    t.corners = {rim.corners[0], rim.corners[1], rim.corners[2], point};
    t.across = {none, none, none, rim.outside};
    if (rim.outside != none) tetrahedra_[rim.outside].across[rim.backFace] = at;
    for (std::uint32_t face = 0; face < 3; ++face) {
      const auto [low, high] = std::minmax(t.corners[(face + 1) % 3], t.corners[(face + 2) % 3]);
      walls_.push_back({std::uint64_t{low} << 32 | high, at, face});
    }
    last_ = at;
  }
  // Every edge of the rim belongs to two of its faces
  std::sort(walls_.begin(), walls_.end(), [](const Wall& a, const Wall& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.tetrahedron < b.tetrahedron;
  });
  for (std::size_t i = 0; i + 1 < walls_.size(); i += 2) {
    tetrahedra_[walls_[i].tetrahedron].across[walls_[i].face] = walls_[i + 1].tetrahedron;
    tetrahedra_[walls_[i + 1].tetrahedron].across[walls_[i + 1].face] = walls_[i].tetrahedron;
  }
}

void Delaunay::dropFree() {
  std::vector<std::uint32_t> indexOf(tetrahedra_.size(), none);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < tetrahedra_.size(); ++i)
    if (tetrahedra_[i].corners[0] != none) indexOf[i] = count++;
  for (std::uint32_t i = 0; i < tetrahedra_.size(); ++i) {
    if (indexOf[i] == none) continue;
    Tetrahedron t = tetrahedra_[i];
    for (std::uint32_t& next : t.across)
      if (next != none) next = indexOf[next];
    tetrahedra_[indexOf[i]] = t;
  }
  tetrahedra_.resize(count);
}

}  // namespace nearmiss
