// SPDX-License-Identifier: MIT
#include "report/settings_section.h"

#include <algorithm>
#include <array>

#include "report/html.h"

namespace nearmiss::app {

std::string settingsHtml(std::span<const NamedHead> records) {
  constexpr std::array<std::string_view, 4> shownElsewhere{"columns", "figure", "note", "title"};
  const bool several = records.size() > 1;
  HtmlTable table;
  table.headings.push_back({"setting", ""});
  if (several) table.headings.push_back({"differs", ""});
  std::vector<std::string_view> keys;
  for (const NamedHead& record : records) {
    table.headings.push_back({record.name, ""});
    for (const HeadLine& line : record.head) {
      const bool skipped =
          std::find(shownElsewhere.begin(), shownElsewhere.end(), line.key) != shownElsewhere.end();
      if (!skipped && std::find(keys.begin(), keys.end(), line.key) == keys.end())
        keys.push_back(line.key);
    }
  }
  for (const std::string_view key : keys) {
    std::vector<std::string> row{std::string(key)};
    for (const NamedHead& record : records) {
      const std::string_view said = saidIn(record.head, key);
      row.emplace_back(said.empty() ? "unknown" : said);
    }
    const bool differs =
        std::adjacent_find(row.begin() + 1, row.end(), std::not_equal_to<>()) != row.end();
    if (several) row.insert(row.begin() + 1, differs ? "≠" : "=");
    table.rows.push_back(std::move(row));
  }
  return tableHtml(table);
}

}  // namespace nearmiss::app
