// SPDX-License-Identifier: MIT
#include "lab/experiments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <type_traits>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/lab_program.h"
#include "lab/merge.h"
#include "lab/result.h"
#include "options/option_checks.h"
#include "report/report.h"

namespace nearmiss::app::lab {
namespace {

/// Sorted by name. Entries register themselves before main(), in any order.
std::vector<Experiment>& entries() {
  static std::vector<Experiment> all;
  return all;
}

bool readWhole(std::string_view text, std::size_t& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size();
}

/// Reads "2/4".
Shard parseShard(const std::string& text) {
  const std::string_view all = text;
  const std::size_t slash = all.find('/');
  Shard shard;
  const bool numbers = slash != std::string_view::npos &&
                       readWhole(all.substr(0, slash), shard.index) &&
                       readWhole(all.substr(slash + 1), shard.count);
  if (!numbers)
    throw CLI::ValidationError(
        "--shard", fmt::format("\"{}\" is not a shard. Write 2/4 for the second of four", text));
  if (shard.count < 1 || shard.count > Shard::maxCount || shard.index < 1 ||
      shard.index > shard.count)
    throw CLI::ValidationError("--shard",
                               fmt::format("there is no shard {} of {}", shard.index, shard.count));
  return shard;
}

/// Options of every experiment.
void addCommonOptions(CLI::App& app, ExperimentCommand& command, std::string_view quick) {
  app.add_option("-o,--output", command.folder, "the folder to write to")
      ->default_str(std::string(defaultFolder));
  app.add_flag("--quick", command.quick, std::string(quick));
  app.add_option_function<std::string>(
      "--shard", [&command](const std::string& text) { command.shard = parseShard(text); },
      "only this share of the work, I/N, for nearmiss lab merge");
}

/// Writes a page with all tables of the folder.
int writePage(const ExperimentCommand& command) {
  report::ReportSettings settings;
  settings.title = command.quick ? "The experiments, in short" : "The experiments";
  for (const Experiment& each : experimentCatalog())
    settings.expected.push_back({std::string(each.name), std::string(each.summary)});
  const std::array runs{command.folder};
  std::vector<std::string> warnings;
  const auto page = report::makeReport(runs, settings, warnings);
  for (const std::string& warning : warnings) complain(warning);
  if (!page) return complain(page.error(), Environment);
  return writeResults(command.folder, {{"report.html", *page}});
}

struct AllCommand : ExperimentCommand {
  bool again = false;  ///< also run experiments with complete results
};

int runAll(const AllCommand& command) {
  if (const int fault = prepareFolder(command.folder)) return fault;
  watchForInterrupts();
  int worst = Ok;
  for (const Experiment& each : experimentCatalog()) {
    if (interrupted()) {
      worst = std::max<int>(worst, Interrupted);
      break;
    }
    fmt::print("== {}: {}\n", each.name, each.summary);
    CLI::App untyped;
    OptionList options(untyped);
    const PreparedExperiment prepared = each.prepare(options);
    *prepared.command = command;
    prepared.command->resume = !command.again;
    // Continue after failures, such as a missing model or lack of memory
    worst = std::max(worst, prepared.run());
  }
  return command.shard.whole() ? std::max(worst, writePage(command)) : worst;
}

void addAll(CLI::App& lab, std::function<int()>& chosen) {
  const auto command = std::make_shared<AllCommand>();
  CLI::App* app = lab.add_subcommand("all", "every experiment, and a page of them, report.html");
  addCommonOptions(*app, *command, "each in short");
  app->add_flag("--again", command->again, "run also what the folder has already");
  app->callback([command, &chosen] { chosen = [command] { return runAll(*command); }; });
}

void addMerge(CLI::App& lab, std::function<int()>& chosen) {
  const auto command = std::make_shared<MergeCommand>();
  CLI::App* app =
      lab.add_subcommand("merge", "join what the shards of an experiment wrote to its tables");
  app->add_option("PART", command->parts, "files that --shard wrote, of all shards")->required();
  app->add_option("-o,--output", command->folder, "the folder to write to")
      ->default_str(std::string(defaultFolder));
  app->callback([command, &chosen] { chosen = [command] { return mergeParts(*command); }; });
}

/// Of a number or a list of numbers.
template <class Value>
constexpr bool isWhole = std::is_integral_v<Value>;
template <class Value>
constexpr bool isWhole<std::vector<Value>> = std::is_integral_v<Value>;

}  // namespace

template <class Value>
void OptionList::number(const char* name, Value& value, double low, double high,
                        const char* meaning) {
  CLI::Option* option = app_.add_option(name, value, meaning);
  if constexpr (isWhole<Value>)
    option->transform(wholeFrom(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
  else
    option->check(numberFrom(low, high));
  if constexpr (requires { value.empty(); }) {
    if (value.empty()) return;
  }
  option->capture_default_str();
}
template void OptionList::number(const char*, int&, double, double, const char*);
template void OptionList::number(const char*, double&, double, double, const char*);
template void OptionList::number(const char*, std::size_t&, double, double, const char*);
template void OptionList::number(const char*, std::vector<int>&, double, double, const char*);
template void OptionList::number(const char*, std::vector<double>&, double, double, const char*);
template void OptionList::number(const char*, std::vector<std::size_t>&, double, double,
                                 const char*);

void OptionList::name(const char* name, std::string& value, std::vector<std::string_view> known,
                      const char* meaning) {
  CLI::Option* option = app_.add_option(name, value, meaning);
  if (!known.empty()) option->check(oneOf(std::move(known), "NAME"));
  if (!value.empty()) option->capture_default_str();
}

void OptionList::names(const char* name, std::vector<std::string>& values,
                       std::vector<std::string_view> known, const char* meaning) {
  CLI::Option* option = app_.add_option(name, values, meaning);
  if (!known.empty()) option->check(oneOf(std::move(known), "NAME"));
  if (!values.empty()) option->capture_default_str();
}

void OptionList::seed(std::uint64_t& seed, const char* meaning) {
  app_.add_option("--seed", seed, meaning)->transform(wholeFrom(0, maxSeed))->capture_default_str();
}
void OptionList::steps(int& steps, const char* meaning) {
  number("--steps", steps, 1, 100'000, meaning);
}
void OptionList::rounds(int& rounds) {
  number("--rounds", rounds, 1, 1000,
         "number of times that everything is timed; the median counts");
}
void OptionList::levels(int& levels, const char* meaning) {
  number("--levels", levels, 1, 5, meaning);
}
void OptionList::workers(int& workers, int fewest) {
  number("--jobs", workers, fewest, 256,
         fewest == 0 ? "threads; 0: one per core" : "threads for building and measuring");
}

ExperimentEntry::ExperimentEntry(Experiment experiment) {
  const auto after = std::ranges::upper_bound(entries(), experiment.name, {}, &Experiment::name);
  entries().insert(after, std::move(experiment));
}

std::span<const Experiment> experimentCatalog() { return entries(); }

const Experiment* findExperiment(std::string_view name) {
  const auto all = experimentCatalog();
  const auto at = std::ranges::find(all, name, &Experiment::name);
  return at == all.end() ? nullptr : &*at;
}

void addLabCommand(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* lab = app.add_subcommand(std::string(labProgramCommands[0].name),
                                     std::string(labProgramCommands[0].summary));
  lab->require_subcommand(1);
  addAll(*lab, chosen);
  addMerge(*lab, chosen);
  for (const Experiment& each : experimentCatalog()) {
    CLI::App* own = lab->add_subcommand(std::string(each.name), std::string(each.summary));
    OptionList options(*own);
    const PreparedExperiment prepared = each.prepare(options);
    addCommonOptions(*own, *prepared.command, each.quick);
    own->callback([prepared, &chosen] { chosen = prepared.run; });
  }
}

}  // namespace nearmiss::app::lab
