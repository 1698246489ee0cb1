// SPDX-License-Identifier: MIT
/// Coherence between frames [H96 §12; L93]: where two surfaces were apart in the last frame, only
/// triangles that were nearly as near as the bodies have moved since can meet in this one; and
/// where they met, the same triangles mostly still do.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <vector>

#include "narrow/kept_pairs.h"
#include "narrow/pair_search.h"
#include "narrow/pair_search_work.h"
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
  const BoxHierarchy& boxesA;
  const BoxHierarchy& boxesB;
  const PairSearchWork& work;
};

/// Keeps for each pair of bodies all triangles that were within a margin of each other at one pose:
/// while the bodies stay within the margin of that pose, no others can meet. Searches are set up
/// for the pair by the caller.
class NearTriangles {
 public:
  /// True if the list shows that the surfaces are apart at this pose; false: look. Gives up when
  /// `budget` is spent.
  [[nodiscard]] bool surfacesApart(const TrianglePair& pair, const Search& given,
                                   const SearchPath& path, WorkMeter& meter,
                                   const TimeBudget& budget);

  /// True if triangles that met in an earlier frame, named in `search`, still do.
  [[nodiscard]] bool stillMeet(const TrianglePair& pair, Search& search, WorkMeter& meter);

  /// Takes up that a search has found the triangles of `search` to meet.
  void foundMeeting(const TrianglePair& pair, const Search& search);

  /// Takes up that a search of all triangles has found none that meet, and lists those near each
  /// other when the last frames suggest that it pays. Gives up when `budget` is spent.
  void foundApart(const TrianglePair& pair, const Search& search, const SearchPath& path,
                  WorkMeter& meter, const TimeBudget& budget);

 private:
  static constexpr std::uint32_t maxListed = 256;
  struct Kept {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t meetA = none, meetB = none;  ///< triangles that met last
    Pose metAt;                                ///< where
    std::uint32_t parted = 0;    ///< how often in a row they did not when they were looked at
    Pose last;                   ///< where the surfaces were last found apart
    std::uint32_t apart = 0;     ///< how often in a row
    Pose listedAt;               ///< of the list
    Real margin = -1.0;          ///< metres about listedAt; below 0: there is no list
    std::uint32_t rest = 0;      ///< searches until the next attempt to list
    std::uint32_t failures = 0;  ///< of such attempts, in a row
    std::uint32_t listed = 0;
    std::int64_t paid = 0;    ///< what the list has saved, less what it cost, in tests of bounds
    std::int64_t search = 0;  ///< what a search cost without it
  };
  [[nodiscard]] std::size_t slotOf(const TrianglePair& pair) {
    return kept_.slotOf(pair.bodyA, pair.bodyB);
  }
  [[nodiscard]] bool list(const TrianglePair& pair, std::size_t slot, Real wide, Search search,
                          const SearchPath& path, WorkMeter& meter, const TimeBudget& budget);

  [[nodiscard]] NearGroup* listOf(std::size_t slot);
  /// After a list that paid, or did not.
  static void rest(Kept& kept, bool paid) noexcept;

  KeptPairs<Kept> kept_;
  std::vector<NearGroup> lists_;  ///< of all slots, once there is one
  std::vector<SearchFrame> stack_;
};

}  // namespace nearmiss
