// SPDX-License-Identifier: MIT
/// Tables of the lab. One description of a column serves its CSV, its JSON, the terminal and the
/// page.
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

/// True for what a cell of a CSV file cannot hold without quotes: separators, control characters.
[[nodiscard]] constexpr bool separatesCells(char c) noexcept {
  return c == ',' || c == '"' || (c >= 0 && c < ' ');
}

/// A cell as all forms of a table have it; empty: missing.
struct Cell {
  std::string text;

  Cell() = default;
  /// A truth is 1 or 0.
  Cell(std::integral auto value) : text(std::to_string(value)) {}
  /// Separators of a CSV file and control characters become '_'.
  Cell(std::string_view value);
  Cell(const std::string& value) : Cell(std::string_view(value)) {}
  Cell(const char* value) : Cell(std::string_view(value)) {}
};

/// A number with that many significant digits; missing where it is not finite.
[[nodiscard]] Cell significant(std::optional<double> value, int digits);
/// A number with that many decimals; missing where it is not finite.
[[nodiscard]] Cell fixed(double value, int decimals);
/// A number with as few digits as tell it from its neighbours; missing where it is not finite.
[[nodiscard]] Cell shortest(std::optional<double> value);

/// The same of a member of the row.
template <class Row, class Value>
[[nodiscard]] auto significant(Value Row::*member, int digits) {
  return [=](const Row& row) { return significant(row.*member, digits); };
}
template <class Row>
[[nodiscard]] auto fixed(double Row::*member, int decimals) {
  return [=](const Row& row) { return fixed(row.*member, decimals); };
}

/// A column is printed on the terminal as well.
inline constexpr bool onTerminal = true;

struct ColumnHead {
  /// "paper_..." holds the papers' own numbers, "model_..." what was computed instead of measured.
  std::string name;
  std::string unit;     ///< empty: none
  std::string meaning;  ///< no ';'
  bool printed = false;
};

/// A column of the table that rows of one kind make. Adding one to an experiment takes no more than
/// this.
template <class Row>
struct Column : ColumnHead {
  Column(std::string title, std::string unitOfIt, std::string meaningOfIt,
         std::function<Cell(const Row&)> getter, bool terminal = false)
      : ColumnHead{std::move(title), std::move(unitOfIt), std::move(meaningOfIt), terminal},
        get(std::move(getter)) {}

  std::function<Cell(const Row&)> get;
};

/// A figure that a table is drawn as (docs/file-formats.md).
struct TableFigure {
  std::string title = {};
  std::string says = {};  ///< one sentence: what is shown
  std::string kind = {};  ///< "lines", "points", "bars" or "steps"
  std::string x = {};     ///< a column
  std::vector<std::string> y = {};
  std::vector<std::string> by = {};  ///< columns whose values part the rows into series
  std::string log = {};              ///< "", "x", "y" or "xy"
  std::string xLabel = {}, yLabel = {};
  /// Only rows in which the column has one of these values, parted by '|'.
  std::vector<std::pair<std::string, std::string>> where = {};
};

/// Cells of one row, and the work item that it came from.
struct TableRow {
  std::size_t item = 0;
  std::vector<std::string> cells;
};

struct Table {
  std::string name;  ///< also of its files
  std::string title;
  std::vector<ColumnHead> columns = {};
  std::vector<std::string> notes = {};
  std::vector<TableFigure> figures = {};
  std::vector<TableRow> rows = {};

  /// @throws std::out_of_range for a column that there is not: tables may come from files
  [[nodiscard]] std::size_t column(std::string_view columnName) const;
  [[nodiscard]] const std::string& text(const TableRow& row, std::string_view columnName) const {
    return row.cells[column(columnName)];
  }
  /// Not a number where the cell is none.
  [[nodiscard]] double number(const TableRow& row, std::string_view columnName) const;
};

/// A table of rows of one kind: what is known before there are any.
template <class Row>
struct TableOf {
  std::string name, title;
  std::vector<Column<Row>> columns = {};
  std::vector<std::string> notes = {};
  std::vector<TableFigure> figures = {};

  /// Without rows.
  [[nodiscard]] Table empty() const {
    return {name, title, {columns.begin(), columns.end()}, notes, figures, {}};
  }
  void add(Table& table, std::size_t item, const Row& row) const {
    TableRow& added = table.rows.emplace_back(TableRow{item, {}});
    for (const Column<Row>& column : columns) added.cells.push_back(column.get(row).text);
  }
};

/// Prints the columns that are for the terminal, aligned, under their names.
void print(const Table& table);

}  // namespace nearmiss::app::lab
