// SPDX-License-Identifier: MIT
/// Pieces of HTML and the page as a whole. All texts are plain; they are escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/record.h"

namespace nearmiss::app::report {

/// Text escaped for HTML, SVG and XML.
[[nodiscard]] std::string svgText(std::string_view text);

struct HtmlHeading {
  std::string name;
  std::string meaning;  ///< shown on hover; empty: none
};

struct HtmlTable {
  /// Longer tables end there, with a sentence that says so.
  static constexpr std::size_t maxRows = 400;

  std::string caption;
  std::vector<HtmlHeading> headings;
  std::vector<std::vector<std::string>> rows;  ///< as long as the headings; empty cell: missing
  std::size_t rowsInAll = 0;                   ///< if more than `rows` holds
  std::string note;                            ///< a sentence below; empty: none
};

/// It can be scrolled sideways where it is wider than the page.
[[nodiscard]] std::string tableHtml(const HtmlTable& table);

[[nodiscard]] std::string paragraphHtml(std::string_view text);
/// A list of sentences; empty for none.
[[nodiscard]] std::string listHtml(const std::vector<std::string>& sentences);
[[nodiscard]] std::string headingHtml(int level, std::string_view text);
/// Content that is shown on a click.
[[nodiscard]] std::string foldedHtml(std::string_view summary, std::string_view content);

struct PageSection {
  std::string title;
  std::string html;
  bool missing = false;  ///< marked as such in the contents
};

/// Heading, what was found, notices, contents and sections.
struct Page {
  std::string title;
  std::vector<std::string> found;    ///< sentences at the top
  std::vector<std::string> notices;  ///< sentences below them
  std::vector<PageSection> sections;
};

[[nodiscard]] std::string pageHtml(const Page& page);

/// What ran, on what, with which settings.
struct NamedHead {
  std::string name;
  std::span<const HeadLine> head;
};

/// Each key but figures, notes and columns: those that differ with a column for each record, and
/// those that are the same in all.
[[nodiscard]] std::string settingsHtml(std::span<const NamedHead> records);

}  // namespace nearmiss::app::report
