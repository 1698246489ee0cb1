// SPDX-License-Identifier: MIT
#include "report/table_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/html.h"
#include "report/settings_section.h"
#include "report/table_plot.h"

namespace nearmiss::app {
namespace {

constexpr std::size_t mostUnfolded = 24;  ///< rows

HtmlTable wholeTable(const RecordTable& table) {
  HtmlTable html;
  html.rowsInAll = table.rows();
  for (const std::string& column : table.columns)
    html.headings.push_back({column, std::string(table.meaningOf(column))});
  for (std::size_t row = 0; row < std::min(table.rows(), HtmlTable::mostRows); ++row) {
    html.rows.emplace_back();
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      html.rows.back().push_back(table.cell(row, column));
  }
  return html;
}

}  // namespace

Result<std::string> tableSectionHtml(const RecordTable& table) {
  const auto figures = toldFigures(table);
  if (!figures) return figures.error();
  std::vector<std::string> notes;
  for (const HeadLine& line : table.head)
    if (line.key == "note") notes.push_back(line.value);
  std::string text = listHtml(notes);

  if (!figures->empty()) text += "<div class=\"figures\">\n";
  for (const ToldFigure& figure : *figures) {
    const auto plot = plotOf(table, figure);
    if (!plot) return plot.error();
    text += figureHtml(*plot);
  }
  if (!figures->empty()) text += "</div>\n";

  const std::string whole = tableHtml(wholeTable(table));
  text += table.rows() <= mostUnfolded
              ? whole
              : foldedHtml(fmt::format("The table, {} rows", table.rows()), whole);
  const std::array<NamedHead, 1> head{{{"value", table.head}}};
  return text + foldedHtml("Settings and machine", settingsHtml(head));
}

}  // namespace nearmiss::app
