// SPDX-License-Identifier: MIT
#include "lab/lab_result.h"

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

using Json = nlohmann::ordered_json;
using engine::RecordHead;

constexpr std::string_view partFormat = "nearmiss lab part 1";

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

Json jsonOf(const LabFigure& figure) {
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

LabFigure figureIn(const Json& json) {
  LabFigure figure{
      json.at("title"), json.at("says"), json.at("kind"),    json.at("x"),       json.at("y"),
      json.at("by"),    json.at("log"),  json.at("x_label"), json.at("y_label"), {}};
  for (const auto& [column, values] : json.at("where").items())
    figure.where.emplace_back(column, values.get<std::string>());
  return figure;
}

/// What the columns, notes and figures of a table are, for both of its forms.
Json aboutTable(const LabTable& table) {
  Json columns = Json::array(), figures = Json::array();
  for (const LabColumn& column : table.columns)
    columns.push_back({{"name", column.name}, {"meaning", column.meaning}});
  for (const LabFigure& figure : table.figures) figures.push_back(jsonOf(figure));
  return {{"name", table.name},
          {"title", table.title},
          {"columns", columns},
          {"notes", table.notes},
          {"figures", figures}};
}

LabTable tableIn(const Json& json) {
  LabTable table{json.at("name"), json.at("title"), {}, json.at("notes"), {}, {}};
  for (const Json& column : json.at("columns"))
    table.columns.push_back({column.at("name"), column.at("meaning")});
  for (const Json& figure : json.at("figures")) table.figures.push_back(figureIn(figure));
  for (const Json& row : json.at("rows")) {
    table.rows.push_back({row.at("item"), row.at("cells")});
    if (table.rows.back().cells.size() != table.columns.size())
      throw std::runtime_error("a row has not as many cells as there are columns");
  }
  return table;
}

/// A number where the cell is one, null where it is empty.
Json cellJson(const std::string& cell) {
  if (cell.empty()) return nullptr;
  Json number = Json::parse(cell, nullptr, false);
  return number.is_number() ? number : Json(cell);
}

Result<std::string> textOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf()))
    return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\"", file.string())};
  return text.str();
}

std::string partName(std::string_view experiment, const Shard& shard) {
  return fmt::format("{}.shard-{}-of-{}.json", experiment, shard.index, shard.count);
}

/// Whether the command's folder has what it would write already.
bool thereAlready(const LabCommand& command, const LabResult& result) {
  const std::string name = command.shard.whole() ? result.experiment + ".json"
                                                 : partName(result.experiment, command.shard);
  const auto text = textOf(command.folder / name);
  if (!text) return false;
  const Json json = Json::parse(*text, nullptr, false);
  try {
    return json.at("complete") == true && headIn(json.at("settings")) == result.settings &&
           buildOf(headIn(json.at("machine"))) == buildOf(result.machine);
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

RecordHead buildOf(const RecordHead& machine) {
  RecordHead build;
  for (const auto& line : machine)
    if (line.first == "build" || line.first == "commit" || line.first == "flags")
      build.push_back(line);
  return build;
}

LabTable& LabResult::table(std::string_view name) {
  const auto at = std::find_if(tables.begin(), tables.end(),
                               [&](const LabTable& each) { return each.name == name; });
  NEARMISS_DEMAND(at != tables.end(), tables.size());
  return *at;
}

LabResult newResult(std::string_view experiment, const LabCommand& command,
                    const RecordHead& settings) {
  LabResult result;
  result.experiment = experiment;
  result.machine = engine::machineHead(engine::commitName());
  result.settings.emplace_back("quick", command.quick ? "yes" : "no");
  result.settings.insert(result.settings.end(), settings.begin(), settings.end());
  return result;
}

std::string namesText(const std::vector<std::string>& names) {
  return names.empty() ? "all" : fmt::format("{}", fmt::join(names, " "));
}

std::optional<int> beginExperiment(const LabCommand& command, const LabResult& result) {
  if (const int fault = prepareFolder(command.folder)) return fault;
  watchForInterrupts();
  if (!command.resume || !thereAlready(command, result)) return std::nullopt;
  fmt::print("{}: complete already\n", result.experiment);
  return Ok;
}

int keepResult(const LabCommand& command, LabResult& result, int outcome) {
  const bool empty = std::all_of(result.tables.begin(), result.tables.end(),
                                 [](const LabTable& table) { return table.rows.empty(); });
  // A shard may have no work, where there are fewer items than shards
  if (empty && (interrupted() || command.shard.whole())) return complainOfNoResult();
  result.complete = outcome == Ok && !interrupted();
  if (command.shard.whole()) {
    const int fault = writeTables(command.folder, result);
    return fault ? fault : outcome;
  }
  const std::string name = partName(result.experiment, command.shard);
  const int fault = writeResults(command.folder, {{name, partJson({command.shard, result})}});
  return fault ? fault : outcome;
}

std::string csvOf(const LabResult& result, const LabTable& table) {
  RecordHead head = result.machine;
  head.emplace_back("experiment", result.experiment);
  head.emplace_back("title", table.title);
  head.insert(head.end(), result.settings.begin(), result.settings.end());
  head.insert(head.end(), result.found.begin(), result.found.end());
  std::vector<std::string> meanings, names;
  for (const LabColumn& column : table.columns) {
    meanings.push_back(fmt::format("{}: {}", column.name, column.meaning));
    names.push_back(column.name);
  }
  head.emplace_back("columns", fmt::format("{}", fmt::join(meanings, "; ")));
  for (const std::string& note : table.notes) head.emplace_back("note", note);
  for (const LabFigure& figure : table.figures) head.emplace_back("figure", jsonOf(figure).dump());
  std::string text = engine::headText(head) + fmt::format("{}\n", fmt::join(names, ","));
  for (const LabRow& row : table.rows) text += fmt::format("{}\n", fmt::join(row.cells, ","));
  return text;
}

std::string jsonOf(const LabResult& result, const LabTable& table) {
  Json json{{"experiment", result.experiment},
            {"machine", objectOf(result.machine)},
            {"settings", objectOf(result.settings)},
            {"found", objectOf(result.found)}};
  json.update(aboutTable(table));
  Json rows = Json::array();
  for (const LabRow& row : table.rows) {
    Json cells = Json::array();
    for (const std::string& each : row.cells) cells.push_back(cellJson(each));
    rows.push_back(std::move(cells));
  }
  json["rows"] = std::move(rows);
  json["complete"] = result.complete;
  return json.dump() + '\n';
}

int writeTables(const std::filesystem::path& folder, const LabResult& result) {
  // The first table's JSON says that all is there: it comes last
  for (auto table = result.tables.rbegin(); table != result.tables.rend(); ++table) {
    const int fault = writeResults(folder, {{table->name + ".csv", csvOf(result, *table)},
                                            {table->name + ".json", jsonOf(result, *table)}});
    if (fault) return fault;
  }
  return Ok;
}

std::string partJson(const LabPart& part) {
  const LabResult& result = part.result;
  Json json{{"format", partFormat},
            {"experiment", result.experiment},
            {"shard", part.shard.index},
            {"shards", part.shard.count},
            {"items", result.items},
            {"machine", objectOf(result.machine)},
            {"settings", objectOf(result.settings)},
            {"found", objectOf(result.found)},
            {"complete", result.complete},
            {"tables", Json::array()}};
  for (const LabTable& table : result.tables) {
    Json about = aboutTable(table);
    Json rows = Json::array();
    for (const LabRow& row : table.rows) rows.push_back({{"item", row.item}, {"cells", row.cells}});
    about["rows"] = std::move(rows);
    json["tables"].push_back(std::move(about));
  }
  return json.dump() + '\n';
}

Result<LabPart> readPart(const std::filesystem::path& file) {
  const auto text = textOf(file);
  if (!text) return text.error();
  const auto bad = [&file](std::string_view why) {
    return Error{ErrorCode::BadFormat,
                 fmt::format("\"{}\" is no part of an experiment: {}", file.string(), why)};
  };
  try {
    const Json json = Json::parse(*text);
    if (json.at("format") != partFormat) return bad("its format is another");
    LabPart part;
    part.shard = {json.at("shard"), json.at("shards")};
    LabResult& result = part.result;
    result.experiment = json.at("experiment");
    result.items = json.at("items");
    result.machine = headIn(json.at("machine"));
    result.settings = headIn(json.at("settings"));
    result.found = headIn(json.at("found"));
    result.complete = json.at("complete");
    for (const Json& table : json.at("tables")) result.tables.push_back(tableIn(table));
    return part;
  } catch (const std::exception& fault) {
    return bad(fault.what());
  }
}

}  // namespace nearmiss::app
