// SPDX-License-Identifier: MIT
#include "spheres/coverage.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// Corners must lie inside by this share of the radius, so that rounding cannot hide a gap.
constexpr Real pieceStrictness = 1e-12;
bool surelyIn(const Sphere& sphere, const Vec3& corner) noexcept {
  return glm::distance(corner, sphere.centre) <= sphere.radius * (1.0 - pieceStrictness);
}

}  // namespace

bool heldByOne(const Triangle& triangle, std::span<const Sphere> spheres) noexcept {
  return std::any_of(spheres.begin(), spheres.end(), [&triangle](const Sphere& s) {
    return std::all_of(triangle.begin(), triangle.end(),
                       [&s](const Vec3& corner) { return surelyIn(s, corner); });
  });
}

namespace {

using Vec2 = glm::dvec2;

/// More than all rounding errors, relative to the sizes involved.
constexpr Real lemmaMargin = 1e-11;

struct Disk {
  Vec2 centre;
  Real radius;
  std::size_t sphere = 0;  ///< the sphere that cuts it
};

/// Returns a measure of direction from 0 to 4 that increases with the angle, without trigonometry.
Real turnOf(const Vec2& v) noexcept {
  const Real part = v.y / (std::abs(v.x) + std::abs(v.y));
  return v.x >= 0.0 ? (part >= 0.0 ? part : 4.0 + part) : 2.0 - part;
}

Vec2 directionOf(Real turn) noexcept {
  const Real x = turn < 2.0 ? 1.0 - turn : turn - 3.0;
  const Real y = turn < 1.0 ? turn : turn < 3.0 ? 2.0 - turn : turn - 4.0;
  return glm::normalize(Vec2(x, y));
}

/// The arcs of a circle that need no further cover, as intervals of turns.
class CoveredArcs {
 public:
  /// Adds all directions whose angle to the unit vector `axis` has a cosine above `cosine`.
  void add(const Vec2& axis, Real cosine) {
    if (cosine < -1.0) whole_ = true;
    if (!(cosine < 1.0) || whole_) return;
    const Real sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    const Real begin =
        turnOf({axis.x * cosine + axis.y * sine, axis.y * cosine - axis.x * sine}) + lemmaMargin;
    const Real end =
        turnOf({axis.x * cosine - axis.y * sine, axis.y * cosine + axis.x * sine}) - lemmaMargin;
    // Rounding cannot swap the ends: the shortest interval, at a cosine near 1, is 1e-8 long
    if (end >= begin) {
      arcs_.emplace_back(begin, end);
    } else {
      arcs_.emplace_back(begin, 4.0);
      arcs_.emplace_back(0.0, end);
    }
  }

  /// Returns the middle of the first gap.
  [[nodiscard]] std::optional<Real> gap() {
    if (whole_) return {};
    std::sort(arcs_.begin(), arcs_.end());
    Real reached = 0.0;
    for (const auto& [begin, end] : arcs_) {
      if (begin > reached) return 0.5 * (reached + begin);
      reached = std::max(reached, end);
    }
    if (reached < 4.0) return 0.5 * (reached + 4.0);
    return {};
  }

 private:
  std::vector<std::pair<Real, Real>> arcs_;
  bool whole_ = false;
};

/// The triangle's plane, with its first corner as the origin.
class FlatTriangle {
 public:
  explicit FlatTriangle(const Triangle& triangle) noexcept : origin_(triangle[0]) {
    const Vec3 u = triangle[1] - origin_, v = triangle[2] - origin_;
    const Vec3 across = glm::cross(u, v);
    const Real area = glm::length(across);
    // The thinner the corner, the less accurate is its normal
    constexpr Real roundings = 8.0 * std::numeric_limits<Real>::epsilon();
    const Real rounded = roundings * glm::length(u) * glm::length(v);
    known_ = rounded < 0.25 * area;
    if (!known_) return;
    margin_ = lemmaMargin + rounded / area;
    x_ = glm::normalize(u);
    normal_ = glm::normalize(across);
    y_ = glm::cross(normal_, x_);
    corners_[0] = {0.0, 0.0};
    corners_[1] = {glm::length(u), 0.0};
    corners_[2] = {glm::dot(v, x_), glm::dot(v, y_)};
    size_ = std::max(glm::length(u), glm::length(v));
  }

  /// Returns a disk not larger, or not smaller, than the sphere's disk. Radius 0: the sphere does
  /// not reach the plane.
  [[nodiscard]] Disk diskWithin(const Sphere& sphere) const noexcept { return disk(sphere, -1.0); }
  [[nodiscard]] Disk diskAround(const Sphere& sphere) const noexcept { return disk(sphere, 1.0); }

  [[nodiscard]] Vec2 flat(const Vec3& p) const noexcept {
    return {glm::dot(p - origin_, x_), glm::dot(p - origin_, y_)};
  }

  [[nodiscard]] const Vec2& corner(std::size_t i) const noexcept { return corners_[i % 3]; }
  [[nodiscard]] Real size() const noexcept { return size_; }
  /// False for needles, whose plane is mostly rounding error. Do not call other functions then.
  [[nodiscard]] bool isKnown() const noexcept { return known_; }
  [[nodiscard]] Vec3 lifted(const Vec2& p) const noexcept { return origin_ + p.x * x_ + p.y * y_; }

 private:
  [[nodiscard]] Disk disk(const Sphere& sphere, Real side) const noexcept {
    const Vec3 to = sphere.centre - origin_;
    const Real height = glm::dot(to, normal_);
    // Rounding errors of the frame move points in proportion to their distance
    const Real slack = margin_ * (sphere.radius + glm::length(to) + size_);
    const Real radius = sphere.radius + side * slack;
    const Real square = radius * radius - height * height;
    return {flat(sphere.centre), radius > 0.0 && square > 0.0 ? std::sqrt(square) : 0.0};
  }

  Vec3 origin_, x_, y_, normal_;
  Vec2 corners_[3];
  Real size_ = 0.0;
  Real margin_ = lemmaMargin;
  bool known_ = false;
};

/// Returns the disks; only some if cancelled.
std::vector<Disk> disksOf(const FlatTriangle& plane, std::span<const Sphere> spheres,
                          const std::atomic<bool>* cancelled) {
  std::vector<Disk> all, disks;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    Disk disk = plane.diskWithin(spheres[i]);
    disk.sphere = i;
    if (disk.radius > 0.0) all.push_back(disk);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Disk& a, const Disk& b) { return a.radius > b.radius; });
  // A disk within another adds nothing. Of two equal disks, each would seem to hide the other's
  // rim, so remove one
  for (const Disk& disk : all) {
    if (wasCancelled(cancelled)) break;
    if (std::none_of(disks.begin(), disks.end(), [&](const Disk& other) {
          return glm::distance(other.centre, disk.centre) + disk.radius <=
                 other.radius * (1.0 + lemmaMargin);
        }))
      disks.push_back(disk);
  }
  return disks;
}

/// Adds the directions in which a circle lies outside the clipping disk, which need no cover.
void addOutside(const Disk& clip, const Disk& disk, CoveredArcs& arcs) {
  const Vec2 away = disk.centre - clip.centre;
  const Real distance = glm::length(away);
  const Real squares = disk.radius * disk.radius + distance * distance;
  const Real square = clip.radius * clip.radius;
  const Real slack = lemmaMargin * (squares + square);
  if (distance > 0.0)
    arcs.add(away / distance, (square - squares + slack) / (2.0 * distance * disk.radius));
  else if (squares > square + slack)
    arcs.add({1.0, 0.0}, -2.0);
}

/// Maximum number of splits of one triangle if the lemma does not decide.
constexpr int maxSplits = 4000;

/// Returns true if some point of the piece may be in `clip`. Without a clip all are.
bool mayMeet(const Triangle& piece, const Sphere* clip) noexcept {
  if (!clip) return true;
  const Vec3 middle = (piece[0] + piece[1] + piece[2]) / 3.0;
  Real reach = clip->radius;
  for (const Vec3& corner : piece)
    reach = std::max(reach, clip->radius + glm::distance(middle, corner));
  return glm::distance(middle, clip->centre) <= reach * (1.0 + pieceStrictness);
}

/// Returns a corner of a piece that lies wholly in no sphere, after a limited number of splits;
/// nothing if every piece in `clip` lies in one sphere. Decides slivers, in whose planes the lemma
/// is too imprecise.
std::optional<Vec3> openInPieces(const Triangle& triangle, std::span<const Sphere> spheres,
                                 const Sphere* clip, const std::atomic<bool>* cancelled) {
  const auto isOpen = [&](const Vec3& corner) {
    return !(clip && glm::distance(corner, clip->centre) > clip->radius) &&
           std::none_of(spheres.begin(), spheres.end(),
                        [&corner](const Sphere& s) { return surelyIn(s, corner); });
  };
  std::vector<Triangle> open{triangle};
  for (int splits = 0; !open.empty();) {
    const Triangle piece = open.back();
    open.pop_back();
    if (!mayMeet(piece, clip) || heldByOne(piece, spheres)) continue;
    // However often the piece is split, some part keeps that corner
    for (const Vec3& corner : piece)
      if (isOpen(corner)) return corner;
    if (++splits > maxSplits || wasCancelled(cancelled)) return piece[0];
    for (const Triangle& half : halves(piece)) open.push_back(half);
  }
  return {};
}

/// Without `clip`, the whole triangle is to be covered.
/// @param rims for each sphere, whether the rim of its disk is known to be covered. Skips such
/// rims, and marks those found to be covered. Null: tests all rims
std::optional<Vec3> uncovered(const Triangle& triangle, std::span<const Sphere> spheres,
                              const Sphere* clip, std::vector<bool>* rims,
                              const std::atomic<bool>* cancelled) {
  const FlatTriangle plane(triangle);
  if (!plane.isKnown()) return openInPieces(triangle, spheres, clip, cancelled);
  const std::vector<Disk> disks = disksOf(plane, spheres, cancelled);
  const auto covered = [&disks](const Vec2& p) {
    return std::any_of(disks.begin(), disks.end(), [&p](const Disk& disk) {
      return glm::distance(disk.centre, p) < disk.radius * (1.0 - lemmaMargin);
    });
  };
  Disk clipping;
  if (clip) {
    clipping = plane.diskAround(*clip);
    if (!(clipping.radius > 0.0)) return {};
    // The point of the triangle nearest to the clipping disk's centre represents their intersection
    const Vec3 nearest = closestOnTriangle(plane.lifted(clipping.centre), triangle);
    if (glm::distance(plane.flat(nearest), clipping.centre) > clipping.radius) return {};
    if (!covered(plane.flat(nearest))) return nearest;
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (!covered(plane.corner(i)) &&
        !(clip && glm::distance(plane.corner(i), clipping.centre) > clipping.radius))
      return triangle[i];

  for (const Disk& disk : disks) {
    if (wasCancelled(cancelled)) return triangle[0];
    if (rims && (*rims)[disk.sphere]) continue;
    CoveredArcs arcs;
    // Arcs outside the triangle need no cover
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 along = glm::normalize(plane.corner(i + 1) - plane.corner(i));
      const Vec2 outward(along.y, -along.x);
      const Vec2 to = plane.corner(i) - disk.centre;
      const Real slack = lemmaMargin * (glm::length(to) + plane.size());
      arcs.add(outward, (glm::dot(to, outward) + slack) / disk.radius);
    }
    if (clip) addOutside(clipping, disk, arcs);
    for (const Disk& other : disks) {
      if (&other == &disk) continue;
      // Never 0: of two concentric disks the smaller was removed
      const Vec2 to = other.centre - disk.centre;
      const Real distance = glm::length(to);
      const Real squares = disk.radius * disk.radius + distance * distance;
      const Real slack = lemmaMargin * (squares + other.radius * other.radius);
      arcs.add(to / distance,
               (squares - other.radius * other.radius + slack) / (2.0 * distance * disk.radius));
    }
    if (const auto turn = arcs.gap())
      return plane.lifted(disk.centre + disk.radius * directionOf(*turn));
    if (rims) (*rims)[disk.sphere] = true;
  }
  return {};
}

}  // namespace

std::optional<Vec3> uncoveredPoint(const Triangle& triangle, std::span<const Sphere> spheres,
                                   const std::atomic<bool>* cancelled) {
  return uncovered(triangle, spheres, nullptr, nullptr, cancelled);
}

std::optional<Vec3> uncoveredPoint(const Triangle& triangle, std::span<const Sphere> spheres,
                                   const Sphere& clip, const std::atomic<bool>* cancelled) {
  return uncovered(triangle, spheres, &clip, nullptr, cancelled);
}

GrowingCover::GrowingCover(const Triangle& triangle, const Sphere* clip) : triangle_(triangle) {
  if (clip) clip_ = *clip;
}

void GrowingCover::add(const Sphere& sphere) {
  spheres_.push_back(sphere);
  rims_.push_back(false);
}

void GrowingCover::grow(std::size_t i, const Sphere& larger) {
  spheres_[i] = larger;
  rims_[i] = false;
}

std::optional<Vec3> GrowingCover::uncoveredPoint(const std::atomic<bool>* cancelled) {
  const Sphere* clip = clip_ ? &*clip_ : nullptr;
  if (const auto open = uncovered(triangle_, spheres_, clip, &rims_, cancelled)) return open;
  // A disk that has absorbed others may leave a gap of rounding size between their neighbours
  std::fill(rims_.begin(), rims_.end(), false);
  return uncovered(triangle_, spheres_, clip, &rims_, cancelled);
}

std::optional<Vec3> openPoint(const Triangle& triangle, std::span<const Sphere> spheres,
                              const std::atomic<bool>* cancelled) {
  if (heldByOne(triangle, spheres)) return {};
  const auto open = uncoveredPoint(triangle, spheres, cancelled);
  if (open && !openInPieces(triangle, spheres, nullptr, cancelled)) return {};
  return open;
}

std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron, const Sphere& ball) {
  std::vector<std::uint32_t> triangles;
  polyhedron.forEachTriangleIn(
      {ball.centre - ball.radius, ball.centre + ball.radius}, [&](std::uint32_t t) {
        const Vec3 nearest = closestOnTriangle(ball.centre, polyhedron.mesh().corners(t));
        if (glm::distance(nearest, ball.centre) <= ball.radius) triangles.push_back(t);
      });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace nearmiss
