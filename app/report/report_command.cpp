// SPDX-License-Identifier: MIT
#include "report/report_command.h"

#include <engine/record/atomic_file.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <system_error>

#include "console/complaint.h"
#include "console/output_files.h"
#include "lab_program.h"
#include "report/report.h"

namespace nearmiss::app {

void addReportCommand(CLI::App& app, ReportCommand& command) {
  CLI::App* report = app.add_subcommand(std::string(labProgramCommands[1].name),
                                        std::string(labProgramCommands[1].summary));
  report
      ->add_option("RUN", command.runs,
                   "what --profile or --calls wrote, a table of the lab, or a folder of these")
      ->required();
  report->add_option("-o,--output", command.output, "the page, FILE.html")->required();
  report->add_option("--title", command.title, "the heading of the page")->capture_default_str();
}

int writeReport(const ReportCommand& command) {
  for (const std::filesystem::path& run : command.runs) {
    std::error_code failed;
    if (!std::filesystem::equivalent(run, command.output, failed)) continue;
    complain(fmt::format("the page would replace \"{}\"", run.string()));
    return Usage;
  }
  if (const int fault = checkOutputs({{"--output", command.output}})) return fault;
  std::vector<std::string> warnings;
  const auto page = makeReport(command.runs, {command.title, {}}, warnings);
  for (const std::string& warning : warnings) complain(warning);
  if (!page)
    return complain(page.error(),
                    page.error().code == ErrorCode::Mismatch ? Usage : BadModelOrScene);
  const auto written = engine::writeWhole(command.output, *page);
  if (!written) return complain(written.error(), Environment);
  fmt::print("written to {}\n", command.output.string());
  return Ok;
}

}  // namespace nearmiss::app
