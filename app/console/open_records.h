// SPDX-License-Identifier: MIT
/// The records that are written while a run or a flight goes on.
#pragma once

#include <engine/record/record_writers.h>

#include <optional>

#include "options.h"

namespace nearmiss::app {

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
