// SPDX-License-Identifier: MIT
/// Builds HTML and the whole page. All arguments are plain text, which is escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/record.h"

namespace nearmiss::app::report {

/// Escapes text for HTML, SVG and XML.
[[nodiscard]] std::string svgText(std::string_view text);

struct HtmlHeading {
  std::string name;
  std::string meaning;  ///< shown on hover; empty: none
};

struct HtmlTable {
  /// Longer tables are truncated, with a sentence that says so.
  static constexpr std::size_t maxRows = 400;

  std::string caption;
  std::vector<HtmlHeading> headings;
  std::vector<std::vector<std::string>> rows;  ///< same length as the headings; empty cell: missing
  std::size_t rowsInAll = 0;                   ///< if greater than the size of `rows`
  std::string note;                            ///< a sentence below; empty: none
};

/// The table scrolls horizontally if it is wider than the page.
[[nodiscard]] std::string tableHtml(const HtmlTable& table);

[[nodiscard]] std::string paragraphHtml(std::string_view text);
/// A list of sentences; empty without sentences.
[[nodiscard]] std::string listHtml(const std::vector<std::string>& sentences);
[[nodiscard]] std::string headingHtml(int level, std::string_view text);
/// Content that is shown after a click.
[[nodiscard]] std::string foldedHtml(std::string_view summary, std::string_view content);

struct PageSection {
  std::string title;
  std::string html;
  bool missing = false;  ///< marked in the table of contents
};

/// Heading, findings, notices, contents and sections.
struct Page {
  std::string title;
  std::vector<std::string> found;    ///< sentences at the top
  std::vector<std::string> notices;  ///< sentences below them
  std::vector<PageSection> sections;
};

[[nodiscard]] std::string pageHtml(const Page& page);

/// The head of a record with the record's name.
struct NamedHead {
  std::string name;
  std::span<const HeadLine> head;
};

/// A table of all keys except figures, notes and columns: different values with one column per
/// record, common values once.
[[nodiscard]] std::string settingsHtml(std::span<const NamedHead> records);

}  // namespace nearmiss::app::report
