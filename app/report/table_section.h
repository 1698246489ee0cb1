// SPDX-License-Identifier: MIT
/// The section for a table of an experiment or a stored measurement: figures as described in its
/// head (docs/file-formats.md), notes, and the table itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/plot.h"
#include "report/record.h"

namespace nearmiss::app::report {

struct DescribedFigure {
  enum class Kind { Lines, Points, Bars, Steps };

  std::string title, says, xLabel, yLabel;
  Kind kind = Kind::Lines;
  bool logX = false, logY = false;
  /// Column indices; for bars their values are joined, other plots use the first.
  std::vector<std::size_t> x;
  std::vector<std::size_t> y, by;  ///< columns
  /// Only rows whose cell in the column is one of the texts.
  std::vector<std::pair<std::size_t, std::vector<std::string>>> where;
};

/// Reads the `# figure: {JSON}` lines in the order of the head. A measurement without such lines
/// uses `# values:`, with ';' between figures and ',' between columns, and `# x:`, the column for
/// lines instead of bars; rows with the same `unit` share a figure. Errors: BadFormat for invalid
/// JSON, unknown keys, kinds or columns, and values of the wrong type.
[[nodiscard]] Result<std::vector<DescribedFigure>> describedFigures(const RecordTable& table);

/// Splits a text at '|'.
[[nodiscard]] std::vector<std::string> alternativesIn(std::string_view text);
/// Parses a number, or a fraction such as 1/4.
[[nodiscard]] std::optional<double> measuredIn(std::string_view cell);

/// Limits beyond which a figure is truncated or thinned, as its caption then says.
inline constexpr std::size_t maxSeries = 24;
inline constexpr std::size_t maxPoints = 1500;  ///< per series
inline constexpr std::size_t maxCategories = 200;

/// Makes a plot. Empty cells are missing. Several rows for the same bar become their mean, with a
/// whisker from minimum to maximum. Errors: BadFormat for a cell that must be a number.
[[nodiscard]] Result<Plot> plotOf(const RecordTable& table, const DescribedFigure& figure);

/// Errors: BadFormat for a figure that does not fit the table.
[[nodiscard]] Result<std::string> tableSectionHtml(const RecordTable& table);

}  // namespace nearmiss::app::report
