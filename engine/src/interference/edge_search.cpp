// SPDX-License-Identifier: MIT
#include "interference/edge_search.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>

namespace nearmiss::engine {
namespace {

Real squaredFromTriangle(const Vec3& point, const Triangle& t) noexcept {
  return squaredDistance(point, closestOnTriangle(point, t));
}

/// Adds the points where sides of one triangle cross another, within `slack`.
void addCrossings(const Triangle& sides, const Triangle& face, Real slack,
                  std::vector<Vec3>& points) {
  const Vec3 normal = nearmiss::normalOf(face);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &from = sides[i], &to = sides[(i + 1) % 3];
    const Real first = glm::dot(from - face[0], normal), last = glm::dot(to - face[0], normal);
    if (first * last > 0.0 || first == last) continue;
    const Vec3 point = from + first / (first - last) * (to - from);
    if (squaredFromTriangle(point, face) <= slack * slack) points.push_back(point);
  }
}

/// Returns true if the planes of both triangles are parallel within rounding.
bool areParallel(const Triangle& a, const Triangle& b) noexcept {
  const Vec3 p = nearmiss::normalOf(a), q = nearmiss::normalOf(b);
  return glm::length(glm::cross(p, q)) <= 1e-9 * glm::length(p) * glm::length(q);
}

Real distanceFromBox(const Box& box, const Vec3& point) noexcept {
  return std::sqrt(squaredDistance(box, point));
}

}  // namespace

MeshEdges edgesOf(const TriangleMesh& mesh) {
  MeshEdges edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

EdgeSearch::Look EdgeSearch::lookAt(const Vec3& point, SurfaceSide side) const {
  const SurfacePoint nearest = other_.nearest(point);
  // This close to the surface the side does not matter
  if (nearest.distance <= limit_) return {nearest.distance, nearest.triangle};
  const bool inside = other_.contains(point);
  const bool onSide = inside == (side == SurfaceSide::Inside);
  return {onSide ? nearest.distance : -nearest.distance, nearest.triangle};
}

/// The distance from a triangle is convex: if both ends of a segment are within `most` of it, so is
/// the whole segment.
bool EdgeSearch::liesOn(std::uint32_t triangle, const Vec3& from, const Vec3& to, Real most) const {
  const Triangle corners = other_.mesh().corners(triangle);
  const Real squared = most * most;
  return squaredFromTriangle(from, corners) <= squared &&
         squaredFromTriangle(to, corners) <= squared;
}

/// Searches an edge for its point farthest from the surface on one side: halves it until no piece
/// can contain a point farther than the best one. Returns true if the whole search is finished.
bool EdgeSearch::walk(const Vec3& from, const Vec3& to, SurfaceSide side, bool first) {
  constexpr Real enough = 1.01;
  const Real rounded = 1e-3 * limit_;
  open_.assign(1, {from, to});
  while (!open_.empty() && !clock_.cancelled()) {
    const Piece piece = open_.back();
    open_.pop_back();
    const Vec3 middle = 0.5 * (piece.from + piece.to);
    const Real half = 0.5 * glm::distance(piece.from, piece.to);
    if (side == SurfaceSide::Inside && distanceFromBox(other_.bounds(), middle) >= half) continue;
    const Look look = lookAt(middle, side);
    if (look.away > best_.away) best_ = {look.away, middle};
    if (first && best_.away > limit_) return true;
    // The distance changes by at most the length along the edge
    if (look.away + half <= std::max(limit_, enough * best_.away)) continue;
    // Stop at pieces along a face, where no point is farther, however short the pieces are
    const Real known = std::max(limit_, best_.away + rounded);
    if (half <= 0.25 * limit_ || liesOn(look.triangle, piece.from, piece.to, known)) continue;
    open_.push_back({middle, piece.to});
    open_.push_back({piece.from, middle});
  }
  return false;
}

void EdgeSearch::search(SurfaceSide side, bool first) {
  best_ = {};
  const auto& positions = own_.mesh().positions;
  for (const Vec3& position : positions) {
    if (clock_.cancelled()) return;
    const Vec3 point = transformed(toOther_, position);
    const Real off = distanceFromBox(other_.bounds(), point);
    if (side == SurfaceSide::Inside && off > 0.0) continue;
    if (first && side == SurfaceSide::Outside && off > limit_) {
      best_ = {off, point};
      return;
    }
    const Look look = lookAt(point, side);
    if (look.away > best_.away) best_ = {look.away, point};
    if (first && best_.away > limit_) return;
  }
  for (const auto& [from, to] : edges_)
    if (clock_.cancelled() || walk(transformed(toOther_, positions[from]),
                                   transformed(toOther_, positions[to]), side, first))
      return;
}

bool EdgeSearch::reaches(SurfaceSide side) {
  search(side, true);
  return best_.away > limit_;
}

std::optional<EdgeSearch::Point> EdgeSearch::farthest(SurfaceSide side) {
  search(side, false);
  return best_.away > limit_ ? std::optional(best_) : std::nullopt;
}

void EdgeSearch::findCrossings(const Triangle& triangle) {
  crossings_.clear();
  Box box;
  for (const Vec3& corner : triangle) box.include(corner);
  box.low -= limit_;
  box.high += limit_;
  other_.forEachTriangleIn(box, [&](std::uint32_t t) {
    const Triangle face = other_.mesh().corners(t);
    if (areParallel(triangle, face)) return;
    addCrossings(triangle, face, limit_, crossings_);
    addCrossings(face, triangle, limit_, crossings_);
  });
}

/// Quarters a triangle, largest pieces first, until none can be much deeper or there are too many.
void EdgeSearch::quarter(const Triangle& whole) {
  constexpr std::size_t maxPieces = 200;
  constexpr Real worthwhileGain = 1.01;
  openFaces_.assign(1, whole);
  for (std::size_t i = 0; i < std::min(maxPieces, openFaces_.size()); ++i) {
    const auto [p, q, r] = openFaces_[i];
    const Vec3 middle = (p + q + r) / 3.0;
    const Real reach = std::sqrt(std::max(
        {squaredDistance(p, middle), squaredDistance(q, middle), squaredDistance(r, middle)}));
    if (distanceFromBox(other_.bounds(), middle) >= reach) continue;
    const Look look = lookAt(middle, SurfaceSide::Inside);
    if (look.away > best_.away) best_ = {look.away, middle};
    if (look.away + reach <= std::max(limit_, worthwhileGain * best_.away)) continue;
    if (liesOn(look.triangle, p, q, limit_) && liesOn(look.triangle, q, r, limit_)) continue;
    const Vec3 pq = 0.5 * (p + q), qr = 0.5 * (q + r), rp = 0.5 * (r + p);
    openFaces_.insert(openFaces_.end(), {{p, pq, rp}, {pq, q, qr}, {rp, qr, r}, {pq, qr, rp}});
  }
}

std::optional<EdgeSearch::Point> EdgeSearch::deepOnFace() {
  constexpr std::size_t maxPoints = 24;
  best_ = {};
  const TriangleMesh& mesh = own_.mesh();
  for (std::size_t t = 0; t < mesh.triangles.size() && !clock_.cancelled(); ++t) {
    Triangle triangle = mesh.corners(t);
    for (Vec3& corner : triangle) corner = transformed(toOther_, corner);
    findCrossings(triangle);
    // Sample points between pairs of points of the contour
    const std::size_t step = 1 + crossings_.size() / maxPoints;
    for (std::size_t i = 0; i < crossings_.size(); i += step)
      for (std::size_t k = 0; k < i; k += step) {
        const Vec3 middle = 0.5 * (crossings_[i] + crossings_[k]);
        const Real away = lookAt(middle, SurfaceSide::Inside).away;
        if (away > best_.away) best_ = {away, middle};
      }
    quarter(triangle);
  }
  return best_.away > limit_ ? std::optional(best_) : std::nullopt;
}

bool EdgeSearch::holdsFace() const {
  const TriangleMesh& mesh = own_.mesh();
  for (std::size_t t = 0; t < mesh.triangles.size() && !clock_.cancelled(); ++t) {
    const Triangle corners = mesh.corners(t);
    const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    if (lookAt(transformed(toOther_, middle), SurfaceSide::Inside).away > limit_) return true;
  }
  return false;
}

}  // namespace nearmiss::engine
