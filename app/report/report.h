// SPDX-License-Identifier: MIT
/// Makes one self-contained HTML page from records of runs and tables of experiments.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::app::report {

/// An experiment that the page lists even if its table is missing.
struct ExpectedExperiment {
  std::string name;   ///< as in the head of its table, `# experiment: NAME`
  std::string title;  ///< title of the section that reports it as missing
};

struct ReportSettings {
  std::string title;
  std::vector<ExpectedExperiment> expected;
};

/// Makes the page. Every number on it comes from the files. Errors: Unreadable, BadFormat,
/// WrongVersion, with file and line; Mismatch for a duplicate file.
/// @param runs profiles, pair calls, tables with a record head, or folders of these
/// @param warnings gets sentences on defects of the data: truncated files, incomplete tables, runs
///     that are not comparable, busy machines
Result<std::string> makeReport(std::span<const std::filesystem::path> runs,
                               const ReportSettings& settings, std::vector<std::string>& warnings);

/// `nearmiss report`.
struct ReportCommand {
  std::vector<std::filesystem::path> runs;  ///< files and folders
  std::filesystem::path output = "report.html";
  std::string title = "Nearmiss report";
};

/// @param command must outlive the parsing
void addReportCommand(CLI::App& app, ReportCommand& command);

/// Writes the page and prints where. Returns an ExitCode.
int writeReport(const ReportCommand& command);

}  // namespace nearmiss::app::report
