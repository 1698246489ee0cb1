// SPDX-License-Identifier: MIT
/// `nearmiss report`: records of runs as a page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::app {

struct ReportCommand {
  std::vector<std::filesystem::path> runs;  ///< files and folders
  std::filesystem::path output;
  std::string title = "Nearmiss report";
};

/// @param command must outlive the parsing
void addReportCommand(CLI::App& app, ReportCommand& command);

/// Writes the page and prints where. Returns an ExitCode.
int writeReport(const ReportCommand& command);

}  // namespace nearmiss::app
