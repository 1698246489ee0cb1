// SPDX-License-Identifier: MIT
/// Small records for tests of `report`.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "support/files.h"

namespace nearmiss::test {

inline std::string headOf(int version = 3, std::string_view flags = "-O3") {
  std::string head = fmt::format("# format: nearmiss record {}\n# build: test\n", version);
  if (version > 2)
    head += fmt::format("# commit: abc\n# flags: {}\n# cores: 4\n# load: 0.5\n", flags);
  return head + "# cpu: a processor\n# clock: wall\n";
}

inline constexpr std::string_view profileColumns =
    "frame,target_ms,budget_ms,broad_ms,narrow_ms,slack_ms,frame_ms,watching_ms,missed,exhausted,"
    "coll_l1,coll_l2,coll_l3,coll_l4,coll_l5\n";

/// A frame whose detection takes a quarter of its time.
inline std::string frameRow(int frame, double ms) {
  return fmt::format("{},16,inf,{},{},0,{},1,0,0,0,1,0,0,2\n", frame, ms / 8, ms / 8, ms + 1.0);
}

inline std::string profileOf(int frames, double ms, const std::string& head = headOf()) {
  std::string text = head + std::string(profileColumns);
  for (int i = 0; i < frames; ++i) text += frameRow(i, ms * (1.0 + 0.1 * (i % 7)));
  return text;
}

/// Writes a record into the folder.
inline std::filesystem::path recordIn(const TemporaryFolder& folder, const std::string& text,
                                      const std::string& name = "a.csv") {
  return writeText(folder / name, text);
}

inline std::string tableOf(std::string_view headLines, std::string_view rows) {
  return fmt::format("{}{}{}", headOf(), headLines, rows);
}

}  // namespace nearmiss::test
