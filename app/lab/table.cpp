// SPDX-License-Identifier: MIT
#include "lab/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace nearmiss::app::lab {
namespace {

/// NaN if the cell is not a number.
double numberIn(const std::string& cell) noexcept {
  double value = 0.0;
  const char* const last = cell.data() + cell.size();
  const auto [end, fault] = std::from_chars(cell.data(), last, value);
  const bool whole = fault == std::errc{} && end == last;
  return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Cell::Cell(std::string_view value) : text(value) {
  std::ranges::replace_if(text, separatesCells, '_');
}

Cell significant(std::optional<double> value, int digits) {
  return value && std::isfinite(*value) ? Cell(fmt::format("{:.{}g}", *value, digits)) : Cell();
}

Cell fixed(double value, int decimals) {
  return std::isfinite(value) ? Cell(fmt::format("{:.{}f}", value, decimals)) : Cell();
}

Cell shortest(std::optional<double> value) {
  return value && std::isfinite(*value) ? Cell(fmt::format("{}", *value)) : Cell();
}

std::size_t Table::column(std::string_view columnName) const {
  const auto found = std::ranges::find(columns, columnName, &ColumnHead::name);
  if (found == columns.end())
    throw std::out_of_range(fmt::format("{} has no column \"{}\"", name, columnName));
  return static_cast<std::size_t>(found - columns.begin());
}

double Table::number(const TableRow& row, std::string_view columnName) const {
  return numberIn(text(row, columnName));
}

void print(const Table& table) {
  std::vector<std::string> lines(table.rows.size() + 1);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].printed) continue;
    const std::string& name = table.columns[c].name;
    std::size_t width = name.size();
    bool numbers = true;
    for (const TableRow& row : table.rows) {
      width = std::max(width, row.cells[c].size());
      numbers = numbers && (row.cells[c].empty() || !std::isnan(numberIn(row.cells[c])));
    }
    const auto write = [&](std::string& line, const std::string& cell) {
      line += fmt::format(fmt::runtime(numbers ? "{}{:>{}}" : "{}{:<{}}"), line.empty() ? "" : "  ",
                          cell, width);
    };
    write(lines[0], name);
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      write(lines[r + 1], table.rows[r].cells[c].empty() ? "-" : table.rows[r].cells[c]);
  }
  fmt::print("{}\n", table.title);
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

}  // namespace nearmiss::app::lab
