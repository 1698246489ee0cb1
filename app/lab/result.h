// SPDX-License-Identifier: MIT
/// All that one run of an experiment leaves: its tables with one head, as CSV, as JSON, or as a
/// part of a run that others complete.
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
#include "options.h"

namespace nearmiss::app::lab {

/// Tables are in the order in which they were made; the first bears the name of the experiment.
struct ExperimentResult {
  std::string experiment;
  engine::RecordHead machine;   ///< see engine::machineHead()
  engine::RecordHead settings;  ///< all that the rows depend on
  engine::RecordHead found;     ///< values that the run had to find first
  std::vector<Table> tables;
  std::size_t items = 0;  ///< of the whole experiment
  bool complete = false;  ///< all items were done, and nothing was wrong

  /// @throws std::out_of_range for a table that there is not: results may come from files
  [[nodiscard]] Table& table(std::string_view name);
};

/// Without tables, on this machine; `settings` come after `quick`.
[[nodiscard]] ExperimentResult newResult(std::string_view experiment,
                                         const ExperimentCommand& command,
                                         const engine::RecordHead& settings);

/// A value as a setting of the head: several with gaps, no names at all as "all".
[[nodiscard]] std::string settingText(const std::vector<std::string>& names);
[[nodiscard]] inline std::string settingText(double value) { return fmt::format("{:g}", value); }
[[nodiscard]] inline std::string settingText(std::integral auto value) {
  return fmt::format("{}", value);
}
template <class Value>
[[nodiscard]] std::string settingText(const std::vector<Value>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

/// Makes the folder. Returns an ExitCode, after a sentence on stderr where that fails: call it
/// before the work, not after it.
[[nodiscard]] int prepareFolder(const std::filesystem::path& folder);

/// Makes the folder and watches for interrupts. An ExitCode where there is nothing to do: the
/// folder cannot be made, or the result is there already and the command resumes.
[[nodiscard]] std::optional<int> beginExperiment(const ExperimentCommand& command,
                                                 const ExperimentResult& result);

[[nodiscard]] Error experimentCancelled();

/// What keepResult() is told of work that may have ended early: Ok if it is done or was cancelled
/// by an interrupt, else the exit code, after the error's sentence on stderr.
[[nodiscard]] int outcomeOf(const Result<Success>& done, ExitCode otherwise);

/// In the names of files of a result that is not complete, beside those of one that is.
inline constexpr std::string_view partialMark = ".partial";

/// Writes each table as CSV and as JSON, or what a shard has as one part. Marks the result as
/// complete if `outcome` is Ok and nothing was interrupted; one that is not never replaces one that
/// is, but goes beside it, to names with partialMark. Returns `outcome`, or another ExitCode where
/// something cannot be written, there is no row where one must be, or rows are missing because of
/// an interrupt.
[[nodiscard]] int keepResult(const ExperimentCommand& command, ExperimentResult& result,
                             int outcome);

/// The same, and drawings of the whole result: files by name.
[[nodiscard]] int keepResult(
    const ExperimentCommand& command, ExperimentResult& result, int outcome,
    std::initializer_list<std::pair<std::string_view, std::string>> drawings);

/// Writes texts to files of these names and prints where. Returns an ExitCode.
[[nodiscard]] int writeResults(
    const std::filesystem::path& folder,
    std::initializer_list<std::pair<std::string_view, std::string>> results);

/// Writes every table as `# key: value` lines and rows of cells parted by ',', and as one JSON
/// object. Returns an ExitCode.
/// @param mark stands in the files' names before their kind
[[nodiscard]] int writeTables(const std::filesystem::path& folder, const ExperimentResult& result,
                              std::string_view mark = "");

/// The part of a machine's head that interchangeable runs must share.
[[nodiscard]] engine::RecordHead buildOf(const engine::RecordHead& machine);

/// The output of a shard.
struct ResultPart {
  Shard shard;
  ExperimentResult result;
};
/// Errors: Unreadable, BadFormat.
[[nodiscard]] Result<ResultPart> readPart(const std::filesystem::path& file);

}  // namespace nearmiss::app::lab
