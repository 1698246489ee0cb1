// SPDX-License-Identifier: MIT
/// The table of an experiment, or a kept measurement: its figures as its head tells them
/// (docs/file-formats.md), its notes, the table itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/plot.h"
#include "report/record.h"

namespace nearmiss::app::report {

struct ToldFigure {
  enum class Kind { Lines, Points, Bars, Steps };

  std::string title, says, xLabel, yLabel;
  Kind kind = Kind::Lines;
  bool logX = false, logY = false;
  /// Columns; bars have their values joined, and the others use the first.
  std::vector<std::size_t> x;
  std::vector<std::size_t> y, by;  ///< columns
  /// Only rows whose cell in the column is one of the texts.
  std::vector<std::pair<std::size_t, std::vector<std::string>>> where;
};

/// Of `# figure: {JSON}` lines, in the order of the head. A measurement that has none is drawn by
/// `# values:`, whose ';' begins a figure of its own where ',' does not, and `# x:`, the column
/// along which lines are drawn instead of bars; rows of one `unit` share a figure. Errors:
/// BadFormat for JSON that does not parse, for a key, kind or column that is not known, and for a
/// value of the wrong type.
[[nodiscard]] Result<std::vector<ToldFigure>> toldFigures(const RecordTable& table);

/// What stands between '|'.
[[nodiscard]] std::vector<std::string> alternativesIn(std::string_view text);
/// A number, or a fraction such as 1/4.
[[nodiscard]] std::optional<double> measuredIn(std::string_view cell);

/// Beyond these a figure is cut or thinned, and its caption says so.
inline constexpr std::size_t maxSeries = 24;
inline constexpr std::size_t maxPoints = 1500;  ///< of a series
inline constexpr std::size_t maxCategories = 200;

/// Empty cells are missing. Several rows in the place of one bar become their mean, with a whisker
/// from minimum to maximum. Errors: BadFormat for a cell to be drawn that is no number.
[[nodiscard]] Result<Plot> plotOf(const RecordTable& table, const ToldFigure& figure);

/// Errors: BadFormat for a figure that cannot be drawn from the table.
[[nodiscard]] Result<std::string> tableSectionHtml(const RecordTable& table);

}  // namespace nearmiss::app::report
