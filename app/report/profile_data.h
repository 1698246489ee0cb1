// SPDX-License-Identifier: MIT
/// What a report keeps of a frame profile: 16 bytes a frame, and what is the same for any length.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/record_reader.h"
#include "report/strip_columns.h"

namespace nearmiss::app {

struct ProfileData {
  std::string name;  ///< on the page
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::vector<double> frameMs;      ///< without what only watches
  std::vector<double> detectionMs;  ///< broad and narrow phase
  StripColumns strip;
  std::array<double, 5> collisions{};       ///< counts of those that began, by finest level 1 to 5
  std::uint64_t missed = 0, exhausted = 0;  ///< frames
  bool cutShort = false;                    ///< its last line was not whole, and is left out
};

/// Reads the rows. Errors: BadFormat for a column that is missing, a row of other length or a cell
/// that is no number; Unreadable.
[[nodiscard]] Result<ProfileData> readProfile(RecordReader reader);

}  // namespace nearmiss::app
