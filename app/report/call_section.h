// SPDX-License-Identifier: MIT
/// What a report keeps of pair calls [H96 Figs. 15, 16], in memory that does not grow with them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/record.h"
#include "report/statistics.h"

namespace nearmiss::app::report {

/// Of the calls that reached one level.
struct LevelCalls {
  RatioHistogram speedUp;    ///< the reference's time over the time until the level was complete
  std::uint64_t faster = 0;  ///< calls with a speed-up above 1
};

struct CallData {
  std::string name;  ///< on the page
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::uint64_t calls = 0;
  std::array<LevelCalls, 5> levels;      ///< 1 to 4, and the triangles
  std::array<RatioHistogram, 4> bounds;  ///< separation bound in metres, of levels 1 to 4
  bool cutShort = false;                 ///< its last line was not whole, and is left out
};

/// Reads the rows. Errors: as readProfile().
[[nodiscard]] Result<CallData> readCalls(RecordReader reader);

// Pair calls: how much faster each level is than the reference, and how tight its bounds are
// [H96 Figs. 15, 16].

[[nodiscard]] std::string callsHtml(const CallData& data);

}  // namespace nearmiss::app::report
