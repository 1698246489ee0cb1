// SPDX-License-Identifier: MIT
/// The convex hull of points, with exact predicates.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/ray.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

struct HullFace {
  std::array<std::uint32_t, 3> corners;     ///< point indices, counter-clockwise from outside
  std::array<std::uint32_t, 3> neighbours;  ///< faces across the edges from corner i to i + 1
  std::vector<std::uint32_t> outside;       ///< points outside this face that are assigned to it
  bool alive = true;                        ///< false: it lies inside the hull by now
  std::uint32_t seenBy = 0xffffffff;        ///< the last point from which it was seen
};

/// A growing convex hull of points, given by index. Points may be appended while it grows.
class GrowingHull {
 public:
  /// @param points must outlive this
  explicit GrowingHull(const std::vector<Vec3>& points) : points_(points) {}

  /// Starts with a tetrahedron of the points, found approximately and checked exactly. Returns
  /// false if all points are coplanar.
  bool begin();

  /// Returns a positive sign if the point lies outside the face's plane.
  [[nodiscard]] int sideOf(const HullFace& face, std::uint32_t point) const noexcept {
    return -orientation(points_[face.corners[0]], points_[face.corners[1]],
                        points_[face.corners[2]], points_[point]);
  }

  /// Replaces all faces that `point` sees, including `seen`, by faces that end in it. Reassigns the
  /// points outside the replaced faces.
  /// @pre sideOf(face `seen`, point) > 0
  void add(std::uint32_t point, std::uint32_t seen);

  /// Assigns each point to one of the faces from `first` on that it lies outside of, if any.
  void share(std::span<const std::uint32_t> points, std::size_t first);

  /// Faces are appended and never removed.
  [[nodiscard]] const std::vector<HullFace>& faces() const noexcept { return faces_; }
  [[nodiscard]] const std::array<std::uint32_t, 4>& firstCorners() const noexcept { return first_; }

 private:
  [[nodiscard]] std::optional<std::array<std::uint32_t, 4>> spanning() const;

  const std::vector<Vec3>& points_;
  std::array<std::uint32_t, 4> first_{};
  std::vector<HullFace> faces_;
  std::vector<std::uint32_t> startingAt_;  ///< per point: the new face whose first corner it is
};

struct ConvexHull {
  std::vector<Vec3> vertices;  ///< the points that are corners of the hull, without duplicates
  /// Counter-clockwise as seen from outside; faces with more corners are triangulated. Empty if all
  /// points are coplanar; then `vertices` contains every distinct point, even if it is not a
  /// corner.
  std::vector<std::array<std::uint32_t, 3>> triangles;

  [[nodiscard]] bool flat() const noexcept { return triangles.empty(); }
};

/// Quickhull [BDH96] with exact signs: in exact arithmetic on the given doubles, no point lies
/// outside the plane of any triangle.
/// @pre coordinates are finite
[[nodiscard]] ConvexHull convexHull(std::span<const Vec3> points);

}  // namespace nearmiss
