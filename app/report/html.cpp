// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "report/html.h"
#include "report/record.h"
#include "report/series_style.h"

namespace nearmiss::app::report {
namespace {

constexpr std::string_view pageStyle = R"css(
:root{color-scheme:light dark;--page:#ffffff;--text:#1a1d21;--soft:#565d66;--rule:#d5d9de;
--panel:#f5f6f8;--grid:#e3e6ea;--link:#005a9c;--notice:#fff4dd;--edge:#b26a00}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--text:#e7e9ec;--soft:#a7aeb8;--rule:#3a4048;
--panel:#1c2026;--grid:#2b3037;--link:#7fc0f5;--notice:#2e2717;--edge:#e0a33a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
a{color:var(--link)}
header,main,nav{max-width:960px;margin:0 auto;padding:0 16px}
@media (min-width:1280px){body{display:grid;grid-template-columns:248px minmax(0,992px);
justify-content:center;column-gap:16px}
header{grid-column:2;margin:0;width:100%;max-width:none}
main{grid-column:2;grid-row:2;margin:0;width:100%;max-width:none}
nav{grid-column:1;grid-row:1/span 2;margin:0;position:sticky;top:0;align-self:start;
max-height:100vh;overflow:auto;padding-top:28px}}
h1{font-size:28px;line-height:1.2;margin:28px 0 12px}
h2{font-size:21px;line-height:1.25;margin:44px 0 12px;padding-top:16px;border-top:2px solid var(--rule)}
h3{font-size:17px;margin:28px 0 8px}
h1,h2,h3,h4,p,li,summary{overflow-wrap:anywhere}
td,th{overflow-wrap:break-word}
p,section>ul{max-width:72ch;margin:8px 0}
nav h2{font-size:15px;border:0;margin:0 0 4px;padding:0}
nav ol{list-style:none;margin:0 0 16px;padding:0;font-size:14px}
nav li{margin:4px 0;line-height:1.35}
nav a{text-decoration:none}
nav a:hover,nav a:focus{text-decoration:underline}
.notices{background:var(--notice);border-left:4px solid var(--edge);padding:8px 14px;margin:12px 0}
.notices p,.notices ul{margin:4px 0;padding-left:0;list-style:none}
.notices li{margin:4px 0}
.missing{color:var(--soft)}
.figures{display:grid;grid-template-columns:minmax(0,1fr);gap:20px 32px}
@media (min-width:1000px){.figures{grid-template-columns:repeat(2,minmax(0,1fr))}
figure.wide{grid-column:1/-1}}
figure{margin:0;min-width:0}
h4{font-size:15px;margin:8px 0 4px}
figcaption p{color:var(--soft);font-size:13.5px;line-height:1.45;max-width:80ch;margin:4px 0}
.plot{display:block;max-width:100%;height:auto;font-size:11px;overflow:visible}
.for-narrow{display:none}
@media (max-width:560px){.for-wide{display:none}.for-narrow{display:block}
header,main,nav{padding:0 12px}h1{font-size:23px}h2{font-size:19px}}
.legend{list-style:none;margin:2px 0;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px}
.legend li{display:flex;align-items:center;gap:6px}
.swatch{flex:none}
.scroll{overflow-x:auto;margin:8px 0;max-width:100%}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 4px}
th,td{text-align:left;vertical-align:top;padding:3px 14px 3px 0;border-bottom:1px solid var(--rule);
max-width:36ch}
th{font-weight:600;overflow-wrap:normal;vertical-align:bottom}
th[title]{text-decoration:underline dotted var(--soft);text-underline-offset:3px}
.number{text-align:right}.number,.short{white-space:nowrap}
details{margin:6px 0}
summary{cursor:pointer;color:var(--link);font-size:13.5px;width:fit-content}
details[open]>summary{margin-bottom:4px}
@media print{:root{color-scheme:light;--page:#fff;--text:#000;--soft:#444;--rule:#bbb;--grid:#ddd;
--link:#000;--notice:#fff;--edge:#000}
body{display:block;font-size:10.5pt}nav{position:static;max-height:none}
header,main,nav{max-width:none;padding:0}
figure,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}figure.wide{grid-column:1/-1}
.for-wide,.wide .for-narrow{display:none}.for-narrow,.wide .for-wide{display:block}
details:not([open]){display:none}.scroll{overflow:visible}}
)css";

/// Columns of numbers are right-aligned.
bool isNumeric(std::string_view cell) {
  if (cell.ends_with(" %")) cell.remove_suffix(2);
  return numberIn(cell.starts_with('+') ? cell.substr(1) : cell).has_value();
}

std::string cellHtml(const std::string& cell, bool numeric) {
  if (cell.empty())
    return fmt::format("<td class=\"missing{}\" title=\"no value\">–</td>",
                       numeric ? " number" : "");
  // Breaking short texts would only make rows taller
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

std::vector<std::string> keysOf(std::span<const NamedHead> records) {
  constexpr std::array<std::string_view, 6> shownElsewhere{"columns", "figure", "note",
                                                           "title",   "values", "x"};
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

std::string svgText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return out;
}

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
  const std::size_t shown = std::min(table.rows.size(), HtmlTable::maxRows);
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

std::string pageHtml(const Page& page) {
  const std::string title = svgText(page.title);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n{3}<header>\n<h1>{0}</h1>\n",
      title, pageStyle, seriesStyleSheet(), hatchings());
  if (!page.found.empty())
    text += fmt::format("<div class=\"found\"><p><strong>What was found</strong></p>\n{}</div>\n",
                        listHtml(page.found));
  if (!page.notices.empty())
    text += fmt::format(
        "<aside class=\"notices\"><p><strong>Read this first</strong></p>\n{}</aside>\n",
        listHtml(page.notices));
  text += "</header>\n<nav aria-label=\"Contents\"><h2>Contents</h2>\n<ol>\n";
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    fmt::format_to(std::back_inserter(text), "<li><a href=\"#section-{}\">{}</a>{}</li>\n", i + 1,
                   svgText(page.sections[i].title),
                   page.sections[i].missing ? " <span class=\"missing\">missing</span>" : "");
  text += "</ol></nav>\n<main>\n";
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    fmt::format_to(std::back_inserter(text),
                   "<section id=\"section-{}\">\n<h2>{}</h2>\n{}</section>\n", i + 1,
                   svgText(page.sections[i].title), page.sections[i].html);
  return text + "</main>\n</body>\n</html>\n";
}

std::string settingsHtml(std::span<const NamedHead> records) {
  HtmlTable different, same;
  different.caption = "Settings that differ";
  different.headings.push_back({"setting", ""});
  for (const NamedHead& record : records) different.headings.push_back({record.name, ""});
  if (records.size() > 1) same.caption = "Settings that are the same in all runs";
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

}  // namespace nearmiss::app::report
