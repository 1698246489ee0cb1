// SPDX-License-Identifier: MIT
/// nearmiss-lab: the experiments, their pages, and the benchmarks if they are built. If called
/// through `nearmiss`, its messages use that name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>

#include "console/complaint.h"
#include "console/lab_program.h"
#include "console/program.h"
#include "lab/experiments.h"
#include "report/report.h"
#ifdef NEARMISS_HAVE_BENCH
#include "bench/bench.h"
#endif

namespace nearmiss::app::lab {
namespace {

int printExperiments() {
  for (const Experiment& entry : experimentCatalog())
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
  std::function<int()> chosen;
  addLabCommand(app, chosen);
  report::ReportCommand page;
  report::addReportCommand(app, page);
  const CLI::App* list = app.add_subcommand("list", "the names of the experiments");
#ifdef NEARMISS_HAVE_BENCH
  bench::addBenchCommands(app, chosen);
#endif
  if (const auto end = parseWords(app, words)) return *end;

  if (chosen) return chosen();
  return &deepestCommand(app) == list ? printExperiments() : report::writeReport(page);
}

}  // namespace
}  // namespace nearmiss::app::lab

int main(int count, char** words) {
  return nearmiss::app::runProgram(count, words, nearmiss::app::lab::perform);
}
