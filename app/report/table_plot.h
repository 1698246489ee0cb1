// SPDX-License-Identifier: MIT
/// A table drawn as its head tells.
#pragma once

#include "report/plot.h"
#include "report/told_figure.h"

namespace nearmiss::app {

/// Beyond these a figure is cut or thinned, and its caption says so.
inline constexpr std::size_t mostSeries = 24;
inline constexpr std::size_t mostPoints = 1500;  ///< of a series
inline constexpr std::size_t mostCategories = 200;

/// Empty cells are missing. Several rows in the place of one bar become their mean, with a whisker
/// from the least to the greatest. Errors: BadFormat for a cell to be drawn that is no number.
[[nodiscard]] Result<Plot> plotOf(const RecordTable& table, const ToldFigure& figure);

}  // namespace nearmiss::app
