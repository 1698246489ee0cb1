// SPDX-License-Identifier: MIT
/// The depth that a detection result reached, as a row of profiles and of the screen.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace nearmiss::engine {

/// Row 0 is the bounding spheres. Rows 1 to 4 are the levels of spheres; row 4 includes deeper
/// levels. The last row is the triangles. The rows do not depend on the number of levels of a tree.
inline constexpr int depths = 6;
inline constexpr int exactDepth = depths - 1;

[[nodiscard]] inline int depthOf(const Refinement& known) noexcept {
  return known.stage == Stage::Exact ? exactDepth : std::min(known.level, exactDepth - 1);
}

/// Name for display: "L2", "exact".
[[nodiscard]] constexpr std::string_view nameOfDepth(int depth) noexcept {
  constexpr std::array<std::string_view, depths> names{"L0", "L1", "L2", "L3", "L4", "exact"};
  return names[static_cast<std::size_t>(std::clamp(depth, 0, exactDepth))];
}

[[nodiscard]] constexpr std::string_view nameOf(Verdict verdict) noexcept {
  constexpr std::array<std::string_view, 3> names{"separate", "possible", "contact"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace nearmiss::engine
