// SPDX-License-Identifier: MIT
#include "lab/result.h"

#include <engine/base/atomic_file.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/scene/json_limits.h>
#include <engine/scene/toml_file.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "lab/verdicts.h"

namespace nearmiss::app::lab {
namespace {

using Json = nlohmann::ordered_json;
using engine::RecordHead;

constexpr std::string_view partFormat = "nearmiss lab part 2";

Json objectOf(const RecordHead& head) {
  Json object = Json::object();
  for (const auto& [key, value] : head) object[key] = value;
  return object;
}

RecordHead headIn(const Json& object) {
  RecordHead head;
  for (const auto& [key, value] : object.items()) head.emplace_back(key, value.get<std::string>());
  return head;
}

Json jsonOf(const TableFigure& figure) {
  Json where = Json::object();
  for (const auto& [column, values] : figure.where) where[column] = values;
  return {{"title", figure.title},
          {"says", figure.says},
          {"kind", figure.kind},
          {"x", figure.x},
          {"y", figure.y},
          {"by", figure.by},
          {"log", figure.log},
          {"x_label", figure.xLabel},
          {"y_label", figure.yLabel},
          {"where", where}};
}

TableFigure figureIn(const Json& json) {
  TableFigure figure{
      json.at("title"), json.at("says"), json.at("kind"),    json.at("x"),       json.at("y"),
      json.at("by"),    json.at("log"),  json.at("x_label"), json.at("y_label"), {}};
  for (const auto& [column, values] : json.at("where").items())
    figure.where.emplace_back(column, values.get<std::string>());
  return figure;
}

/// Describes columns, notes and figures of a table, for CSV and JSON.
Json aboutTable(const Table& table) {
  Json columns = Json::array(), figures = Json::array();
  for (const ColumnHead& column : table.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
  for (const TableFigure& figure : table.figures) figures.push_back(jsonOf(figure));
  return {{"name", table.name},
          {"title", table.title},
          {"columns", columns},
          {"notes", table.notes},
          {"figures", figures}};
}

Table tableIn(const Json& json) {
  Table table{json.at("name"), json.at("title"), {}, json.at("notes"), {}, {}};
  for (const Json& column : json.at("columns"))
    table.columns.push_back({column.at("name"), column.at("unit"), column.at("meaning")});
  for (const Json& figure : json.at("figures")) table.figures.push_back(figureIn(figure));
  for (const Json& row : json.at("rows")) {
    table.rows.push_back({engine::wholeNumber<std::size_t>(row.at("item")), row.at("cells")});
    if (table.rows.back().cells.size() != table.columns.size())
      throw std::runtime_error("a row has more or fewer cells than there are columns");
  }
  return table;
}

/// A number if the cell is one, null if it is empty.
Json cellJson(const std::string& cell) {
  if (cell.empty()) return nullptr;
  Json number = Json::parse(cell, nullptr, false);
  return number.is_number() ? number : Json(cell);
}

/// A table's name becomes a file name, which must not leave the folder.
bool isPlainName(std::string_view name) noexcept {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !name.empty() && name.find_first_not_of(plain) == name.npos;
}

bool isPlainCell(std::string_view cell) noexcept {
  return std::ranges::none_of(cell, separatesCells);
}

/// Returns what is wrong with a table of a part; empty if it is valid.
std::string_view faultIn(const Table& table, const ResultPart& part) noexcept {
  if (!isPlainName(table.name)) return "a table has a name that no file can have";
  if (!std::ranges::all_of(table.columns, isPlainCell, &ColumnHead::name))
    return "a column has a name that no table can have";
  for (const TableRow& row : table.rows) {
    if (row.item >= part.result.items || !part.shard.has(row.item))
      return "a row is of a work item that its shard has not";
    if (!std::ranges::all_of(row.cells, isPlainCell))
      return "a cell holds a comma, a quote, a line end or a control character";
  }
  return {};
}

/// Returns what is wrong with a complete part; empty if it is valid.
std::string_view faultIn(const ResultPart& part) noexcept {
  const std::vector<Table>& tables = part.result.tables;
  if (part.shard.count > Shard::maxCount) return "it has more than 10000 shards";
  if (part.shard.index < 1 || part.shard.index > part.shard.count) return "there is no such shard";
  if (tables.empty() || tables[0].name != part.result.experiment)
    return "its first table is not that of the experiment";
  for (const Table& table : tables)
    if (const auto fault = faultIn(table, part); !fault.empty()) return fault;
  return {};
}

Result<std::string> textOf(const std::filesystem::path& file) {
  constexpr std::uintmax_t maxBytes = std::uintmax_t{1} << 30;
  return engine::readTextFile(file, "a result of an experiment", maxBytes);
}

std::string partName(std::string_view experiment, const Shard& shard) {
  return fmt::format("{}.shard-{}-of-{}", experiment, shard.index, shard.count);
}

/// Reads the existing file that the command would overwrite; an invalid value if there is no
/// readable one.
Json existingResult(const ExperimentCommand& command, const ExperimentResult& result) {
  const std::string name =
      command.shard.whole() ? result.experiment : partName(result.experiment, command.shard);
  const auto text = textOf(command.folder / (name + ".json"));
  if (!text || !engine::jsonExcess(*text).empty()) return Json::value_t::discarded;
  return Json::parse(*text, nullptr, false);
}

/// Returns true if the command's folder has the complete result.
bool isComplete(const ExperimentCommand& command, const ExperimentResult& result) {
  const Json json = existingResult(command, result);
  try {
    return json.at("complete") == true && headIn(json.at("settings")) == result.settings &&
           buildOf(headIn(json.at("machine"))) == buildOf(result.machine);
  } catch (const Json::exception&) {
    return false;
  }
}

/// The suffix of file names: empty, unless an incomplete result would overwrite a complete one.
std::string_view markOf(const ExperimentCommand& command, const ExperimentResult& result) {
  if (result.complete) return "";
  const Json json = existingResult(command, result);
  const bool complete = json.is_object() && json.contains("complete") && json["complete"] == true;
  return complete ? partialMark : "";
}

bool hasRows(const ExperimentResult& result) {
  return std::ranges::any_of(result.tables, [](const Table& table) { return !table.rows.empty(); });
}

/// `# key: value` lines, then rows with ',' between cells.
std::string csvOf(const ExperimentResult& result, const Table& table) {
  RecordHead head = result.machine;
  head.emplace_back("experiment", result.experiment);
  head.emplace_back("title", table.title);
  if (!result.complete) head.emplace_back("complete", "no");
  head.insert(head.end(), result.settings.begin(), result.settings.end());
  head.insert(head.end(), result.found.begin(), result.found.end());
  std::vector<std::string> meanings, names;
  for (const ColumnHead& column : table.columns) {
    const std::string unit = column.unit.empty() ? "" : fmt::format(" [{}]", column.unit);
    meanings.push_back(fmt::format("{}{}: {}", column.name, unit, column.meaning));
    names.push_back(column.name);
  }
  head.emplace_back("columns", fmt::format("{}", fmt::join(meanings, "; ")));
  for (const std::string& note : table.notes) head.emplace_back("note", note);
  for (const TableFigure& figure : table.figures)
    head.emplace_back("figure", jsonOf(figure).dump());
  std::string text = engine::headText(head) + fmt::format("{}\n", fmt::join(names, ","));
  for (const TableRow& row : table.rows) text += fmt::format("{}\n", fmt::join(row.cells, ","));
  return text;
}

/// One object with head, columns, figures, rows and completeness.
std::string jsonOf(const ExperimentResult& result, const Table& table) {
  Json json{{"experiment", result.experiment},
            {"machine", objectOf(result.machine)},
            {"settings", objectOf(result.settings)},
            {"found", objectOf(result.found)}};
  json.update(aboutTable(table));
  Json rows = Json::array();
  for (const TableRow& row : table.rows) {
    Json cells = Json::array();
    for (const std::string& each : row.cells) cells.push_back(cellJson(each));
    rows.push_back(std::move(cells));
  }
  json["rows"] = std::move(rows);
  json["complete"] = result.complete;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string partJson(const Shard& shard, const ExperimentResult& result) {
  Json json{{"format", partFormat},
            {"experiment", result.experiment},
            {"shard", shard.index},
            {"shards", shard.count},
            {"items", result.items},
            {"machine", objectOf(result.machine)},
            {"settings", objectOf(result.settings)},
            {"found", objectOf(result.found)},
            {"complete", result.complete},
            {"tables", Json::array()}};
  for (const Table& table : result.tables) {
    Json about = aboutTable(table);
    Json rows = Json::array();
    for (const TableRow& row : table.rows)
      rows.push_back({{"item", row.item}, {"cells", row.cells}});
    about["rows"] = std::move(rows);
    json["tables"].push_back(std::move(about));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

RecordHead buildOf(const RecordHead& machine) {
  RecordHead build;
  for (const auto& line : machine)
    if (line.first == "build" || line.first == "commit" || line.first == "flags")
      build.push_back(line);
  return build;
}

Table& ExperimentResult::table(std::string_view name) {
  const auto at = std::ranges::find(tables, name, &Table::name);
  if (at == tables.end())
    throw std::out_of_range(fmt::format("{} has no table \"{}\"", experiment, name));
  return *at;
}

ExperimentResult newResult(std::string_view experiment, const ExperimentCommand& command,
                           const RecordHead& settings) {
  ExperimentResult result;
  result.experiment = experiment;
  result.machine = engine::machineHead(engine::commitName());
  result.settings.emplace_back("quick", command.quick ? "yes" : "no");
  result.settings.insert(result.settings.end(), settings.begin(), settings.end());
  return result;
}

std::string settingText(const std::vector<std::string>& names) {
  return names.empty() ? "all" : fmt::format("{}", fmt::join(names, " "));
}

int prepareFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (std::filesystem::is_directory(folder, failed)) return Ok;
  complain(fmt::format("cannot make the folder \"{}\"", folder.string()));
  return Environment;
}

int writeResults(const std::filesystem::path& folder,
                 std::initializer_list<std::pair<std::string_view, std::string>> results) {
  for (const auto& [name, text] : results) {
    const auto written = engine::writeWhole(folder / name, text);
    if (!written) return complain(written.error(), Environment);
    fmt::print("written to {}\n", (folder / name).string());
  }
  return Ok;
}

Error experimentCancelled() { return {ErrorCode::Cancelled, "the experiment was cancelled"}; }

int outcomeOf(const Result<Success>& done, ExitCode otherwise) {
  const bool stopped = !done && done.error().code == ErrorCode::Cancelled && interrupted();
  return done || stopped ? Ok : complain(done.error(), otherwise);
}

std::optional<int> beginExperiment(const ExperimentCommand& command,
                                   const ExperimentResult& result) {
  if (const int fault = prepareFolder(command.folder)) return fault;
  fmt::print("{}: results go to {}\n", result.experiment,
             std::filesystem::absolute(command.folder).string());
  watchForInterrupts();
  if (!command.resume || !isComplete(command, result)) return std::nullopt;
  fmt::print("{}: complete already\n", result.experiment);
  return Ok;
}

int writeResult(const ExperimentCommand& command, ExperimentResult& result, int outcome) {
  const bool stopped = interrupted();
  // A shard has no work if there are fewer items than shards
  if (!hasRows(result) && (stopped || outcome != Ok || command.shard.whole())) {
    if (stopped) return complain(experimentCancelled(), Interrupted);
    if (outcome != Ok) return outcome;
    complain(fmt::format("{}: these options leave nothing to measure", result.experiment));
    return Usage;
  }
  result.complete = outcome == Ok && !stopped;
  const std::string_view mark = markOf(command, result);
  if (!mark.empty())
    complain(fmt::format("the complete result of {} stays; what there is of this one is beside it",
                         result.experiment));
  int fault = Ok;
  if (command.shard.whole()) {
    if (result.complete) noteVerdicts(result);
    fault = writeTables(command.folder, result, mark);
  } else {
    const std::string name =
        fmt::format("{}{}.json", partName(result.experiment, command.shard), mark);
    fault = writeResults(command.folder, {{name, partJson(command.shard, result)}});
  }
  if (fault) return fault;
  return outcome == Ok && stopped ? Interrupted : outcome;
}

int writeResult(const ExperimentCommand& command, ExperimentResult& result, int outcome,
                std::initializer_list<std::pair<std::string_view, std::string>> drawings) {
  const int kept = writeResult(command, result, outcome);
  if ((kept != Ok && kept != Interrupted) || !command.shard.whole() || !hasRows(result))
    return kept;
  const std::string_view mark = markOf(command, result);
  for (const auto& [name, text] : drawings) {
    const std::filesystem::path file(name);
    const std::string marked =
        fmt::format("{}{}{}", file.stem().string(), mark, file.extension().string());
    if (const int fault = writeResults(command.folder, {{marked, text}})) return fault;
  }
  return kept;
}

int writeTables(const std::filesystem::path& folder, const ExperimentResult& result,
                std::string_view mark) {
  // The first table's JSON marks the result as complete, so it is written last
  for (auto table = result.tables.rbegin(); table != result.tables.rend(); ++table) {
    const std::string name = fmt::format("{}{}", table->name, mark);
    const int fault = writeResults(
        folder, {{name + ".csv", csvOf(result, *table)}, {name + ".json", jsonOf(result, *table)}});
    if (fault) return fault;
  }
  return Ok;
}

Result<ResultPart> readPart(const std::filesystem::path& file) {
  const auto text = textOf(file);
  if (!text) return text.error();
  const auto bad = [&file](std::string_view why) {
    return Error{ErrorCode::BadFormat,
                 fmt::format("\"{}\" is not part of an experiment: {}", file.string(), why)};
  };
  try {
    if (const auto excess = engine::jsonExcess(*text); !excess.empty())
      return bad(fmt::format("it {}", excess));
    const Json json = Json::parse(*text);
    if (json.at("format") != partFormat) return bad("its format is another");
    ResultPart part;
    part.shard = {engine::wholeNumber<std::size_t>(json.at("shard")),
                  engine::wholeNumber<std::size_t>(json.at("shards"))};
    ExperimentResult& result = part.result;
    result.experiment = json.at("experiment");
    result.items = engine::wholeNumber<std::size_t>(json.at("items"));
    result.machine = headIn(json.at("machine"));
    result.settings = headIn(json.at("settings"));
    result.found = headIn(json.at("found"));
    result.complete = json.at("complete");
    for (const Json& table : json.at("tables")) result.tables.push_back(tableIn(table));
    if (const auto fault = faultIn(part); !fault.empty()) return bad(fault);
    return part;
  } catch (const std::exception& fault) {
    return bad(fault.what());
  }
}

}  // namespace nearmiss::app::lab
