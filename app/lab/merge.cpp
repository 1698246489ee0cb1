// SPDX-License-Identifier: MIT
#include "lab/merge.h"

#include <fmt/format.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "console/complaint.h"
#include "console/output_files.h"
#include "lab/experiments.h"
#include "lab/result.h"
#include "lab/verdicts.h"

namespace nearmiss::app::lab {
namespace {

using engine::RecordHead;

Error mismatch(std::string sentence) { return {ErrorCode::Mismatch, std::move(sentence)}; }

bool sameTables(const std::vector<Table>& a, const std::vector<Table>& b) {
  const auto sameColumn = [](const ColumnHead& one, const ColumnHead& other) {
    return one.name == other.name;
  };
  return std::ranges::equal(a, b, [&](const Table& one, const Table& other) {
    return one.name == other.name && std::ranges::equal(one.columns, other.columns, sameColumn);
  });
}

/// Checks that the parts are the complete shards of one run.
Result<Success> checkParts(const std::vector<ResultPart>& parts) {
  const ResultPart& first = parts.front();
  const std::string& name = first.result.experiment;
  std::vector<bool> there(first.shard.count, false);
  for (const ResultPart& part : parts) {
    const ExperimentResult& result = part.result;
    if (part.shard.count != first.shard.count || part.shard.index < 1 ||
        part.shard.index > part.shard.count)
      return mismatch(fmt::format("{} has parts of {} and of {} shards", name, first.shard.count,
                                  part.shard.count));
    if (there[part.shard.index - 1])
      return mismatch(
          fmt::format("{} has shard {}/{} twice", name, part.shard.index, part.shard.count));
    there[part.shard.index - 1] = true;
    if (result.settings != first.result.settings || result.items != first.result.items ||
        !sameTables(result.tables, first.result.tables))
      return mismatch(fmt::format("{} has parts of different settings: shards {} and {}", name,
                                  first.shard.index, part.shard.index));
    if (buildOf(result.machine) != buildOf(first.result.machine))
      return mismatch(fmt::format("{} has parts of different builds: shards {} and {}", name,
                                  first.shard.index, part.shard.index));
    if (!result.complete)
      return mismatch(fmt::format("shard {}/{} of {} was stopped, or found a fault",
                                  part.shard.index, part.shard.count, name));
  }
  const auto missing = std::find(there.begin(), there.end(), false);
  if (missing != there.end())
    return mismatch(fmt::format("shard {}/{} of {} is missing", missing - there.begin() + 1,
                                first.shard.count, name));
  return Success{};
}

/// Returns true if all parts were measured on the same kind of processor.
bool ofOneProcessor(const std::vector<ResultPart>& parts) {
  const auto processorOf = [](const ResultPart& part) {
    const RecordHead& machine = part.result.machine;
    const auto line = std::ranges::find(machine, "cpu", &RecordHead::value_type::first);
    return line == machine.end() ? std::string() : line->second;
  };
  return std::ranges::all_of(parts, [&, first = processorOf(parts.front())](const auto& part) {
    return processorOf(part) == first;
  });
}

/// Joins different values of a head entry without duplicates.
void joinHead(const RecordHead& from, RecordHead& to) {
  for (const auto& [key, value] : from) {
    const auto same = std::find_if(to.begin(), to.end(),
                                   [name = key](const auto& line) { return line.first == name; });
    if (same == to.end())
      to.emplace_back(key, value);
    else if (("; " + same->second + "; ").find("; " + value + "; ") == std::string::npos)
      same->second += "; " + value;
  }
}

/// The files that writeTables() will write.
OutputFiles outputsOf(const std::filesystem::path& folder, const ExperimentResult& result) {
  OutputFiles files;
  for (const Table& table : result.tables)
    for (const char* ending : {".csv", ".json"})
      files.emplace_back("-o", folder / (table.name + ending));
  return files;
}

ExperimentResult joined(std::vector<ResultPart> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const ResultPart& a, const ResultPart& b) { return a.shard.index < b.shard.index; });
  ExperimentResult whole = std::move(parts.front().result);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    ExperimentResult& part = parts[i].result;
    joinHead(part.machine, whole.machine);
    joinHead(part.found, whole.found);
    for (std::size_t t = 0; t < whole.tables.size(); ++t) {
      auto& rows = part.tables[t].rows;
      std::move(rows.begin(), rows.end(), std::back_inserter(whole.tables[t].rows));
    }
  }
  // Order by work item; the rows of each item are in order already
  for (Table& table : whole.tables)
    std::stable_sort(table.rows.begin(), table.rows.end(),
                     [](const TableRow& a, const TableRow& b) { return a.item < b.item; });
  return whole;
}

}  // namespace

int mergeParts(const MergeCommand& command) {
  if (const int fault = prepareFolder(command.folder)) return fault;
  std::map<std::string, std::vector<ResultPart>> byExperiment;
  for (const std::filesystem::path& file : command.parts) {
    auto part = readPart(file);
    if (!part) return complain(part.error(), BadModelOrScene);
    const std::string name = part->result.experiment;
    byExperiment[name].push_back(*std::move(part));
  }
  for (auto& [name, parts] : byExperiment) {
    const Experiment* const entry = findExperiment(name);
    if (entry == nullptr)
      return complain({ErrorCode::Mismatch, fmt::format("there is no experiment \"{}\"", name)},
                      ValidationFailed);
    const auto sound = checkParts(parts);
    if (!sound) return complain(sound.error(), ValidationFailed);
    const bool comparable = ofOneProcessor(parts);
    ExperimentResult whole = joined(std::move(parts));
    if (const int fault = checkOutputs(outputsOf(command.folder, whole), command.parts))
      return fault;
    try {
      if (entry->finish != nullptr) entry->finish(whole);
      if (whole.complete) noteVerdicts(whole);
    } catch (const std::out_of_range& lacking) {
      return complain(mismatch(fmt::format("these are not parts of {}: {}", name, lacking.what())),
                      ValidationFailed);
    }
    if (!comparable)
      for (Table& table : whole.tables)
        table.notes.insert(table.notes.begin(),
                           "its work items were measured on different processors: times of one do "
                           "not compare with those of another");
    if (const int fault = writeTables(command.folder, whole)) return fault;
  }
  return Ok;
}

}  // namespace nearmiss::app::lab
