// SPDX-License-Identifier: MIT
/// Pieces of HTML. All texts are plain; they are escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

struct HtmlHeading {
  std::string name;
  std::string meaning;  ///< shown on hover; empty: none
};

struct HtmlTable {
  /// Longer tables end there, with a sentence that says so.
  static constexpr std::size_t mostRows = 400;

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

}  // namespace nearmiss::app
