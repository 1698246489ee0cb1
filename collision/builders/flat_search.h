// SPDX-License-Identifier: MIT
/// Local search for few balls that hold points and reach little beyond a solid: where it begins,
/// and how gaps between the balls are closed until they hold the surface.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builders/solid_volume.h"
#include "spheres/point_grid.h"
#include "spheres/seeded_random.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// Balls and the points that they have to hold. The cost is the number of cells outside of the
/// solid that the balls hold together; no call but start() and add() raises it. Copies are searches
/// of their own.
class FlatSearch {
 public:
  /// @param grid without balls
  /// @param cancelled once set, if given, calls end soon; the balls hold all points still
  FlatSearch(VolumeGrid grid, std::vector<Vec3> points, std::uint64_t seed,
             const std::atomic<bool>* cancelled);

  /// Begins with these balls, some of which may be empty, grown by as little as will do to hold all
  /// points.
  void start(const std::vector<Sphere>& balls);
  /// Adds a point, for which a ball grows, by `slack` of its radius more than it needs.
  void add(const Vec3& point, Real slack);

  /// Moves each ball for itself, over and over until little is gained, at most `rounds` times.
  void settle(int rounds);
  /// Gives a ball another radius, whatever points it leaves.
  /// @param place in balls()
  void resize(std::size_t place, Real radius);
  /// One ball instead of all, whatever points it leaves.
  void replaceAll(const Sphere& ball);
  /// The place of the ball whose surface is nearest to a point.
  [[nodiscard]] std::size_t nearestPlace(const Vec3& point) const noexcept;
  /// Tries `moves` changes of several balls at once: neighbours that are replaced, or one moved
  /// from where it is missed least to where it saves most.
  void exchange(std::size_t moves);

  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  /// The balls by place; a radius below 0: none.
  [[nodiscard]] const std::vector<Sphere>& balls() const noexcept { return balls_; }
  /// Points that the balls have to hold.
  [[nodiscard]] std::size_t pointCount() const noexcept { return points_.size(); }
  /// The balls in use: at most as many as at the start.
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
  [[nodiscard]] Sphere descend(Sphere ball) const;
  [[nodiscard]] Indices neighboursOf(std::size_t ball, std::size_t count) const;
  void replace(const Indices& balls, std::size_t count);
  [[nodiscard]] std::size_t pick(bool wasteful);
  [[nodiscard]] std::size_t emptyPlace() const noexcept;

  VolumeGrid grid_;
  std::vector<Vec3> points_;
  PointGrid grouped_;  ///< the first groupedCount_ of them
  std::size_t groupedCount_ = 0;
  SeededRandom random_;
  const std::atomic<bool>* cancelled_;
  std::vector<Sphere> balls_;           ///< radius below 0: none
  std::vector<std::uint16_t> holders_;  ///< per point: the balls that hold it
  std::int64_t cost_ = 0;
  std::vector<Vec3> open_;  ///< points that were left by all balls as balls were taken
};

/// The ball about a centre, and the smallest ball, that surely hold the points.
[[nodiscard]] Sphere ballAbout(const Vec3& centre, std::span<const Vec3> points) noexcept;
[[nodiscard]] Sphere ballOf(std::span<const Vec3> points) noexcept;

/// The smallest balls of at most `count` clusters that hold each point once: of seeds drawn far
/// from each other the nearest, and again of the balls' centres.
/// @pre there are points
[[nodiscard]] std::vector<Sphere> clusterBalls(std::span<const Vec3> points, std::size_t count,
                                               SeededRandom& random);

/// Starts of the search: sets of at most settings.count balls, of clusters of the points, of the
/// medial axis, and of a tree of one level. They need not cover. Empty if cancelled.
[[nodiscard]] std::vector<std::vector<Sphere>> flatStarts(const Polyhedron& polyhedron,
                                                          std::span<const SurfacePiece> pieces,
                                                          std::span<const Vec3> points,
                                                          const FlatSetSettings& settings,
                                                          BuildProgress* progress);

/// The balls that come near a triangle, nearly all of them those that meet it.
[[nodiscard]] std::vector<Sphere> ballsNear(const Triangle& triangle,
                                            std::span<const Sphere> balls);

/// Points where three spheres meet that are in no other ball, inside of the solid. Where the
/// surface is covered there is a hole inside only with such a corner: a hole is bounded by
/// spheres alone, and three of them meet at each of its corners.
/// @param most corners after which the search ends
/// @param cancelled once set, if given, the corners found so far are returned
[[nodiscard]] std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls,
                                            std::size_t most,
                                            const std::atomic<bool>* cancelled = nullptr);

/// The body that balls have to cover. All must outlive this.
struct CoveredBody {
  const Polyhedron& polyhedron;
  const SolidParts& parts;
  std::span<const SurfacePiece> pieces;  ///< the surface, cut about as finely as its points lie
};

/// Adds points of gaps to those that the search holds, and lets its balls settle, at most `rounds`
/// times.
void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search);

/// Grows balls until they are proven to cover, as checkFlatSet() proves it. After more growths, or
/// more points in gaps, than any usual body needs, one ball around the body replaces them. False if
/// cancelled.
[[nodiscard]] bool coverSurely(const CoveredBody& body, FlatSearch& search,
                               const BuildProgress* progress);

/// Shrinks balls one by one as long as they are proven to cover, until the search is cancelled.
/// @pre they are
void shrinkBalls(const CoveredBody& body, FlatSearch& search);

}  // namespace nearmiss
