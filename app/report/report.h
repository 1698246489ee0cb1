// SPDX-License-Identifier: MIT
/// Records of runs and tables of experiments as one HTML page that needs nothing beside it.
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

/// One that the page names even where there is no table of it.
struct ExpectedExperiment {
  std::string name;   ///< as in the head of its table, `# experiment: NAME`
  std::string title;  ///< for the section that says that it is missing
};

struct ReportSettings {
  std::string title;
  std::vector<ExpectedExperiment> expected;
};

/// The page. Every number in it comes from the files.
/// @param runs profiles, pair calls, tables with a record head, or folders of these
/// @param warnings gets sentences of what keeps the page from being the whole or a fair picture:
///   a file that ends within a line, a table that is not complete, runs that cannot be compared, a
///   machine that was busy
/// Errors: Unreadable, BadFormat, WrongVersion, with the file and the line; Mismatch for a file
/// that is given twice.
Result<std::string> makeReport(std::span<const std::filesystem::path> runs,
                               const ReportSettings& settings, std::vector<std::string>& warnings);

/// `nearmiss report`.
struct ReportCommand {
  std::vector<std::filesystem::path> runs;  ///< files and folders
  std::filesystem::path output;
  std::string title = "Nearmiss report";
};

/// @param command must outlive the parsing
void addReportCommand(CLI::App& app, ReportCommand& command);

/// Writes the page and prints where. Returns an ExitCode.
int writeReport(const ReportCommand& command);

}  // namespace nearmiss::app::report
