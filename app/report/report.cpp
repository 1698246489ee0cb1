// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <map>

#include "console/complaint.h"
#include "console/lab_program.h"
#include "console/output_files.h"
#include "report/call_section.h"
#include "report/html.h"
#include "report/record.h"
#include "report/report.h"
#include "report/run_sections.h"
#include "report/table_section.h"

namespace nearmiss::app::report {
namespace {

/// The section of a table, and its experiment.
struct TableSection {
  std::string experiment;
  PageSection section;
};

class Report {
 public:
  Report(const ReportSettings& settings, std::vector<std::string>& warnings)
      : settings_(settings), warnings_(warnings) {}

  Result<std::string> make(std::span<const std::filesystem::path> runs) {
    const auto files = recordFiles(runs);
    if (!files) return files.error();
    std::map<std::filesystem::path, std::size_t> stems;
    for (const RecordPath& path : *files) ++stems[path.file.stem()];
    for (const RecordPath& path : *files) {
      // The file's name, or its path if another file has the same name
      const std::filesystem::path stem = path.file.stem();
      const auto name = stems[stem] > 1 ? path.file.string() : stem.string();
      if (const auto read = readFile(path, name); !read) return read.error();
    }
    warn(busy_.notice());
    if (profiles_.empty() && calls_.empty() && tables_.empty() && settings_.expected.empty())
      return Error{ErrorCode::Unreadable, "no record to draw"};
    page_.title = settings_.title;
    addRunSettings();
    compareRuns();
    for (const ProfileData& profile : profiles_)
      page_.sections.push_back({"Run: " + profile.name, profileHtml(profile)});
    for (const CallData& calls : calls_)
      page_.sections.push_back({"Pair calls: " + calls.name, callsHtml(calls)});
    addExperiments();
    page_.notices = warnings_;
    return pageHtml(page_);
  }

 private:
  void warn(std::optional<std::string> sentence) {
    if (sentence) warnings_.push_back(*std::move(sentence));
  }

  Result<Success> readFile(const RecordPath& path, const std::string& name) {
    auto reader = RecordReader::open(path.file);
    if (!reader) {
      const bool foreign = reader.error().code == ErrorCode::Unsupported;
      if (!foreign || !path.fromFolder) return reader.error();
      warn(reader.error().message + "; it is left out");
      return Success{};
    }
    switch (reader->kind()) {
      case RecordKind::Profile:
        return addProfile(*std::move(reader), name);
      case RecordKind::PairCalls:
        return addCalls(*std::move(reader), name);
      case RecordKind::Table:
        return addTable(*std::move(reader), name);
    }
    return Success{};
  }

  Result<Success> addProfile(RecordReader reader, const std::string& name) {
    auto profile = readProfile(std::move(reader));
    if (!profile) return profile.error();
    profile->name = name;
    busy_.add(name, profile->head);
    warn(cutNotice(name, profile->cutShort, profile->frameMs.size()));
    profiles_.push_back(*std::move(profile));
    return Success{};
  }

  Result<Success> addCalls(RecordReader reader, const std::string& name) {
    auto calls = readCalls(std::move(reader));
    if (!calls) return calls.error();
    calls->name = name;
    busy_.add(name, calls->head);
    warn(cutNotice(name, calls->cutShort, calls->calls));
    calls_.push_back(*std::move(calls));
    return Success{};
  }

  Result<Success> addTable(RecordReader reader, const std::string& name) {
    const auto table = readTable(std::move(reader));
    if (!table) return table.error();
    busy_.add(name, table->head);
    warn(cutNotice(name, table->cutShort, table->rows()));
    if (saidIn(table->head, "complete") == "no")
      warn(fmt::format("\"{}\" is not complete: its experiment was interrupted, or found a fault.",
                       name));
    auto html = tableSectionHtml(*table);
    if (!html) return html.error();
    const std::string title(saidIn(table->head, "title"));
    tables_.push_back({std::string(saidIn(table->head, "experiment")),
                       {title.empty() ? name : title, *std::move(html)}});
    return Success{};
  }

  void addRunSettings() {
    std::vector<NamedHead> heads;
    for (const ProfileData& profile : profiles_) heads.push_back({profile.name, profile.head});
    for (const CallData& calls : calls_) heads.push_back({calls.name, calls.head});
    if (!heads.empty())
      page_.sections.push_back({"Settings and machine of the runs", settingsHtml(heads)});
  }

  void compareRuns() {
    const std::vector<RunGroup> groups = comparableRuns(profiles_);
    for (std::size_t i = 1; i < groups.size(); ++i) {
      // One sentence for all runs with the same difference
      std::string names;
      for (const ProfileData* run : groups[i]) names += (names.empty() ? "" : "\", \"") + run->name;
      warn(whyNotComparable(groups[0].front()->name, groups[0].front()->head, names,
                            groups[i].front()->head));
    }
    for (const RunGroup& group : groups) {
      std::ranges::move(foundIn(group), std::back_inserter(page_.found));
      if (group.size() < 2) continue;
      const std::string with =
          groups.size() > 1 ? fmt::format(" with \"{}\"", group.front()->name) : std::string();
      page_.sections.push_back({"Comparison of runs" + with, comparisonHtml(group)});
    }
  }

  /// Expected experiments in their order, then the others.
  void addExperiments() {
    for (const ExpectedExperiment& expected : settings_.expected) {
      bool found = false;
      for (TableSection& table : tables_) {
        if (table.experiment != expected.name || table.section.title.empty()) continue;
        page_.sections.push_back(std::move(table.section));
        table.section.title.clear();
        found = true;
      }
      if (!found)
        page_.sections.push_back({expected.title, paragraphHtml("Missing: it was not run."), true});
    }
    for (TableSection& table : tables_)
      if (!table.section.title.empty()) page_.sections.push_back(std::move(table.section));
  }

  const ReportSettings& settings_;
  std::vector<std::string>& warnings_;
  std::vector<ProfileData> profiles_;
  std::vector<CallData> calls_;
  std::vector<TableSection> tables_;
  BusyMachines busy_;
  Page page_;
};

}  // namespace

Result<std::string> makeReport(std::span<const std::filesystem::path> runs,
                               const ReportSettings& settings, std::vector<std::string>& warnings) {
  return Report(settings, warnings).make(runs);
}

void addReportCommand(CLI::App& app, ReportCommand& command) {
  CLI::App* report = app.add_subcommand(std::string(labProgramCommands[1].name),
                                        std::string(labProgramCommands[1].summary));
  report
      ->add_option(
          "RUN", command.runs,
          "what --profile or --calls wrote, a table of the lab (CSV or JSON), or a folder of these")
      ->required();
  report->add_option("-o,--output", command.output, "the page, FILE.html")
      ->default_str("report.html");
  report->add_option("--title", command.title, "the heading of the page")->capture_default_str();
}

int writeReport(const ReportCommand& command) {
  InputFiles inputs = command.runs;
  // Including those in folders
  if (const auto tables = recordFiles(command.runs))
    for (const RecordPath& table : *tables) inputs.push_back(table.file);
  if (const int fault = checkOutputs({{"--output", command.output}}, inputs)) return fault;
  std::vector<std::string> warnings;
  const auto page = makeReport(command.runs, {command.title, {}}, warnings);
  for (const std::string& warning : warnings) complain(warning);
  if (!page)
    return complain(page.error(),
                    page.error().code == ErrorCode::Mismatch ? Usage : BadModelOrScene);
  const auto written = engine::writeWhole(command.output, *page);
  if (!written) return complain(written.error(), Environment);
  std::error_code failed;
  const auto whole = std::filesystem::absolute(command.output, failed);
  fmt::print("written to {}\n", (failed ? command.output : whole).string());
  return Ok;
}

}  // namespace nearmiss::app::report
