// SPDX-License-Identifier: MIT
#include "report/lab_table.h"

#include <engine/record/record_head.h>
#include <engine/scene/json_limits.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace nearmiss::app::report {
namespace {

using Json = nlohmann::ordered_json;

void addHead(const Json& json, const char* part, engine::RecordHead& head) {
  for (const auto& [key, value] : json.at(part).items())
    head.emplace_back(key, value.get<std::string>());
}

std::string columnText(const Json& column) {
  const auto unit = column.at("unit").get<std::string>();
  return fmt::format("{}{}: {}", column.at("name").get<std::string>(),
                     unit.empty() ? "" : fmt::format(" [{}]", unit),
                     column.at("meaning").get<std::string>());
}

std::string cellText(const Json& cell) {
  if (cell.is_null()) return "";
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

std::string recordOf(const Json& json) {
  engine::RecordHead head;
  addHead(json, "machine", head);
  head.emplace_back("experiment", json.at("experiment").get<std::string>());
  head.emplace_back("title", json.at("title").get<std::string>());
  if (!json.value("complete", true)) head.emplace_back("complete", "no");
  addHead(json, "settings", head);
  addHead(json, "found", head);
  std::vector<std::string> names, meanings;
  for (const Json& column : json.at("columns")) {
    names.push_back(column.at("name"));
    meanings.push_back(columnText(column));
  }
  head.emplace_back("columns", fmt::format("{}", fmt::join(meanings, "; ")));
  for (const Json& note : json.at("notes")) head.emplace_back("note", note.get<std::string>());
  for (const Json& figure : json.at("figures")) head.emplace_back("figure", figure.dump());

  std::string text = engine::headText(head) + fmt::format("{}\n", fmt::join(names, ","));
  for (const Json& row : json.at("rows")) {
    std::vector<std::string> cells;
    for (const Json& cell : row) cells.push_back(cellText(cell));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace

Result<std::string> recordOfLabTable(std::string_view text) {
  if (const std::string_view excess = engine::jsonExcess(text); !excess.empty())
    return Error{ErrorCode::Unsupported, fmt::format("is not a table of the lab: it {}", excess)};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{ErrorCode::Unsupported, "is not a record, and not valid JSON either"};
  if (json.contains("shard"))
    return Error{ErrorCode::Unsupported,
                 "is a part of an experiment: nearmiss lab merge joins parts to tables"};
  if (!json.contains("experiment") || !json.contains("rows"))
    return Error{ErrorCode::Unsupported, "is not a record: it is JSON, but not a table of the lab"};
  try {
    return recordOf(json);
  } catch (const Json::exception& fault) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("is not a complete table of the lab: {}", fault.what())};
  }
}

}  // namespace nearmiss::app::report
