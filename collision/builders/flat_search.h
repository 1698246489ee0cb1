// SPDX-License-Identifier: MIT
/// Local search for few balls that contain points and protrude little from a solid: its starts, and
/// how gaps between the balls are closed until they contain the surface.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/spheres.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/seeded_random.h"
#include "builders/solid_volume.h"
#include "spheres/point_grid.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// A set of balls and the points that they have to contain. The cost is the number of cells outside
/// the solid in the union of the balls; only start() and add() may raise it. Copies are independent
/// searches.
class FlatSearch {
 public:
  /// @param grid without balls
  /// @param coarse the same region in larger cells, without balls: for the first steps of each move
  /// @param cancelled optional; once set, calls return soon, and the balls still contain all points
  FlatSearch(VolumeGrid grid, VolumeGrid coarse, std::vector<Vec3> points, std::uint64_t seed,
             const std::atomic<bool>* cancelled);

  /// Starts with these balls, some of which may be empty, grown as little as needed to contain all
  /// points.
  void start(const std::vector<Sphere>& balls);
  /// Adds a point. Grows a ball for it, by `slack` of its radius more than necessary.
  void add(const Vec3& point, Real slack);

  /// Moves each ball separately, repeatedly, until the gain is small or for at most `rounds`
  /// rounds.
  void settle(int rounds);
  /// Sets the radius of a ball, even if points are left uncovered.
  /// @param place index in balls()
  void resize(std::size_t place, Real radius);
  /// Replaces all balls by one, even if points are left uncovered.
  void replaceAll(const Sphere& ball);
  /// Returns the place of the ball whose surface is nearest to a point.
  [[nodiscard]] std::size_t nearestPlace(const Vec3& point) const noexcept;
  /// Tries `moves` changes of several balls at once: replaces neighbours, or moves one ball from
  /// where it is missed least to where it saves most.
  void exchange(std::size_t moves);

  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  /// The balls by place. An empty place has a radius below 0.
  [[nodiscard]] const std::vector<Sphere>& balls() const noexcept { return balls_; }
  /// Number of points that the balls have to contain.
  [[nodiscard]] std::size_t pointCount() const noexcept { return points_.size(); }
  /// The nonempty balls: at most as many as at the start.
  [[nodiscard]] std::vector<Sphere> used() const;

  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(cancelled_); }
  [[nodiscard]] const std::atomic<bool>* cancellation() const noexcept { return cancelled_; }

 private:
  using Indices = std::vector<std::size_t>;
  void put(std::size_t ball, const Sphere& sphere);
  void take(std::size_t ball);
  void growFor(const Vec3& point, Real slack);
  void regroup();
  void forEachHeld(const Sphere& ball, const auto& visit) const;
  bool refit(std::size_t ball);
  [[nodiscard]] Sphere descend(const VolumeGrid& grid, Sphere ball, Real step, Real finest);
  [[nodiscard]] Indices neighboursOf(std::size_t ball, std::size_t count) const;
  void replace(const Indices& balls, std::size_t count, std::int64_t before);
  [[nodiscard]] std::size_t pick(bool wasteful);
  [[nodiscard]] std::size_t emptyPlace() const noexcept;

  VolumeGrid grid_, coarse_;
  std::vector<Vec3> points_;
  PointGrid grouped_;  ///< contains the first groupedCount_ points
  std::size_t groupedCount_ = 0;
  SeededRandom random_;
  const std::atomic<bool>* cancelled_;
  std::vector<Sphere> balls_;           ///< radius below 0: empty place
  std::vector<std::uint16_t> holders_;  ///< per point: number of balls that contain it
  std::int64_t cost_ = 0;
  std::vector<Vec3> open_;  ///< points left uncovered when balls were removed
};

/// More than the rounding error of distances, relative to the radius, so that a ball contains its
/// points.
inline constexpr Real roundingUp = 1e-12;

/// The ball about a centre, and the smallest ball, that surely contain the points despite rounding.
[[nodiscard]] Sphere ballAbout(const Vec3& centre, std::span<const Vec3> points) noexcept;
[[nodiscard]] Sphere ballOf(std::span<const Vec3> points) noexcept;

/// Returns the smallest balls of at most `count` clusters that contain each point once. Assigns
/// points to the nearest of seeds drawn far from each other, then again to the nearest ball centre.
/// @pre there are points
[[nodiscard]] std::vector<Sphere> clusterBalls(std::span<const Vec3> points, std::size_t count,
                                               SeededRandom& random);

/// Returns starts of the search: sets of at most settings.count balls, made from clusters of the
/// points, from the medial axis, and from a tree of one level. They need not cover the body. Empty
/// if cancelled.
[[nodiscard]] std::vector<std::vector<Sphere>> flatStarts(const Polyhedron& polyhedron,
                                                          std::span<const SurfacePiece> pieces,
                                                          std::span<const Vec3> points,
                                                          const FlatSetSettings& settings,
                                                          BuildProgress* progress);

/// Returns the balls near a triangle, including all that meet it and few others.
[[nodiscard]] std::vector<Sphere> ballsNear(const Triangle& triangle,
                                            std::span<const Sphere> balls);

/// Returns points inside the solid where three spheres meet and that are in no other ball. If the
/// surface is covered, each hole inside the solid has such corners, because it is bounded by
/// spheres only and three of them meet at each of its corners.
/// @param most number of corners after which the search ends
/// @param cancelled optional; once set, the corners found so far are returned
[[nodiscard]] std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls,
                                            std::size_t most,
                                            const std::atomic<bool>* cancelled = nullptr);

/// The body that balls have to cover. All members must outlive this.
struct CoveredBody {
  const Polyhedron& polyhedron;
  const SolidParts& parts;
  /// the surface, cut about as finely as its sample points are spaced
  std::span<const SurfacePiece> pieces;
};

/// Adds points in gaps to those of the search, and moves its balls for at most `rounds` rounds.
void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search);

/// Grows balls until they are proven to cover the body, in the same way as checkFlatSet(). If this
/// takes more growth steps or more points in gaps than any usual body needs, replaces all balls by
/// one around the body. Returns false if cancelled.
[[nodiscard]] bool coverSurely(const CoveredBody& body, FlatSearch& search,
                               const BuildProgress* progress);

/// Shrinks balls one by one as long as they are proven to cover the body, until the search is
/// cancelled.
/// @pre the balls are proven to cover the body
void shrinkBalls(const CoveredBody& body, FlatSearch& search);

}  // namespace nearmiss
