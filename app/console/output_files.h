// SPDX-License-Identifier: MIT
/// The files that a command is to write, looked at before its work begins rather than after it.
#pragma once

#include <engine/record/record_writers.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.h"

namespace nearmiss::app {

/// The option, or what else names the file, and the file.
using OutputFiles = std::vector<std::pair<std::string_view, std::filesystem::path>>;

/// All that `run` and `fly` are to write.
[[nodiscard]] OutputFiles outputsOf(const Options& options);

/// Ok if each file can be written and no two are the same; else another ExitCode, after a
/// complaint: Environment for a file that cannot be written, Usage for the same file twice.
[[nodiscard]] int checkOutputs(const OutputFiles& files);

/// A text as a cell of a CSV file: what would part it becomes '_'.
[[nodiscard]] std::string csvText(std::string text);

// The records that are written while a run or a flight goes on.

/// Each is there if the options name its file.
struct OpenRecords {
  std::optional<engine::ProfileWriter> profile;
  std::optional<engine::TraceWriter> trace;
  std::optional<engine::PairCallWriter> calls;
};

/// In the order above, up to the first that cannot be opened. Errors: Unreadable.
[[nodiscard]] Result<OpenRecords> openRecords(const Options& options,
                                              const engine::RecordHead& head);

}  // namespace nearmiss::app
