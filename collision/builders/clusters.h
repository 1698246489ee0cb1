// SPDX-License-Identifier: MIT
/// Clusters of surface pieces: balls that contain them and have small Hausdorff distances, seeds
/// for clusters, and how far apart bodies made of such balls meet.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "spheres/hausdorff_probe.h"
#include "spheres/point_grid.h"
#include "spheres/point_table.h"
#include "spheres/surface_samples.h"

namespace nearmiss {

/// Prefetch distance in pieces: the pieces of a cluster lie far apart in memory.
inline constexpr std::size_t fetchedAhead = 8;

inline constexpr Real unlimited = std::numeric_limits<Real>::infinity();

struct PieceCluster {
  Sphere ball;           ///< contains all corners of all pieces
  Real hausdorff = 0.0;  ///< the probe's estimate for the ball, metres
  Real cost = 0.0;       ///< to be minimised: the estimate, plus a share of the radius
  std::vector<std::uint32_t> pieces;
  ProbeMemory memory;
  /// Identifies the set of pieces while exchanges remember what they tried; 0 for a new cluster.
  std::uint32_t stamp = 0;
};

struct FitPrecision {
  Real finestStep = 0.03;  ///< last step of search(), relative to the radius
  bool rough = false;      ///< use fewer points and directions, and end searches without exploring
};

/// Fits balls to clusters of one set of pieces. Keeps scratch memory, so use one per thread.
class BallFit {
 public:
  explicit BallFit(const HausdorffProbe& probe) noexcept : probe_(&probe) {}

  /// Sets the pieces that clusters refer to by index. Call again if they change or move in memory.
  void setPieces(std::span<const SurfacePiece> pieces);
  /// Updates the pieces after some were cut: those in `cutFrom` have changed, and others were
  /// appended.
  void updatePieces(std::span<const SurfacePiece> pieces, std::span<const std::uint32_t> cutFrom);
  [[nodiscard]] std::span<const SurfacePiece> pieces() const noexcept { return pieces_; }
  /// The middles of the pieces.
  [[nodiscard]] std::span<const Vec3> middles() const noexcept { return middles_; }
  void setPrecision(const FitPrecision& precision) noexcept { precision_ = precision; }

  /// Fits the smallest ball, or the smallest about the old centre, depending on which costs less. A
  /// cluster whose ball has a radius below 0 has no old centre.
  void fit(PieceCluster& cluster);
  /// Moves the centre as long as the cost decreases. The first step is `firstStep` times the
  /// radius.
  void search(PieceCluster& cluster, Real firstStep = 0.25);
  /// Returns a cluster with the smallest ball of both clusters' pieces and the probe memory of the
  /// first. Its cost is exact only below `giveUp`.
  [[nodiscard]] PieceCluster merged(const PieceCluster& first, const PieceCluster& second,
                                    Real giveUp);
  /// The steps of merged(), callable separately: the ball depends only on the pieces.
  [[nodiscard]] Sphere ballOfBoth(const PieceCluster& first, const PieceCluster& second);
  [[nodiscard]] PieceCluster mergedWithoutPieces(const PieceCluster& first, const Sphere& ball,
                                                 Real giveUp) const;
  static void addPieces(const PieceCluster& first, const PieceCluster& second, PieceCluster& both);
  /// Sets the cluster's Hausdorff distance to the probe's estimate.
  void measure(PieceCluster& cluster) const;

 private:
  [[nodiscard]] Real costOf(const Sphere& ball, ProbeMemory& memory, Real giveUp) const noexcept;
  void number(std::size_t piece);
  void startGathering() noexcept;
  /// Adds the corners of more pieces to those gathered.
  void gather(std::span<const std::uint32_t> members);
  void keepRim(const Sphere& ball, Real reach);

  std::span<const SurfacePiece> pieces_;
  std::vector<Vec3> middles_;
  const HausdorffProbe* probe_;
  FitPrecision precision_;
  DistinctPoints numbered_;                              ///< the corners of all pieces
  std::vector<std::array<std::uint32_t, 3>> cornersOf_;  ///< by piece, as indices into numbered_
  std::vector<std::uint32_t> gatheredIn_;  ///< by corner: the gathering that added it last
  std::uint32_t gathering_ = 0;
  PointTable corners_;  ///< of the gathered pieces, without duplicates
  PointTable rim_;
};

/// Returns up to `count` initial clusters without pieces, with balls of radius 0. Each seed is the
/// one of the pieces `members` farthest from the seeds before it. The first point depends on
/// `start`: it is the mean or some other piece, and even starts discard it.
[[nodiscard]] std::vector<PieceCluster> farthestSeeds(std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count, int start);

/// Returns up to `count` initial clusters without pieces: those of `balls`, for example of the
/// medial axis, that together best cover the pieces `members`.
[[nodiscard]] std::vector<PieceCluster> coveringSeeds(std::span<const Sphere> balls,
                                                      std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count);

/// Returns at most `count` of `balls` that cover nearly all of the pieces `members` when grown by
/// as little as possible. Chooses balls greedily by newly covered area, and bisects the growth.
/// Returns fewer balls if they suffice, and none if no ball lies near the pieces.
[[nodiscard]] std::vector<Sphere> coverSeeds(std::span<const Sphere> balls,
                                             std::span<const SurfacePiece> pieces,
                                             std::span<const std::uint32_t> members,
                                             std::size_t count);

/// Measures how far apart two bodies meet whose shape is a set of balls. This is the cost of the
/// set in false alarms, known before anything is built from it. Uses a fixed set of approaches of a
/// copy of a body, in any rotation and from any direction.
class MeetingMeasure {
 public:
  /// @param bound contains the body; copies rotate about its centre
  /// @param ways number of approaches
  MeetingMeasure(const Sphere& bound, std::size_t ways);

  /// Returns the mean distance of the centres at which a set of balls and its copy first touch, in
  /// radii of the bound. Sets of balls for one body differ in it by how far they protrude where
  /// they are met.
  [[nodiscard]] Real meanDistance(std::span<const Sphere> balls) const;

 private:
  struct Way {
    Quat turn{};
    Vec3 from{0.0};  ///< unit vector to the starting position of the copy
  };
  Sphere bound_;
  std::vector<Way> ways_;
};

}  // namespace nearmiss
