// SPDX-License-Identifier: MIT
/// All that one run of an experiment leaves: its tables with one head, as CSV, as JSON, or as a
/// part of a run that others complete.
#pragma once

#include <engine/record/record_writers.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_table.h"
#include "lab/shard.h"

namespace nearmiss::app {

/// What every experiment is told.
struct LabCommand {
  std::filesystem::path folder;  ///< made where there is none
  bool quick = false;
  Shard shard;
  bool resume = false;  ///< does nothing where the folder has the whole result already
};

/// Tables are in the order in which they were made; the first bears the name of the experiment.
struct LabResult {
  std::string experiment;
  engine::RecordHead machine;   ///< see engine::machineHead()
  engine::RecordHead settings;  ///< all that the rows depend on
  engine::RecordHead found;     ///< what the run had to find out first
  std::vector<LabTable> tables;
  std::size_t items = 0;  ///< of the whole experiment
  bool complete = false;  ///< all items were done, and nothing was wrong

  /// @pre there is such a table
  [[nodiscard]] LabTable& table(std::string_view name);
};

/// A result without tables, on this machine; `settings` come after `quick`.
[[nodiscard]] LabResult newResult(std::string_view experiment, const LabCommand& command,
                                  const engine::RecordHead& settings);

/// Names as a setting of the head: "all" for none.
[[nodiscard]] std::string namesText(const std::vector<std::string>& names);

/// Makes the folder and watches for interrupts. An ExitCode where there is nothing to do: the
/// folder cannot be made, or the result is there already and the command resumes.
[[nodiscard]] std::optional<int> beginExperiment(const LabCommand& command,
                                                 const LabResult& result);

/// Writes each table as CSV and as JSON, or what a shard has as one part. Marks the result as
/// complete if `outcome` is Ok and nothing was interrupted. Returns `outcome`, or another ExitCode
/// where something cannot be written, or there is no row where one must be.
[[nodiscard]] int keepResult(const LabCommand& command, LabResult& result, int outcome);

/// `# key: value` lines, then rows of cells parted by ','.
[[nodiscard]] std::string csvOf(const LabResult& result, const LabTable& table);
/// One object: head, columns, figures, rows, and whether they are complete.
[[nodiscard]] std::string jsonOf(const LabResult& result, const LabTable& table);
/// Writes csvOf() and jsonOf() of every table. Returns an ExitCode.
[[nodiscard]] int writeTables(const std::filesystem::path& folder, const LabResult& result);

/// Of a machine's head, what two runs must share so that one can stand for the other.
[[nodiscard]] engine::RecordHead buildOf(const engine::RecordHead& machine);

/// What a shard wrote.
struct LabPart {
  Shard shard;
  LabResult result;
};
[[nodiscard]] std::string partJson(const LabPart& part);
/// Errors: Unreadable, BadFormat.
[[nodiscard]] Result<LabPart> readPart(const std::filesystem::path& file);

}  // namespace nearmiss::app
