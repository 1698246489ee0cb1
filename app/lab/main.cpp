// SPDX-License-Identifier: MIT
/// nearmiss-lab: the experiments, their pages, and the benchmarks where they are built. What is
/// called through `nearmiss` speaks of itself by that name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "console/complaint.h"
#include "lab/lab_options.h"
#include "lab_program.h"
#include "program.h"
#include "report/report_command.h"
#ifdef NEARMISS_HAVE_BENCH
#include "bench/bench.h"
#endif

namespace nearmiss::app {
namespace {

int printExperiments() {
  for (const ExperimentEntry& entry : experimentCatalog())
    fmt::print("{:<24} {}\n", entry.name, entry.summary);
  return Ok;
}

int perform(const std::vector<std::string>& words) {
  if (complainOfEmptyWord(words)) return Usage;
  const auto called = [&words](const LabProgramEntry& entry) {
    return !words.empty() && words.front() == entry.name;
  };
  const bool throughNearmiss = std::ranges::any_of(labProgramCommands, called);
  CLI::App app("The experiments of Nearmiss, and pages of what they and flights wrote.",
               throughNearmiss ? "nearmiss" : "nearmiss-lab");
  app.set_version_flag("--version", "nearmiss-lab " NEARMISS_VERSION);
  app.footer(std::string(exitCodes));
  TypedLab lab;
  addLabCommands(app, lab);
  ReportCommand report;
  addReportCommand(app, report);
  const CLI::App* list = app.add_subcommand("list", "the names of the experiments");
#ifdef NEARMISS_HAVE_BENCH
  std::function<int()> measure;
  bench::addBenchCommands(app, measure);
#endif
  if (const auto end = parseWords(app, words)) return *end;

  const CLI::App& at = deepestCommand(app);
  if (at.get_parent()->get_name() == "lab") return experimentOf(lab, at.get_name()).run();
#ifdef NEARMISS_HAVE_BENCH
  if (measure) return measure();
#endif
  return &at == list ? printExperiments() : writeReport(report);
}

}  // namespace
}  // namespace nearmiss::app

int main(int count, char** words) {
  return nearmiss::app::runProgram(count, words, nearmiss::app::perform);
}
