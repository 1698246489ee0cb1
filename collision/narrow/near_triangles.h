// SPDX-License-Identifier: MIT
/// Coherence between frames [H96 §12; Lin93]: where two surfaces were apart in the last frame, only
/// triangles that were nearly as near as the bodies have moved since can meet in this one.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "narrow/kept_pairs.h"
#include "narrow/pair_search.h"
#include "narrow/pair_search_work.h"
#include "narrow/search_tree.h"
#include "narrow/visited_pairs.h"
#include "narrow/work_meter.h"

namespace nearmiss {

/// Metres by which any point of b can have moved relative to a, at most, from one relative pose to
/// another. `radius`: of b about its origin.
[[nodiscard]] Real movedAtMost(const Pose& from, const Pose& to, Real radius) noexcept;

/// Two bodies whose triangles are compared.
struct TrianglePair {
  const BodyState& bodyA;
  const BodyState& bodyB;
  const Shape& shapeA;
  const Shape& shapeB;
  const SearchTree& treeA;
  const SearchTree& treeB;
};

/// For each pair of bodies a list of all pairs of triangles that were within a margin at one pose.
/// While the bodies stay within the margin of that pose, no others can meet. Changes no answer.
class NearTriangles {
 public:
  /// @param sharedSpheres some trees are DAGs
  explicit NearTriangles(bool sharedSpheres) : visited_(sharedSpheres) {}

  /// True if the list shows that the surfaces are apart at this pose; false: look.
  [[nodiscard]] bool surfacesApart(const TrianglePair& pair, const Pose& bToA, WorkMeter& meter);

  /// Takes up that a search of all triangles, of `w` and of `effort` tests, has found none that
  /// meet, and lists those near each other when the last frames suggest that it pays. Gives up
  /// when `budget` is spent.
  void foundApart(const TrianglePair& pair, const PairSearchWork& w, const Search& search,
                  const SearchPath& path, WorkMeter& meter, const TimeBudget& budget);

 private:
  static constexpr std::size_t mostListed = 48;
  struct Kept {
    bool seen = false;
    Pose last;           ///< where the surfaces were last found apart
    Pose listedAt;       ///< of the list
    Real margin = -1.0;  ///< metres about listedAt; below 0: there is no list
    std::uint32_t listed = 0;
    std::uint32_t rest = 0;  ///< searches until the next attempt to list
    std::array<std::pair<std::uint32_t, std::uint32_t>, mostListed> triangles;
  };
  [[nodiscard]] bool list(const TrianglePair& pair, const PairSearchWork& w, Search search,
                          const SearchPath& path, std::int64_t allowed, WorkMeter& meter,
                          const TimeBudget& budget);

  KeptPairs<Kept> kept_;
  Kept* listing_ = nullptr;  ///< while list() runs
  const TrianglePair* pair_ = nullptr;
  const PairSearchWork* work_ = nullptr;
  float slack_ = 0.0f;
  bool sharedSpheres_ = false;
  RecentPairs visited_;
  std::vector<SearchFrame> stack_;
};

}  // namespace nearmiss
