// SPDX-License-Identifier: MIT
#include "lab/lab_table.h"

#include <fmt/format.h>
#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace nearmiss::app {

void LabTable::add(std::size_t item, std::string_view cells) {
  LabRow row{item, {}};
  for (std::size_t at = 0; at <= cells.size();) {
    const std::size_t end = std::min(cells.find(',', at), cells.size());
    row.cells.emplace_back(cells.substr(at, end - at));
    at = end + 1;
  }
  NEARMISS_DEMAND(row.cells.size() == columns.size(), row.cells.size(), columns.size());
  rows.push_back(std::move(row));
}

std::size_t LabTable::column(std::string_view columnName) const noexcept {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const LabColumn& each) { return each.name == columnName; });
  NEARMISS_DEMAND(found != columns.end(), columns.size());
  return static_cast<std::size_t>(found - columns.begin());
}

double LabTable::number(const LabRow& row, std::string_view columnName) const {
  return numberIn(text(row, columnName));
}

double numberIn(const std::string& cell) noexcept {
  double value = 0.0;
  const char* const last = cell.data() + cell.size();
  const auto [end, fault] = std::from_chars(cell.data(), last, value);
  const bool whole = fault == std::errc{} && end == last;
  return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string numberCell(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string();
}

}  // namespace nearmiss::app
