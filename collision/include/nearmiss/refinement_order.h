// SPDX-License-Identifier: MIT
/// In which order pairs are refined beyond their first level, while a detection has time.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/narrow_phase.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss {

/// With unlimited time all give the same answers.
enum class RefinementOrder : std::uint8_t {
  InTurn,        ///< a level for each pair, round after round [H96 §4.2]
  LargestBound,  ///< the pair first whose bodies can be the farthest apart
  ClosingSpeed,  ///< whose bodies approach each other the fastest
  Visibility,    ///< whose bound looks the largest to the viewer
  Eccentricity,  ///< whose contact is the nearest to where the viewer looks
};

/// Who looks on, for the orders that ask.
struct Viewer {
  Vec3 eye{0.0};                   ///< metres, world
  Vec3 direction{0.0, 0.0, -1.0};  ///< unit
};

struct RefinementOrderEntry {
  RefinementOrder order;
  std::string_view name;     ///< as on the command line
  std::string_view summary;  ///< one line for lists
};

[[nodiscard]] std::span<const RefinementOrderEntry> refinementOrderCatalog() noexcept;
/// Null for an unknown name.
[[nodiscard]] const RefinementOrderEntry* findRefinementOrder(std::string_view name) noexcept;
[[nodiscard]] const RefinementOrderEntry& entryOf(RefinementOrder order) noexcept;

/// The greater, the earlier is the pair's turn; all alike InTurn. `known` is of the pair.
[[nodiscard]] Real priorityOf(RefinementOrder order, const Viewer& viewer, const BodyState& a,
                              const BodyState& b, const Refinement& known) noexcept;

}  // namespace nearmiss
