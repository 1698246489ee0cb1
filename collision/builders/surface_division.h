// SPDX-License-Identifier: MIT
/// Divides surface pieces into clusters with balls of small Hausdorff distance.
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

/// First step of a search that starts from an existing ball, in radii.
inline constexpr Real shortStep = 0.12;

/// How much work a division does.
struct DivisionEffort {
  int starts = 1;  ///< number of starts from farthest points
  /// Seeds of one additional start: those of these balls that cover the pieces. Empty: no such
  /// start.
  std::span<const Sphere> balls;
  /// Selects the best start by how little its balls meet; null: by the best score.
  const MeetingMeasure* meeting = nullptr;
  int rounds = 5;          ///< rounds of assigning pieces to balls and fitting balls to pieces
  Real finestStep = 0.03;  ///< last step of a search, in radii
  /// Fit balls only roughly until the clusters are settled. The next two are the last step of a
  /// search until then and the first step thereafter, in radii.
  bool rough = false;
  Real roughStep = 0.15;
  Real polishingStep = 0.12;
  int handOvers = 0;  ///< rounds of moving pieces to other balls that contain them, after a search
  std::size_t sample = 3000;  ///< number of pieces that represent all until the end
  /// True: the score is the area-weighted mean. False: a norm close to the maximum over all
  /// clusters.
  bool byArea = false;
};

/// Divides sets of pieces into few clusters. Keeps scratch memory, so use one per thread.
class SurfaceDivision {
 public:
  /// Once `cancelled`, if given, is set, calls return soon with meaningless clusters.
  explicit SurfaceDivision(const HausdorffProbe& probe,
                           const std::atomic<bool>* cancelled = nullptr) noexcept
      : fit_(probe), cancelled_(cancelled) {}

  /// Returns at most `count` nonempty clusters that own each of `pieces` exactly once. Cuts pieces
  /// further where balls meet.
  [[nodiscard]] std::vector<PieceCluster> divide(std::vector<SurfacePiece>& pieces,
                                                 std::size_t count, const DivisionEffort& effort);

  /// Improves many clusters at once: merges those that cost little and splits those that cost much.
  /// `clusters` own each of `pieces` exactly once and need no balls. Returns as many clusters as
  /// before, or fewer if there are not enough pieces. Cuts pieces further where balls meet.
  /// @param cutFrom for each added piece, the piece that it was cut from is appended
  /// @param report called with the fraction of the work that is done
  [[nodiscard]] std::vector<PieceCluster> even(std::vector<SurfacePiece>& pieces,
                                               std::vector<PieceCluster> clusters,
                                               const DivisionEffort& effort,
                                               std::vector<std::uint32_t>& cutFrom,
                                               const std::function<void(Real)>& report = {});

  /// Returns the best ball found for all of `pieces`.
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
  /// balls of pairs of clusters, by their stamps
  std::unordered_map<std::uint64_t, Sphere> tried_;
  std::uint32_t stamps_ = 0;
  const std::atomic<bool>* cancelled_;
  DivisionEffort effort_;  ///< of the current division
};

}  // namespace nearmiss
