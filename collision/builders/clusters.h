// SPDX-License-Identifier: MIT
/// Clusters of surface pieces: their balls, which hold them and have small Hausdorff distances,
/// where they begin, and how far apart bodies of such balls meet.
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

/// Pieces of a cluster lie far apart in memory: how many are asked for in advance.
inline constexpr std::size_t fetchedAhead = 8;

inline constexpr Real unlimited = std::numeric_limits<Real>::infinity();

struct PieceCluster {
  Sphere ball;           ///< holds all corners of all pieces
  Real hausdorff = 0.0;  ///< the probe's estimate for the ball, metres
  Real cost = 0.0;       ///< to be minimised: the estimate, and a little of the radius
  std::vector<std::uint32_t> pieces;
  ProbeMemory memory;
  /// Names its set of pieces while exchanges remember what they tried; 0 for a new one.
  std::uint32_t stamp = 0;
};

struct FitPrecision {
  Real finestStep = 0.03;  ///< the last of search(), of the radius
  bool rough = false;  ///< fewer points and ways are looked at, and searches end without exploring
};

/// Fits balls to clusters of one set of pieces. Keeps scratch memory, so one per thread.
class BallFit {
 public:
  explicit BallFit(const HausdorffProbe& probe) noexcept : probe_(&probe) {}

  /// Sets the pieces that clusters number, until these change or move in memory.
  void setPieces(std::span<const SurfacePiece> pieces);
  /// The same after pieces were cut: those of `cutFrom` have changed, and others were appended.
  void updatePieces(std::span<const SurfacePiece> pieces, std::span<const std::uint32_t> cutFrom);
  [[nodiscard]] std::span<const SurfacePiece> pieces() const noexcept { return pieces_; }
  /// The middles of the pieces.
  [[nodiscard]] std::span<const Vec3> middles() const noexcept { return middles_; }
  void setPrecision(const FitPrecision& precision) noexcept { precision_ = precision; }

  /// The smallest ball, or the smallest about the old centre, whichever costs less. A cluster whose
  /// ball has a radius below 0 has no old centre.
  void fit(PieceCluster& cluster);
  /// Moves the centre as long as the cost falls, at first by `firstStep` of the radius.
  void search(PieceCluster& cluster, Real firstStep = 0.25);
  /// The smallest ball of both clusters' pieces, with the memory of the first. Its cost is exact
  /// only below `giveUp`.
  [[nodiscard]] PieceCluster merged(const PieceCluster& first, const PieceCluster& second,
                                    Real giveUp);
  /// The steps of merged(): the ball depends on the pieces alone.
  [[nodiscard]] Sphere ballOfBoth(const PieceCluster& first, const PieceCluster& second);
  [[nodiscard]] PieceCluster mergedWithoutPieces(const PieceCluster& first, const Sphere& ball,
                                                 Real giveUp) const;
  static void addPieces(const PieceCluster& first, const PieceCluster& second, PieceCluster& both);
  /// Sets the probe's estimate for the ball.
  void measure(PieceCluster& cluster) const;

 private:
  [[nodiscard]] Real costOf(const Sphere& ball, ProbeMemory& memory, Real giveUp) const noexcept;
  void number(std::size_t piece);
  void startGathering() noexcept;
  /// Adds the corners of more pieces.
  void gather(std::span<const std::uint32_t> members);
  void keepRim(const Sphere& ball, Real reach);

  std::span<const SurfacePiece> pieces_;
  std::vector<Vec3> middles_;
  const HausdorffProbe* probe_;
  FitPrecision precision_;
  DistinctPoints numbered_;                              ///< the corners of all pieces
  std::vector<std::array<std::uint32_t, 3>> cornersOf_;  ///< of each piece, as numbered
  std::vector<std::uint32_t> gatheredIn_;                ///< the gathering that had a corner last
  std::uint32_t gathering_ = 0;
  PointTable corners_;  ///< of the gathered pieces, each once
  PointTable rim_;
};

/// Clusters to begin with, balls without pieces: up to `count` of the pieces `members`, each
/// farthest from those before it, as balls of radius 0. Starts differ by `start`: even ones forget
/// the first point, the middle of all or some other piece.
[[nodiscard]] std::vector<PieceCluster> farthestSeeds(std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count, int start);

/// Up to `count` of `balls`, those of the medial axis or others, that together best cover the
/// pieces `members`.
[[nodiscard]] std::vector<PieceCluster> coveringSeeds(std::span<const Sphere> balls,
                                                      std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count);

/// At most `count` of `balls` that, grown by as little as will do, cover nearly all of the pieces
/// `members`: each in turn covers the most area that those before it do not, and by how much they
/// grow is bisected. Fewer where fewer will do; none where no ball lies near.
[[nodiscard]] std::vector<Sphere> coverSeeds(std::span<const Sphere> balls,
                                             std::span<const SurfacePiece> pieces,
                                             std::span<const std::uint32_t> members,
                                             std::size_t count);

/// How far from each other two bodies meet whose shape is a set of balls: the cost of the set in
/// false alarms, before anything is built with it. A fixed set of approaches of a copy of a body,
/// in any rotation, from any direction.
class MeetingMeasure {
 public:
  /// @param bound holds the body: copies turn about its centre
  MeetingMeasure(const Sphere& bound, std::size_t ways);

  /// The mean distance of the centres at which a set of balls and its copy first touch, in radii of
  /// the bound. Sets of balls for one body differ in it by what they stick out where it is met.
  [[nodiscard]] Real meanDistance(std::span<const Sphere> balls) const;

 private:
  struct Way {
    Quat turn{};
    Vec3 from{0.0};  ///< unit vector to where the copy comes from
  };
  Sphere bound_;
  std::vector<Way> ways_;
};

}  // namespace nearmiss
