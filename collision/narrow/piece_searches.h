// SPDX-License-Identifier: MIT
/// Searches for pieces of one body inside the other, which resume after time ran out.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/work_meter.h"
#include "geometry/pieces_inside.h"

namespace nearmiss {

class PieceSearches {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Discards all unfinished searches.
  void clear() noexcept { begun_.clear(); }

  /// As oneInsideOther(); empty if time ran out.
  /// @param number of the search to resume; none: start a new one. Set if time ran out, else none.
  [[nodiscard]] std::optional<bool> oneInsideOther(const Polyhedron& a, const Polyhedron& b,
                                                   const Pose& bToA, std::uint32_t& number,
                                                   WorkMeter& meter, const TimeBudget& budget) {
    if (number == none) {
      PiecesInside pieces;
      pieces.begin(a, b, bToA);
      if (goOn(pieces, meter, budget)) return pieces.found();
      begun_.push_back(pieces);
      number = static_cast<std::uint32_t>(begun_.size() - 1);
      return std::nullopt;
    }
    PiecesInside& pieces = begun_[number];
    if (!goOn(pieces, meter, budget)) return std::nullopt;
    number = none;
    return pieces.found();
  }

 private:
  /// Returns false if time ran out.
  static bool goOn(PiecesInside& pieces, WorkMeter& meter, const TimeBudget& budget) {
    while (!pieces.ended()) {
      std::uint64_t tests = 0;
      pieces.step(tests);
      meter.open().boundTests += tests;
      // Without work, the time need not be checked
      if (tests != 0 && !pieces.ended() && meter.outOfTime(budget)) return false;
    }
    return true;
  }

  std::vector<PiecesInside> begun_;
};

}  // namespace nearmiss
