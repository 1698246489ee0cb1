// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/ray.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/coverage.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

constexpr Real unreachable = std::numeric_limits<Real>::infinity();
/// More than all rounding errors, relative to the sizes involved.
constexpr Real pieceMargin = 1e-12;

/// Returns a ball about the mean of the corners.
Sphere triangleBall(const Triangle& t) noexcept {
  const Vec3 middle = (t[0] + t[1] + t[2]) / 3.0;
  return {middle, std::max({glm::distance(middle, t[0]), glm::distance(middle, t[1]),
                            glm::distance(middle, t[2])})};
}

/// Part of a triangle. The greatest `rank` comes first; ties go to the oldest.
struct OpenPiece {
  Triangle corners;
  Real rank = 0.0;
  std::uint64_t sequence = 0;
  friend bool operator<(const OpenPiece& a, const OpenPiece& b) noexcept {
    return a.rank != b.rank ? a.rank < b.rank : a.sequence > b.sequence;
  }
};

class UncoveredSearch {
 public:
  UncoveredSearch(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                  const UncoveredSettings& settings, BuildProgress* progress)
      : polyhedron_(polyhedron), settings_(settings), progress_(progress) {
    for (const Sphere& sphere : spheres)
      if (sphere.radius >= 0.0) spheres_.push_back(sphere);
  }

  Result<UncoveredSurface> find() {
    findOpenTriangles();
    if (!cancelled() && !open_.empty()) {
      measureShare();
      measureDistance();
    }
    if (cancelled()) return Error{ErrorCode::Cancelled, "the check was cancelled"};
    return found_;
  }

 private:
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }

  /// Finds the triangles that the lemma does not prove to be covered.
  void findOpenTriangles() {
    const std::size_t count = polyhedron_.mesh().triangles.size();
    for (std::uint32_t t = 0; t < count && !cancelled(); ++t) {
      const Triangle corners = polyhedron_.mesh().corners(t);
      const Sphere ball = triangleBall(corners);
      near_.clear();
      for (const Sphere& sphere : spheres_)
        if (overlap(ball, sphere) >= 0.0) near_.push_back(sphere);
      found_.area += areaOf(corners);
      if (openPoint(corners, near_, cancellationOf(progress_))) open_.push_back(corners);
      if (progress_) progress_->fraction = static_cast<float>(t) / static_cast<float>(count);
    }
  }

  /// Signed distance of a point from the union; 0 or less within it.
  [[nodiscard]] Real heightOf(const Vec3& p) const noexcept {
    Real least = unreachable;
    for (const Sphere& s : spheres_) least = std::min(least, glm::distance(p, s.centre) - s.radius);
    return least;
  }

  /// Whether a piece lies within one sphere or outside all of them; `Unknown` if neither is
  /// certain.
  enum class Side { Within, Outside, Unknown };
  [[nodiscard]] Side sideOf(const Triangle& corners) const noexcept {
    const Sphere ball = triangleBall(corners);
    bool outside = true;
    for (const Sphere& sphere : spheres_) {
      if (overlap(ball, sphere) < 0.0) continue;
      const Real slack = pieceMargin * (sphere.radius + glm::length(sphere.centre) + ball.radius);
      Real farthest = 0.0;
      for (const Vec3& corner : corners)
        farthest = std::max(farthest, glm::distance(corner, sphere.centre));
      if (farthest <= sphere.radius - slack) return Side::Within;
      const Vec3 nearest = closestOnTriangle(sphere.centre, corners);
      outside = outside && glm::distance(nearest, sphere.centre) > sphere.radius + slack;
    }
    return outside ? Side::Outside : Side::Unknown;
  }

  /// Examines the largest pieces first, until the unknown share is small.
  void measureShare() {
    std::priority_queue<OpenPiece> pieces;
    Real outside = 0.0, unknown = 0.0;
    std::uint64_t made = 0;
    const auto take = [&](const Triangle& corners) {
      const Real area = areaOf(corners);
      const Side side = sideOf(corners);
      if (side == Side::Outside) outside += area;
      if (side != Side::Unknown) return;
      unknown += area;
      pieces.push({corners, area, made++});
    };
    for (std::size_t t = 0; t < open_.size() && !cancelled(); ++t) take(open_[t]);
    while (!pieces.empty() && unknown > settings_.shareTolerance * found_.area &&
           made < settings_.maxPieces && !cancelled()) {
      const OpenPiece piece = pieces.top();
      pieces.pop();
      unknown -= piece.rank;
      for (const Triangle& half : halves(piece.corners)) take(half);
    }
    // Slivers may have no area except for rounding errors; then the share is unknown
    if (found_.area <= 0.0) {
      found_.shareAtMost = 1.0;
      return;
    }
    // Sums of many areas are rounded
    const Real rounded = 1e-9;
    unknown = 0.0;
    for (; !pieces.empty(); pieces.pop()) unknown += pieces.top().rank;
    found_.shareAtLeast = std::clamp(outside / found_.area * (1.0 - rounded), 0.0, 1.0);
    found_.shareAtMost =
        std::clamp((outside + unknown) / found_.area * (1.0 + rounded) + rounded, 0.0, 1.0);
  }

  /// Returns an upper bound of the distance of the piece from the union. From a single sphere, a
  /// corner is farthest; and no point is farther from the middle than a corner.
  [[nodiscard]] Real heightAtMost(const Triangle& corners) const noexcept {
    const Sphere ball = triangleBall(corners);
    Real least = heightOf(ball.centre) + ball.radius;
    for (const Sphere& sphere : spheres_) {
      Real farthest = 0.0;
      for (const Vec3& corner : corners)
        farthest = std::max(farthest, glm::distance(corner, sphere.centre));
      least = std::min(least, farthest - sphere.radius);
    }
    return least;
  }

  void lookAt(const Vec3& p) {
    const Real height = heightOf(p);
    if (!(height > found_.farthestAtLeast)) return;
    found_.farthestAtLeast = height;
    found_.where = p;
  }

  /// Branch and bound over the pieces that may contain the farthest point.
  void measureDistance() {
    if (spheres_.empty()) {
      found_.farthestAtLeast = found_.farthestAtMost = unreachable;
      found_.where = open_[0][0];
      return;
    }
    std::priority_queue<OpenPiece> pieces;
    std::uint64_t made = 0;
    const auto take = [&](const Triangle& corners) {
      for (const Vec3& corner : corners) lookAt(corner);
      lookAt(triangleBall(corners).centre);
      const Real atMost = heightAtMost(corners);
      if (atMost > found_.farthestAtLeast) pieces.push({corners, atMost, made++});
    };
    for (std::size_t t = 0; t < open_.size() && !cancelled(); ++t) take(open_[t]);
    const Real tolerance = settings_.distanceTolerance * polyhedron_.radius();
    while (!pieces.empty() && pieces.top().rank > found_.farthestAtLeast + tolerance &&
           made < settings_.maxPieces && !cancelled()) {
      const OpenPiece piece = pieces.top();
      pieces.pop();
      for (const Triangle& half : halves(piece.corners)) take(half);
    }
    found_.farthestAtMost = found_.farthestAtLeast;
    if (!pieces.empty()) found_.farthestAtMost = std::max(found_.farthestAtMost, pieces.top().rank);
    // The lemma left a doubt, so the distance is not known to be 0
    found_.farthestAtMost += pieceMargin * (polyhedron_.radius() + found_.farthestAtMost);
  }

  const Polyhedron& polyhedron_;
  const UncoveredSettings& settings_;
  BuildProgress* progress_;
  std::vector<Sphere> spheres_, near_;
  std::vector<Triangle> open_;
  UncoveredSurface found_;
};

/// Far beyond these sizes squares overflow, and nothing is proven.
bool isWithinRange(const Sphere& sphere) noexcept {
  return std::isfinite(sphere.radius) && sphere.radius <= maxMeshSize &&
         isWithin(sphere.centre, maxMeshSize);
}

}  // namespace

Result<UncoveredSurface> measureUncovered(const Polyhedron& polyhedron,
                                          std::span<const Sphere> spheres,
                                          const UncoveredSettings& settings,
                                          BuildProgress* progress) {
  if (!std::all_of(spheres.begin(), spheres.end(), isWithinRange))
    return Error{ErrorCode::Unsupported, "a sphere is not finite or has a number above 1e15"};
  if (!(settings.shareTolerance > 0.0) || !(settings.distanceTolerance > 0.0))
    return Error{ErrorCode::Unsupported, "a tolerance must be above 0"};
  return orOutOfMemory("cannot measure what is uncovered", [&] {
    return UncoveredSearch(polyhedron, spheres, settings, progress).find();
  });
}

}  // namespace nearmiss
