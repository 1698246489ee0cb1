// SPDX-License-Identifier: MIT
#include "report/settings_section.h"

#include <algorithm>
#include <array>
#include <functional>

#include "report/html.h"

namespace nearmiss::app {
namespace {

std::vector<std::string> keysOf(std::span<const NamedHead> records) {
  constexpr std::array<std::string_view, 4> shownElsewhere{"columns", "figure", "note", "title"};
  const auto has = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> keys;
  for (const NamedHead& record : records)
    for (const HeadLine& line : record.head)
      if (!has(shownElsewhere, line.key) && !has(keys, line.key)) keys.push_back(line.key);
  return keys;
}

}  // namespace

std::string settingsHtml(std::span<const NamedHead> records) {
  HtmlTable different, same;
  different.caption = "What differs";
  different.headings.push_back({"setting", ""});
  for (const NamedHead& record : records) different.headings.push_back({record.name, ""});
  if (records.size() > 1) same.caption = "What is the same in all";
  same.headings = {{"setting", ""}, {"value", ""}};
  for (const std::string& key : keysOf(records)) {
    std::vector<std::string> row{key};
    for (const NamedHead& record : records) {
      const std::string_view said = saidIn(record.head, key);
      row.emplace_back(said.empty() ? "unknown" : said);
    }
    if (std::adjacent_find(row.begin() + 1, row.end(), std::not_equal_to<>()) == row.end())
      same.rows.push_back({key, row[1]});
    else
      different.rows.push_back(std::move(row));
  }
  return (different.rows.empty() ? std::string() : tableHtml(different)) + tableHtml(same);
}

}  // namespace nearmiss::app
