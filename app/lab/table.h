// SPDX-License-Identifier: MIT
/// Tables of the lab. One description of a column is used for CSV, JSON, terminal and page.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::app::lab {

/// Returns true for characters that a CSV cell cannot hold without quotes: separators, control
/// characters.
[[nodiscard]] constexpr bool separatesCells(char c) noexcept {
  return c == ',' || c == '"' || (c >= 0 && c < ' ');
}

/// A cell in text form; empty: missing.
struct Cell {
  std::string text;

  Cell() = default;
  /// Booleans become 1 or 0.
  Cell(std::integral auto value) : text(std::to_string(value)) {}
  /// CSV separators and control characters become '_'.
  Cell(std::string_view value);
  Cell(const std::string& value) : Cell(std::string_view(value)) {}
  Cell(const char* value) : Cell(std::string_view(value)) {}
};

/// A number with that many significant digits; missing if it is not finite.
[[nodiscard]] Cell significant(std::optional<double> value, int digits);
/// A number with that many decimals; missing if it is not finite.
[[nodiscard]] Cell fixed(double value, int decimals);
/// The shortest exact representation of a number; missing if it is not finite.
[[nodiscard]] Cell shortest(std::optional<double> value);

/// As above, for a member of the row.
template <class Row, class Value>
[[nodiscard]] auto significant(Value Row::*member, int digits) {
  return [=](const Row& row) { return significant(row.*member, digits); };
}
template <class Row>
[[nodiscard]] auto fixed(double Row::*member, int decimals) {
  return [=](const Row& row) { return fixed(row.*member, decimals); };
}

/// The column is also printed on the terminal.
inline constexpr bool onTerminal = true;

struct ColumnHead {
  /// Names starting with "paper_" are the papers' numbers, with "model_" computed instead of
  /// measured ones.
  std::string name;
  std::string unit;     ///< empty: none
  std::string meaning;  ///< must not contain ';'
  bool printed = false;
};

/// A column of a table with rows of one type. Sufficient to add a column to an experiment.
template <class Row>
struct Column : ColumnHead {
  Column(std::string title, std::string unitOfIt, std::string meaningOfIt,
         std::function<Cell(const Row&)> getter, bool terminal = false)
      : ColumnHead{std::move(title), std::move(unitOfIt), std::move(meaningOfIt), terminal},
        get(std::move(getter)) {}

  std::function<Cell(const Row&)> get;
};

/// A plot of a table (docs/file-formats.md).
struct TableFigure {
  std::string title = {};
  std::string says = {};  ///< one sentence: what the plot shows
  std::string kind = {};  ///< "lines", "points", "bars" or "steps"
  std::string x = {};     ///< name of a column
  std::vector<std::string> y = {};
  std::vector<std::string> by = {};  ///< columns whose values divide the rows into series
  std::string log = {};              ///< "", "x", "y" or "xy"
  std::string xLabel = {}, yLabel = {};
  /// Only rows in which the column has one of these values, separated by '|'.
  std::vector<std::pair<std::string, std::string>> where = {};
};

/// The cells of one row, and its work item.
struct TableRow {
  std::size_t item = 0;
  std::vector<std::string> cells;
};

struct Table {
  std::string name;  ///< also the base of its file names
  std::string title;
  std::vector<ColumnHead> columns = {};
  std::vector<std::string> notes = {};
  std::vector<TableFigure> figures = {};
  std::vector<TableRow> rows = {};

  /// @throws std::out_of_range for an unknown column, because tables may come from files
  [[nodiscard]] std::size_t column(std::string_view columnName) const;
  [[nodiscard]] const std::string& text(const TableRow& row, std::string_view columnName) const {
    return row.cells[column(columnName)];
  }
  /// NaN if the cell is not a number.
  [[nodiscard]] double number(const TableRow& row, std::string_view columnName) const;
};

/// The static description of a table with rows of one type.
template <class Row>
struct TableOf {
  std::string name, title;
  std::vector<Column<Row>> columns = {};
  std::vector<std::string> notes = {};
  std::vector<TableFigure> figures = {};

  /// A table without rows.
  [[nodiscard]] Table empty() const {
    return {name, title, {columns.begin(), columns.end()}, notes, figures, {}};
  }
  void add(Table& table, std::size_t item, const Row& row) const {
    TableRow& added = table.rows.emplace_back(TableRow{item, {}});
    for (const Column<Row>& column : columns) added.cells.push_back(column.get(row).text);
  }
};

/// Prints the columns for the terminal, aligned, with their names.
void print(const Table& table);

}  // namespace nearmiss::app::lab
