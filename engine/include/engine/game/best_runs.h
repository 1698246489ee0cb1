// SPDX-License-Identifier: MIT
/// The table of the best runs for points, kept in a folder with the session of each.
#pragma once

#include <nearmiss/result.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct BestRun {
  std::int64_t points = 0;
  std::string date;  ///< "2026-01-31 17:45", of the place where it was flown
  std::string scene;
  std::uint64_t seed = 0;
  /// Time allowed to detection per frame; max(): no limit.
  std::chrono::nanoseconds leastBudget{}, greatestBudget{};
  std::uint32_t nearMisses = 0, hits = 0, falseHits = 0, longestStreak = 0;
  std::string session;  ///< file name, in the same folder; empty: none is kept
};

/// The best come first.
struct BestRuns {
  static constexpr std::size_t most = 10;
  std::vector<BestRun> runs;
  std::string note;  ///< of a damaged table that was set aside; empty: nothing to tell
};

/// userDataFolder()/runs; empty without a home.
[[nodiscard]] std::filesystem::path bestRunsFolder();

/// The table of a folder; empty without a file. A file that is none of ours is renamed, so that
/// nothing is lost, and noted. Errors: Unreadable.
Result<BestRuns> readBestRuns(const std::filesystem::path& folder);

/// The outcome of keeping a run.
struct KeptRun {
  BestRuns table;                   ///< with it, if it is good enough
  std::optional<std::size_t> rank;  ///< its place in the table, from 0
};

/// Writes a file, whole or not at all.
using SessionSaving = std::function<Result<Success>(const std::filesystem::path&)>;

/// Adds a run to the table if it is among the best, its session first, saved by `save` if it is
/// there; the session of a run that leaves the table is removed. Makes the folder. Errors:
/// Unreadable; then the table is as it was.
Result<KeptRun> keepRun(const std::filesystem::path& folder, BestRun run,
                        const SessionSaving& save);

}  // namespace nearmiss::engine
