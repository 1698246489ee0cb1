// SPDX-License-Identifier: MIT
/// The figure of `lab fig14`.
#pragma once

#include <span>
#include <string>

#include "lab/fig14.h"

namespace nearmiss::app {

/// An SVG: a column a model; rows for mean and greatest H, the Hausdorff distance, against the
/// octree and for false alarms; bars grouped by level, and the paper's figures as black marks.
[[nodiscard]] std::string drawFig14(std::span<const Fig14Row> rows);

}  // namespace nearmiss::app
