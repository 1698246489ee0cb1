// SPDX-License-Identifier: MIT
/// A run for points as the window shows it: while it flies, and how it ended.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fly/overlay/text_page.h"

namespace nearmiss::app {

/// A run that flies. Views, valid for the frame.
struct RunView {
  double left = 0.0;  ///< simulation seconds
  std::int64_t points = 0;
  std::uint32_t streak = 0, times = 1;  ///< near misses in a row, and how often the next counts
  std::string_view event;               ///< the last; empty: none yet
};

/// A run that is over. Views, valid for the frame.
struct RunEndView {
  std::string_view title;
  std::span<const PageGroup> groups;
};

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run);

/// In the middle of the window; `scroll`, in lines, is brought into its range.
void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll);

}  // namespace nearmiss::app
