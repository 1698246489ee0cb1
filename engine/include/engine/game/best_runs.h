// SPDX-License-Identifier: MIT
/// The table of the highest-scoring runs, stored in a folder with the session of each.
#pragma once

#include <nearmiss/result.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct BestRun {
  std::int64_t points = 0;
  std::string date;  ///< "2026-01-31 17:45", local time of the flight
  std::string scene;
  std::uint64_t seed = 0;
  /// Minimum and maximum budget of detection per frame; max(): no limit.
  std::chrono::nanoseconds minBudget{}, maxBudget{};
  std::uint32_t nearMisses = 0, hits = 0, falseHits = 0, longestStreak = 0;
  std::string session;    ///< file name in the same folder; empty: none
  std::size_t level = 0;  ///< level that the run has won; 0: none. Stored in BestRuns::levels
};

/// The table, best run first.
struct BestRuns {
  static constexpr std::size_t most = 10;
  std::vector<BestRun> runs;
  /// Number of levels won, by scene.
  std::map<std::string, std::size_t> levels;
  std::string note;  ///< warning about a damaged table that was set aside; empty: none
};

/// Returns userDataFolder()/runs; empty if there is no home folder.
[[nodiscard]] std::filesystem::path bestRunsFolder();

/// Reads the table of a folder; a missing table is empty. Renames a damaged or foreign file, so
/// that nothing is lost, and says so in `note`. Errors: Unreadable.
Result<BestRuns> readBestRuns(const std::filesystem::path& folder);

/// Returns the number of levels won in a scene. Tables of earlier versions, which store no levels,
/// count the goals that the best run of the scene reached.
[[nodiscard]] std::size_t levelsWon(const BestRuns& table, const std::string& scene);

/// Result of storeRun().
struct StoredRun {
  BestRuns table;                   ///< including the run if it ranks
  std::optional<std::size_t> rank;  ///< its place in the table, from 0
};

/// Writes a session file atomically.
using SessionSaving = std::function<Result<Success>(const std::filesystem::path&)>;

/// Adds a run to the table if it ranks, and the level that it has won in any case. A run without
/// points does not rank. Saves its session first with `save`, if that is set. Removes the session
/// of the run that drops out. Creates the folder. Errors: Unreadable; then the table does not
/// change.
Result<StoredRun> storeRun(const std::filesystem::path& folder, BestRun run,
                           const SessionSaving& save);

}  // namespace nearmiss::engine
