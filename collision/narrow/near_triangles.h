// SPDX-License-Identifier: MIT
/// Coherence between frames [H96 §12; L93]. If two surfaces were apart in the last frame, only
/// triangles whose distance was at most about the motion since then can intersect now. If they
/// intersected, the same triangles usually still do.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <vector>

#include "base/work_meter.h"
#include "narrow/kept_pairs.h"
#include "narrow/pair_search.h"
#include "narrow/pair_search_work.h"

namespace nearmiss {

/// Returns the maximum motion of any point of b relative to a, metres, from one relative pose to
/// another.
/// @param radius of b about its origin
[[nodiscard]] Real movedAtMost(const Pose& from, const Pose& to, Real radius) noexcept;

/// Two bodies whose triangles are compared.
struct TrianglePair {
  const BodyState& bodyA;
  const BodyState& bodyB;
  const Shape& shapeA;
  const Shape& shapeB;
  const SearchSide& sideA;  ///< for a search by boxes
  const SearchSide& sideB;
  const PairSearchWork& work;
};

/// Lists, for each pair of bodies, all triangles that were within a margin of each other at one
/// pose. While the bodies stay within the margin of that pose, no others can intersect. The caller
/// sets up searches for the pair.
class NearTriangles {
 public:
  /// Returns true if the list proves that the surfaces are apart at this pose; false if a search is
  /// needed. Gives up when `budget` is exhausted.
  [[nodiscard]] bool surfacesApart(const TrianglePair& pair, const Search& given,
                                   const SearchPath& path, WorkMeter& meter,
                                   const TimeBudget& budget);

  /// Returns true if triangles that intersected in an earlier frame, which it writes to `search`,
  /// still do.
  [[nodiscard]] bool stillMeet(const TrianglePair& pair, Search& search, WorkMeter& meter);

  /// Records that a search found the triangles of `search` to intersect.
  void foundMeeting(const TrianglePair& pair, const Search& search);

  /// Records that a search of all triangles found no intersection. Lists the triangles near each
  /// other if the last frames suggest that it pays. Gives up when `budget` is exhausted.
  void foundApart(const TrianglePair& pair, const Search& search, const SearchPath& path,
                  WorkMeter& meter, const TimeBudget& budget);

 private:
  static constexpr std::uint32_t maxListed = 256;
  struct Kept {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t meetA = none, meetB = none;  ///< the triangles that last intersected
    Pose metAt;                                ///< the pose at that time
    std::uint32_t parted = 0;    ///< consecutive checks in which they did not intersect
    Pose last;                   ///< pose at which the surfaces were last found apart
    std::uint32_t apart = 0;     ///< number of consecutive times
    Pose listedAt;               ///< reference pose of the list
    Real margin = -1.0;          ///< metres about listedAt; negative: there is no list
    std::uint32_t rest = 0;      ///< searches until the next attempt to build a list
    std::uint32_t failures = 0;  ///< consecutive failed attempts
    std::uint32_t listed = 0;
    std::int64_t paid = 0;    ///< savings of the list minus its cost, in bound tests
    std::int64_t search = 0;  ///< cost of a search without the list
  };
  [[nodiscard]] std::size_t slotOf(const TrianglePair& pair) {
    return kept_.slotOf(pair.bodyA, pair.bodyB);
  }
  [[nodiscard]] bool list(const TrianglePair& pair, std::size_t slot, Real wide, Search search,
                          const SearchPath& path, WorkMeter& meter, const TimeBudget& budget);

  [[nodiscard]] NearGroup* listOf(std::size_t slot);
  /// Schedules the next attempt, after a list that paid or did not.
  static void rest(Kept& kept, bool paid) noexcept;

  KeptPairs<Kept> kept_;
  std::vector<NearGroup> lists_;  ///< of all slots; empty until the first list
  std::vector<SearchFrame> stack_;
};

}  // namespace nearmiss
