// SPDX-License-Identifier: MIT
#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lab/figure/svg.h"
#include "report/record_reader.h"

namespace nearmiss::app {
namespace {

/// Columns of numbers stand right, digit below digit.
bool isNumeric(std::string_view cell) {
  if (cell.ends_with(" %")) cell.remove_suffix(2);
  return numberIn(cell.starts_with('+') ? cell.substr(1) : cell).has_value();
}

std::string cellHtml(const std::string& cell, bool numeric) {
  if (cell.empty())
    return fmt::format("<td class=\"missing{}\" title=\"no value\">–</td>",
                       numeric ? " number" : "");
  // Breaking what is short would only make rows taller
  const char* kind = numeric ? " class=\"number\"" : cell.size() < 28 ? " class=\"short\"" : "";
  return fmt::format("<td{}>{}</td>", kind, svgText(cell));
}

bool isNumericColumn(const HtmlTable& table, std::size_t column) {
  bool numeric = false;
  for (const auto& row : table.rows) {
    if (row[column].empty()) continue;
    if (!isNumeric(row[column])) return false;
    numeric = true;
  }
  return numeric;
}

}  // namespace

std::string tableHtml(const HtmlTable& table) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table>\n";
  if (!table.caption.empty()) text += fmt::format("<caption>{}</caption>", svgText(table.caption));
  std::vector<bool> numeric;
  for (std::size_t column = 0; column < table.headings.size(); ++column)
    numeric.push_back(isNumericColumn(table, column));
  text += "<thead><tr>";
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    const HtmlHeading& heading = table.headings[column];
    text += fmt::format("<th scope=\"col\"{}", numeric[column] ? " class=\"number\"" : "");
    if (!heading.meaning.empty()) text += fmt::format(" title=\"{}\"", svgText(heading.meaning));
    text += fmt::format(">{}</th>", svgText(heading.name));
  }
  text += "</tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(table.rows.size(), HtmlTable::mostRows);
  for (std::size_t row = 0; row < shown; ++row) {
    text += "<tr>";
    for (std::size_t column = 0; column < numeric.size(); ++column)
      text += cellHtml(table.rows[row][column], numeric[column]);
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  const std::size_t inAll = std::max(table.rowsInAll, table.rows.size());
  if (inAll > shown)
    text += paragraphHtml(
        fmt::format("The table is cut: it shows the first {} of {} rows.", shown, inAll));
  if (!table.note.empty()) text += paragraphHtml(table.note);
  return text;
}

std::string paragraphHtml(std::string_view text) {
  return fmt::format("<p>{}</p>\n", svgText(text));
}

std::string listHtml(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  std::string text = "<ul>\n";
  for (const std::string& sentence : sentences)
    text += fmt::format("<li>{}</li>\n", svgText(sentence));
  return text + "</ul>\n";
}

std::string headingHtml(int level, std::string_view text) {
  return fmt::format("<h{0}>{1}</h{0}>\n", level, svgText(text));
}

std::string foldedHtml(std::string_view summary, std::string_view content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", svgText(summary), content);
}

}  // namespace nearmiss::app
