// SPDX-License-Identifier: MIT
#include "lab/lab_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "lab/experiments.h"
#include "lab/results.h"
#include "report/report.h"

namespace nearmiss::app {
namespace {

int writePage(const LabAllCommand& command) {
  ReportSettings settings;
  settings.title = command.quick ? "The experiments, in short" : "The experiments";
  for (const ExperimentEntry& entry : experimentCatalog())
    settings.expected.push_back({std::string(entry.name), std::string(entry.summary)});
  const std::array runs{command.folder};
  std::vector<std::string> warnings;
  const auto page = makeReport(runs, settings, warnings);
  for (const std::string& warning : warnings) complain(warning);
  if (!page) return complain(page.error(), Environment);
  return writeResults(command.folder, {{"report.html", *page}});
}

}  // namespace

int runLabAll(const LabAllCommand& command) {
  if (const int fault = prepareFolder(command.folder)) return fault;
  watchForInterrupts();
  LabCommand each = command;
  each.resume = !command.again;
  int worst = Ok;
  for (const ExperimentEntry& entry : experimentCatalog()) {
    if (interrupted()) break;
    fmt::print("== {}: {}\n", entry.name, entry.summary);
    // One that is without its model or its memory does not stop the others
    worst = std::max(worst, entry.run(each));
  }
  if (!command.shard.whole()) return worst;
  return std::max(worst, writePage(command));
}

}  // namespace nearmiss::app
