// SPDX-License-Identifier: MIT
#include "geometry/contact_normal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/crossings.h"
#include "geometry/pieces_inside.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// An area vector shorter than this share of the contour's squared length is a rounding error.
constexpr Real minAreaShare = 1e-9;

/// A way out shorter than this share of the outer solid's radius is a rounding error.
constexpr Real minWayShare = 1e-12;

/// Maximum number of vertices of an inner solid from which ways out are searched. If there are
/// more, an evenly distributed subset is used.
constexpr std::size_t maxWaysOut = 128;

/// The curves in which two surfaces intersect, as sums over their segments.
class Contour {
 public:
  /// Adds a segment, directed so that the part of a's surface inside b lies to its left, as seen
  /// from outside a.
  void add(const Vec3& p, const Vec3& q) noexcept {
    // Use products about a point of the contour, because about a distant point they would cancel
    if (empty()) origin_ = p;
    const Vec3 from = p - origin_, to = q - origin_;
    const Real length = glm::distance(from, to);
    products_ += glm::cross(from, to);
    steps_ += to - from;
    centres_ += (0.5 * length) * (from + to);
    length_ += length;
  }

  [[nodiscard]] bool empty() const noexcept { return !(length_ > 0.0); }

  /// Returns the area vector of the surface that the contour bounds, or nothing if it is no longer
  /// than rounding errors. The curves of open surfaces have ends; they are closed through their
  /// centre.
  [[nodiscard]] std::optional<Vec3> areaVector() const noexcept {
    const Vec3 centre = centres_ / length_;
    const Vec3 area = 0.5 * (products_ - glm::cross(centre, steps_));
    const Real size = glm::length(area);
    if (!std::isfinite(size) || !(size > minAreaShare * length_ * length_)) return std::nullopt;
    return area;
  }

 private:
  Vec3 origin_{0.0}, products_{0.0}, steps_{0.0}, centres_{0.0};
  Real length_ = 0.0;
};

/// Returns nothing if too many triangles are near.
std::optional<Contour> contourOf(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                                 std::size_t maxLeafPairs) {
  const CrossingPath& path = crossingPaths().back();
  Contour contour;
  CrossingPairs pairs;
  CrossingSegments segments;
  std::size_t count = 0;
  const auto addAll = [&] {
    unsigned crossing = path.find(pairs, segments) & ((1u << count) - 1u);
    for (; crossing != 0; crossing &= crossing - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(crossing));
      contour.add(segments.beginOf(lane), segments.endOf(lane));
    }
    count = 0;
  };
  const bool all = TrianglePairs(a, b, bToA)
                       .forEach(
                           [&](std::uint32_t ta, const Triangle& triangleB) {
                             pairs.put(count++, a.mesh().corners(ta), triangleB);
                             if (count == CrossingPairs::width) addAll();
                           },
                           maxLeafPairs);
  if (!all) return std::nullopt;
  if (count > 0) addAll();
  return contour;
}

}  // namespace

void ContactSearch::begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                          std::size_t maxLeafPairs) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  aToB_ = inverseOf(bToA);
  maxLeafPairs_ = maxLeafPairs;
  found_.reset();
  enter(Stage::Contour);
}

void ContactSearch::enter(Stage stage) noexcept {
  stage_ = stage;
  next_ = 0;
  way_ = {};
  best_.reset();
  shortest_ = std::numeric_limits<Real>::infinity();
}

void ContactSearch::step(std::uint64_t& tests) {
  switch (stage_) {
    case Stage::Contour:
      return findContour();
    case Stage::PiecesOfA:
    case Stage::PiecesOfB:
      return lookAtPiece(tests);
    case Stage::WaysOfA:
    case Stage::WaysOfB:
      return way_.open ? lengthenWay(tests) : beginWay(tests);
    case Stage::Ended:
      return;
  }
}

void ContactSearch::findContour() {
  const auto contour = contourOf(*a_, *b_, bToA_, maxLeafPairs_);
  if (contour && contour->empty()) return enter(Stage::PiecesOfA);
  enter(Stage::Ended);
  if (!contour) return;
  if (const auto area = contour->areaVector()) found_ = -glm::normalize(*area);
}

Vec3 ContactSearch::toOuter(std::size_t vertex) const noexcept {
  return transformed(ofA() ? aToB_ : bToA_, inner().mesh().positions[vertex]);
}

/// Tests by one of its vertices whether a piece lies inside the other body.
void ContactSearch::lookAtPiece(std::uint64_t& tests) {
  const auto pieces = inner().components();
  if (!outer().report().solid() || next_ == pieces.size())
    return enter(ofA() ? Stage::PiecesOfB : Stage::Ended);
  if (pieces.size() > PiecesInside::freePieces) tests += PiecesInside::pointPrice;
  if (outer().contains(toOuter(pieces[next_++].vertex)))
    enter(ofA() ? Stage::WaysOfA : Stage::WaysOfB);
}

/// Starts with the next direction in which the last vertex may have the shortest way.
void ContactSearch::beginWay(std::uint64_t& tests) {
  const std::size_t count = inner().mesh().positions.size();
  if (next_ >= count) return endWays();
  const Vec3 from = toOuter(next_);
  next_ += (count + maxWaysOut - 1) / maxWaysOut;
  tests += PiecesInside::pointPrice;
  if (!outer().contains(from)) return;
  tests += 2 * PiecesInside::pointPrice;
  way_.exit = outer().nearest(from).position;
  const Vec3 way = way_.exit - from;
  way_.length = glm::length(way);
  if (!(way_.length > minWayShare * outer().radius()) || !std::isfinite(way_.length)) return;
  way_.direction = way / way_.length;
  way_.next = 0;
  way_.open = true;
}

/// Tests the ways of some more vertices in that direction. Stops once one is longer than the
/// shortest known way.
void ContactSearch::lengthenWay(std::uint64_t& tests) {
  constexpr std::size_t batch = 1024;
  const std::size_t count = inner().mesh().positions.size();
  const std::size_t end = std::min(way_.next + batch, count);
  tests += end - way_.next;
  for (; way_.next < end && way_.length < shortest_; ++way_.next)
    way_.length = std::max(way_.length, glm::dot(way_.direction, way_.exit - toOuter(way_.next)));
  way_.open = way_.length < shortest_ && way_.next < count;
  if (way_.open || !(way_.length < shortest_)) return;
  shortest_ = way_.length;
  best_ = way_.direction;
}

void ContactSearch::endWays() {
  if (best_ && ofA())
    found_ = bToA_.rotation * *best_;
  else if (best_)
    found_ = -*best_;
  enter(Stage::Ended);
}

}  // namespace nearmiss
