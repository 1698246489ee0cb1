// SPDX-License-Identifier: MIT
/// Merges the spheres of a medial-axis surface, cheapest pair of neighbours first [H96 §8].
#pragma once

#include <nearmiss/math.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "builders/medial.h"

namespace nearmiss {

/// Returns Ritter's bounding sphere of points: nearly minimal, and contains all points.
/// @pre at least one point
[[nodiscard]] Sphere ritterBall(std::span<const Vec3> points) noexcept;

/// Returns the distance from a point `p` in the sphere to the sphere's surface along the unit
/// normal of p's polygon [H96 Fig. 8]; at least 0.
[[nodiscard]] Real exitDistance(const Sphere& ball, const Vec3& p, const Vec3& normal) noexcept;

/// The result of merging some spheres.
struct SphereCluster {
  Sphere ball;
  std::vector<std::uint32_t> points;   ///< forming points of all its spheres, ascending
  std::vector<std::uint32_t> spheres;  ///< indices in the axis, ascending
};

/// Merges some spheres of an axis. Clusters are numbered: first the given spheres in their order,
/// then each merger gets the next number.
///
/// Deviates from the paper where that would take minutes. For example, the axis of a ball is
/// thousands of spheres that are all neighbours of each other. After a certain number of visited
/// points, the costs of a merger with its neighbours are estimated by those of its parts, and
/// recomputed only when they become the lowest of all. Costs seldom decrease as clusters grow.
class SphereMerging {
 public:
  /// @param axis must outlive this
  /// @param byArea multiplies the cost of Fig. 8 by the number of forming points, which represents
  /// area
  /// @param exactVisits number of visited points after which costs are estimated
  /// @param cancelled optional; once set, this and widen() return soon, and some pairs are not
  /// merged
  SphereMerging(const MedialAxis& axis, std::span<const std::uint32_t> spheres, bool byArea = false,
                std::uint64_t exactVisits = usualExactVisits,
                const std::atomic<bool>* cancelled = nullptr);
  static constexpr std::uint64_t usualExactVisits = 50'000'000;

  [[nodiscard]] std::size_t liveCount() const noexcept { return liveCount_; }
  /// Number of points visited to compute costs so far.
  [[nodiscard]] std::uint64_t visits() const noexcept { return visits_; }
  /// Pairs of live neighbours, the lower number first, ascending.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs() const;
  /// The cost of merging two live clusters.
  [[nodiscard]] Real costOf(std::uint32_t a, std::uint32_t b);

  struct Step {
    std::uint32_t a, b;
    Real cost;
  };
  /// Merges the cheapest pair of neighbours; ties go to the lowest numbers. Returns false if no
  /// neighbours are left.
  bool mergeCheapest(Step* step = nullptr);
  /// Makes far clusters neighbours. If there are no far clusters, makes all clusters neighbours,
  /// or, if there are more than 1024, each and the next by number.
  void widen();

  [[nodiscard]] std::vector<SphereCluster> live() const;

 private:
  /// A live cluster that another may merge with.
  struct Neighbour {
    std::uint32_t index;
    Real cost;     ///< cost of merging the two
    bool settled;  ///< the cost is exact, not an estimate from a part
  };
  static bool byIndex(const Neighbour& a, const Neighbour& b) noexcept { return a.index < b.index; }
  struct Node {
    SphereCluster cluster;
    std::vector<Neighbour> neighbours;         ///< ascending
    std::vector<std::uint32_t> farNeighbours;  ///< live clusters, ascending
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
  /// A heap. Each live cluster that has neighbours of lower number is `b` of at least one
  /// candidate. A candidate with a dead cluster is replaced by the next one.
  std::vector<Candidate> queue_;
  std::size_t liveCount_ = 0;
  std::vector<std::uint32_t> union_;
  std::vector<Vec3> positions_;
};

}  // namespace nearmiss
