// SPDX-License-Identifier: MIT
/// Tables of the lab drawn by the engine of the reports.
#pragma once

#include <string>
#include <string_view>

#include "lab/table.h"
#include "report/plot.h"

namespace nearmiss::app::lab {

/// The table as the figure says; without series where no row is meant.
/// @pre the figure's columns exist, and those of y hold numbers
[[nodiscard]] report::Plot plotOf(const Table& table, const TableFigure& figure);

/// The same with a line across it.
[[nodiscard]] report::Plot plotOf(const Table& table, const TableFigure& figure,
                                  report::PlotRule rule);

/// Different cells of a column, in the order of their first row.
[[nodiscard]] std::vector<std::string> distinct(const Table& table, std::string_view column);

}  // namespace nearmiss::app::lab
