// SPDX-License-Identifier: MIT
/// Plots tables of the lab with the plotter of the reports.
#pragma once

#include <string>
#include <string_view>

#include "lab/table.h"
#include "report/plot.h"

namespace nearmiss::app::lab {

/// Plots the table as described by the figure; without series if no row matches.
/// @pre the figure's columns exist, and those of y hold numbers
[[nodiscard]] report::Plot plotOf(const Table& table, const TableFigure& figure);

/// As above, with a line across the plot.
[[nodiscard]] report::Plot plotOf(const Table& table, const TableFigure& figure,
                                  report::PlotRule rule);

/// The distinct cells of a column, in the order of their first row.
[[nodiscard]] std::vector<std::string> distinct(const Table& table, std::string_view column);

}  // namespace nearmiss::app::lab
