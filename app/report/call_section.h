// SPDX-License-Identifier: MIT
/// Data of pair calls for a report [H96 Figs. 15, 16], in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/record.h"
#include "report/statistics.h"

namespace nearmiss::app::report {

/// Statistics of the calls that reached one level.
struct LevelCalls {
  RatioHistogram speedUp;    ///< reference time / time until the level was complete
  std::uint64_t faster = 0;  ///< calls with a speed-up above 1
};

struct CallData {
  std::string name;  ///< shown on the page
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::uint64_t calls = 0;
  std::array<LevelCalls, 5> levels;      ///< 1 to 4, and the triangles
  std::array<RatioHistogram, 4> bounds;  ///< separation bounds of levels 1 to 4, metres
  bool cutShort = false;                 ///< its last line was incomplete and is ignored
};

/// Reads the rows. Errors: as readProfile().
[[nodiscard]] Result<CallData> readCalls(RecordReader reader);

// Pair calls: speed-up of each level relative to the reference, and tightness of its bounds [H96
// Figs. 15, 16].

[[nodiscard]] std::string callsHtml(const CallData& data);

}  // namespace nearmiss::app::report
