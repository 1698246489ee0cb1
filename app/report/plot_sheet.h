// SPDX-License-Identifier: MIT
/// Plots side by side as one SVG file, which any viewer shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot.h"

namespace nearmiss::app::report {

/// `columns` plots to a row, under a title and one legend for all of them: series of one name get
/// one style in all plots.
[[nodiscard]] std::string plotSheet(std::string_view title, std::vector<Plot> plots,
                                    std::size_t columns);

}  // namespace nearmiss::app::report
