// SPDX-License-Identifier: MIT
/// A table of the lab: named columns with their meanings, rows in the order of their work items,
/// and which figures show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::app {

struct LabColumn {
  /// "paper_..." holds the papers' own numbers, "model_..." what was computed instead of measured.
  std::string name;
  std::string meaning;  ///< with its unit; no ';'
};

/// A figure that the table is drawn as.
struct LabFigure {
  std::string title;
  std::string says;  ///< one sentence: what is shown
  std::string kind;  ///< "lines", "points", "bars" or "steps"
  std::string x;     ///< a column
  std::vector<std::string> y;
  std::vector<std::string> by;  ///< columns whose values part the rows into series
  std::string log;              ///< "", "x", "y" or "xy"
  std::string xLabel, yLabel;
  /// Only rows in which the column has one of these values, parted by '|'.
  std::vector<std::pair<std::string, std::string>> where;
};

struct LabRow {
  std::size_t item = 0;  ///< the work item that it came from
  std::vector<std::string> cells;
};

struct LabTable {
  std::string name;  ///< also of its files
  std::string title;
  std::vector<LabColumn> columns;
  std::vector<std::string> notes;
  std::vector<LabFigure> figures;
  std::vector<LabRow> rows;

  /// Cells parted by ','; an empty one is missing.
  /// @pre as many as there are columns
  void add(std::size_t item, std::string_view cells);
  /// @pre the column exists
  [[nodiscard]] std::size_t column(std::string_view columnName) const noexcept;
  [[nodiscard]] const std::string& text(const LabRow& row, std::string_view columnName) const {
    return row.cells[column(columnName)];
  }
  /// Not a number where the cell is none.
  [[nodiscard]] double number(const LabRow& row, std::string_view columnName) const;
};

/// A cell read as a number: not a number where it is none.
[[nodiscard]] double numberIn(const std::string& cell) noexcept;

/// `value` to so many significant digits; empty where it is not finite.
[[nodiscard]] std::string numberCell(double value, int digits = 6);

}  // namespace nearmiss::app
