// SPDX-License-Identifier: MIT
/// The division of surface pieces into clusters with balls of small Hausdorff distance.
#pragma once

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/math.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "builders/ball_table.h"
#include "builders/clusters.h"

namespace nearmiss {

/// The first step of a search from where a ball already lay, in radii.
inline constexpr Real shortStep = 0.12;

/// How much a division tries.
struct DivisionEffort {
  int starts = 1;  ///< from farthest points
  /// One more start has these balls as seeds, those that cover the pieces; empty: none does.
  std::span<const Sphere> balls;
  /// Which start is best: the one whose balls meet least; null: the one with the best score.
  const MeetingMeasure* meeting = nullptr;
  int rounds = 5;          ///< of assigning pieces to balls and balls to pieces
  Real finestStep = 0.03;  ///< the last of a search, in radii
  /// Balls are only sketched until the clusters are settled. The last step of a search until then,
  /// the first of one thereafter, in radii.
  bool rough = false;
  Real roughStep = 0.15;
  Real polishingStep = 0.12;
  int handOvers = 0;          ///< rounds of pieces going to other balls they lie in, after a search
  std::size_t sample = 3000;  ///< pieces that represent all until the end
  /// The score is the mean over the area; if not, a norm near the maximum over all clusters.
  bool byArea = false;
};

/// Divides sets of pieces into few clusters. Keeps scratch memory, so one per thread.
class SurfaceDivision {
 public:
  /// Once `cancelled` is set, if given, calls end soon with meaningless clusters.
  explicit SurfaceDivision(const HausdorffProbe& probe,
                           const std::atomic<bool>* cancelled = nullptr) noexcept
      : fit_(probe), cancelled_(cancelled) {}

  /// At most `count` clusters that own each of `pieces` once, none of them empty. Cuts pieces
  /// further where balls meet.
  [[nodiscard]] std::vector<PieceCluster> divide(std::vector<SurfacePiece>& pieces,
                                                 std::size_t count, const DivisionEffort& effort);

  /// Improves many clusters at once, given as pieces in clusters without balls, which own each of
  /// `pieces` once: merges those that cost little, splits those that cost much. As many clusters as
  /// before, or fewer where there are no more pieces. Cuts pieces further where balls meet.
  /// @param cutFrom the pieces that those it adds were cut from, one each, are appended
  /// @param report called with the share of the work that is done
  [[nodiscard]] std::vector<PieceCluster> even(std::vector<SurfacePiece>& pieces,
                                               std::vector<PieceCluster> clusters,
                                               const DivisionEffort& effort,
                                               std::vector<std::uint32_t>& cutFrom,
                                               const std::function<void(Real)>& report = {});

  /// The best ball found for all of `pieces`.
  [[nodiscard]] PieceCluster enclose(std::span<const SurfacePiece> pieces);

 private:
  using Clusters = std::vector<PieceCluster>;
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(cancelled_); }
  void begin(const DivisionEffort& effort) noexcept {
    effort_ = effort;
    fit_.setPrecision({effort.finestStep});
  }
  void polish(Clusters& clusters);
  void assign(std::span<const std::uint32_t> members, std::span<const Real> reach,
              Clusters& clusters);
  void balance(std::span<const std::uint32_t> members, int rounds, Clusters& clusters);
  void handOver(Clusters& clusters);
  void refine(Clusters& clusters);
  static void cutRim(std::vector<SurfacePiece>& pieces, Clusters& clusters, Real rim,
                     std::size_t needlesEach, std::vector<std::uint32_t>& cutFrom);
  std::vector<std::uint32_t> trim(std::vector<SurfacePiece>& pieces, Clusters& clusters, int rounds,
                                  Real rim, std::size_t needlesEach);
  bool splitWorst(Clusters& clusters);
  void refill(Clusters& clusters, std::size_t count);
  void startExchanges(Clusters& clusters);
  [[nodiscard]] const Sphere& ballOfBoth(const PieceCluster& first, const PieceCluster& second);
  bool exchangeCheapest(Clusters& clusters);
  class AreaExchange;
  void exchangeByArea(Clusters& clusters);
  void reassign(std::span<const Real> reach, Clusters& clusters);
  void levelOut(Clusters& clusters);
  void splitUpTo(std::size_t count, Clusters& clusters);
  [[nodiscard]] Clusters evenByArea(Clusters clusters);
  [[nodiscard]] Clusters evenByWorst(Clusters clusters, std::vector<SurfacePiece>& pieces,
                                     std::vector<std::uint32_t>& cutFrom,
                                     const std::function<void(Real)>& report);
  [[nodiscard]] Real areaOf(const PieceCluster& cluster) const;
  [[nodiscard]] Real score(const Clusters& clusters) const;
  [[nodiscard]] Real rank(const Clusters& clusters) const;

  BallFit fit_;
  BallTable table_, nearTable_;
  std::unordered_map<std::uint64_t, Sphere> tried_;  ///< balls of two clusters, by their stamps
  std::uint32_t stamps_ = 0;
  const std::atomic<bool>* cancelled_;
  DivisionEffort effort_;  ///< of the current division
};

}  // namespace nearmiss
