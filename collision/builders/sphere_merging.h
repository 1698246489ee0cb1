// SPDX-License-Identifier: MIT
/// Merging the spheres of a medial-axis surface, the cheapest pair of neighbours first [H96 §8].
#pragma once

#include <nearmiss/math.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "builders/medial.h"

namespace nearmiss {

/// Ritter's bounding sphere of points: nearly the smallest, and holds them all.
/// @pre at least one point
[[nodiscard]] Sphere ritterBall(std::span<const Vec3> points) noexcept;

/// How far the sphere's surface is from a point `p` in it along the unit normal of p's polygon [H96
/// Fig. 8]; at least 0.
[[nodiscard]] Real exitDistance(const Sphere& ball, const Vec3& p, const Vec3& normal) noexcept;

/// The result of merging some spheres.
struct SphereCluster {
  Sphere ball;
  std::vector<std::uint32_t> points;   ///< forming points of all its spheres, ascending
  std::vector<std::uint32_t> spheres;  ///< of the axis, ascending
};

/// The merging of some spheres of an axis. Clusters have numbers: first the given spheres in their
/// order, then each merger the next.
///
/// Departs from the paper where that would take minutes, as around a ball, whose axis is thousands
/// of spheres that are all each other's neighbours: once many points were looked at, the costs of a
/// merger with its neighbours are taken to be those of its parts, until they are the lowest of all.
/// Costs seldom fall as clusters grow.
class SphereMerging {
 public:
  /// @param axis must outlive this
  /// @param byArea the cost of Fig. 8 counts times the number of forming points, which stand for
  ///   area
  /// @param exactVisits points that are looked at before costs are put off
  /// @param cancelled once set, if given, this and widen() end soon, and some pairs are not merged
  SphereMerging(const MedialAxis& axis, std::span<const std::uint32_t> spheres, bool byArea = false,
                std::uint64_t exactVisits = usualExactVisits,
                const std::atomic<bool>* cancelled = nullptr);
  static constexpr std::uint64_t usualExactVisits = 50'000'000;

  [[nodiscard]] std::size_t liveCount() const noexcept { return liveCount_; }
  /// The number of points that costs were found from so far.
  [[nodiscard]] std::uint64_t visits() const noexcept { return visits_; }
  /// Pairs of live neighbours, the lower number first, ascending.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs() const;
  /// The cost of merging two live clusters.
  [[nodiscard]] Real costOf(std::uint32_t a, std::uint32_t b);

  struct Step {
    std::uint32_t a, b;
    Real cost;
  };
  /// Merges the cheapest pair of neighbours, of equal ones that with the lowest numbers. False if
  /// no neighbours are left.
  bool mergeCheapest(Step* step = nullptr);
  /// Makes neighbours of far clusters; where no cluster is far, of all, or, if there are more than
  /// 1024, of each and the next by number.
  void widen();

  [[nodiscard]] std::vector<SphereCluster> live() const;

 private:
  /// A live cluster that another may merge with.
  struct Neighbour {
    std::uint32_t index;
    Real cost;     ///< of merging the two
    bool settled;  ///< the cost is theirs, and not that of a part of one of them
  };
  static bool byIndex(const Neighbour& a, const Neighbour& b) noexcept { return a.index < b.index; }
  struct Node {
    SphereCluster cluster;
    std::vector<Neighbour> neighbours;         ///< ascending
    std::vector<std::uint32_t> farNeighbours;  ///< live ones, ascending
    bool live = true;
  };
  /// The cheapest merger of a cluster, `b`, with one of lower number, `a`.
  struct Candidate {
    Real cost;
    std::uint32_t a, b;
    bool operator<(const Candidate& o) const noexcept {
      if (cost != o.cost) return cost > o.cost;
      return a != o.a ? a > o.a : b > o.b;
    }
  };
  void push(std::uint32_t b);
  [[nodiscard]] Neighbour& between(std::uint32_t of, std::uint32_t other);
  void settle(std::uint32_t a, std::uint32_t b);
  void settleLower(std::uint32_t b);
  void settleAll();
  void merge(std::uint32_t a, std::uint32_t b);
  void takeNeighbours(std::uint32_t from1, std::uint32_t from2, std::uint32_t to);
  void takeFarNeighbours(std::uint32_t from1, std::uint32_t from2, std::uint32_t to);
  void tieAll();
  Sphere merged(std::uint32_t a, std::uint32_t b);

  const MedialAxis* axis_;
  bool byArea_;
  std::uint64_t exactVisits_;
  const std::atomic<bool>* cancelled_;
  std::uint64_t visits_ = 0;
  std::vector<Node> nodes_;
  /// A heap. Each live cluster is `b` of one candidate at least, if it has neighbours of lower
  /// number; one with a dead cluster is replaced by the next.
  std::vector<Candidate> queue_;
  std::size_t liveCount_ = 0;
  std::vector<std::uint32_t> union_;
  std::vector<Vec3> positions_;
};

}  // namespace nearmiss
