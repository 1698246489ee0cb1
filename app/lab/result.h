// SPDX-License-Identifier: MIT
/// The output of one run of an experiment: its tables with a common head, as CSV and JSON, or as a
/// part of a run that other shards complete.
#pragma once

#include <engine/record/record_writers.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "lab/table.h"
#include "options/options.h"

namespace nearmiss::app::lab {

/// Tables in order of creation; the first has the name of the experiment.
struct ExperimentResult {
  std::string experiment;
  engine::RecordHead machine;   ///< see engine::machineHead()
  engine::RecordHead settings;  ///< all settings that affect the rows
  engine::RecordHead found;     ///< values computed by the run
  std::vector<Table> tables;
  std::size_t items = 0;  ///< in the whole experiment
  bool complete = false;  ///< all items are done without errors

  /// @throws std::out_of_range for an unknown table, because results may come from files
  [[nodiscard]] Table& table(std::string_view name);
};

/// Creates a result of this machine without tables; `settings` follow `quick`.
[[nodiscard]] ExperimentResult newResult(std::string_view experiment,
                                         const ExperimentCommand& command,
                                         const engine::RecordHead& settings);

/// Formats a value as a setting of the head: lists with spaces, an empty list of names as "all".
[[nodiscard]] std::string settingText(const std::vector<std::string>& names);
[[nodiscard]] inline std::string settingText(double value) { return fmt::format("{:g}", value); }
[[nodiscard]] inline std::string settingText(std::integral auto value) {
  return fmt::format("{}", value);
}
template <class Value>
[[nodiscard]] std::string settingText(const std::vector<Value>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

/// Creates the folder. On failure prints a message and returns an ExitCode. Call it before the
/// work.
[[nodiscard]] int prepareFolder(const std::filesystem::path& folder);

/// Creates the folder and watches for interrupts. Returns an ExitCode if there is nothing to do:
/// the folder cannot be created, or the result exists and the command resumes.
[[nodiscard]] std::optional<int> beginExperiment(const ExperimentCommand& command,
                                                 const ExperimentResult& result);

[[nodiscard]] Error experimentCancelled();

/// Returns the outcome for writeResult(): Ok if the work is done or was interrupted; otherwise
/// prints the error and returns the exit code.
[[nodiscard]] int outcomeOf(const Result<Success>& done, ExitCode otherwise);

/// Part of the file names of an incomplete result next to a complete one.
inline constexpr std::string_view partialMark = ".partial";

/// Writes each table as CSV and JSON, or the part of a shard. Marks the result as complete if
/// `outcome` is Ok and there was no interrupt. An incomplete result never overwrites a complete
/// one; its names then contain partialMark. Returns `outcome`, or another ExitCode if a file cannot
/// be written, a necessary row is missing, or rows are missing due to an interrupt.
[[nodiscard]] int writeResult(const ExperimentCommand& command, ExperimentResult& result,
                              int outcome);

/// As above, and writes drawings of the whole result: files by name.
[[nodiscard]] int writeResult(
    const ExperimentCommand& command, ExperimentResult& result, int outcome,
    std::initializer_list<std::pair<std::string_view, std::string>> drawings);

/// Writes texts to files of these names and prints their paths. Returns an ExitCode.
[[nodiscard]] int writeResults(
    const std::filesystem::path& folder,
    std::initializer_list<std::pair<std::string_view, std::string>> results);

/// Writes every table as `# key: value` lines and rows with ',' between cells, and as one JSON
/// object. Returns an ExitCode.
/// @param mark inserted in the file names before the extension
[[nodiscard]] int writeTables(const std::filesystem::path& folder, const ExperimentResult& result,
                              std::string_view mark = "");

/// The entries of a machine's head that interchangeable runs must share.
[[nodiscard]] engine::RecordHead buildOf(const engine::RecordHead& machine);

/// The output of a shard.
struct ResultPart {
  Shard shard;
  ExperimentResult result;
};
/// Errors: Unreadable, BadFormat.
[[nodiscard]] Result<ResultPart> readPart(const std::filesystem::path& file);

}  // namespace nearmiss::app::lab
