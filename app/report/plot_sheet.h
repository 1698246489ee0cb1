// SPDX-License-Identifier: MIT
/// Several plots as one SVG file for any viewer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot.h"

namespace nearmiss::app::report {

/// `columns` plots per row, with a title and a common legend: series of the same name have the same
/// style.
[[nodiscard]] std::string plotSheet(std::string_view title, std::vector<Plot> plots,
                                    std::size_t columns);

}  // namespace nearmiss::app::report
