// SPDX-License-Identifier: MIT
/// The reference of the fit experiments, and how they measure the levels of a tree.
#pragma once

#include <nearmiss/advanced/tree_quality.h>

#include <string_view>

#include "lab/table.h"

namespace nearmiss::app::lab {

/// The builder that the others are compared with.
inline constexpr std::string_view referenceBuilder = "octree";

/// Measurements of a level and of the same level of the octree.
struct LevelComparedWithOctree : SphereLevelMeasure {
  SphereLevelMeasure octree = {};

  /// Ratio of a figure to the octree's.
  [[nodiscard]] double ratio(Real SphereLevelMeasure::*figure) const noexcept {
    return octree.*figure > 0.0 ? this->*figure / octree.*figure : 1.0;
  }
};

/// That ratio as a cell.
[[nodiscard]] inline auto ratioToOctree(Real SphereLevelMeasure::*figure, int decimals) {
  return [=](const LevelComparedWithOctree& row) { return fixed(row.ratio(figure), decimals); };
}

/// Without volumes; `quick`: with looser bounds.
[[nodiscard]] inline LevelMeasureSettings fitMeasure(int levels, int workers, bool quick) {
  LevelMeasureSettings settings;
  settings.deepest = levels;
  settings.workers = workers;
  settings.volumeSamples = 0;
  if (quick) {
    settings.tolerance = 0.05;
    settings.surfaceSamples = 4000;
  }
  return settings;
}

}  // namespace nearmiss::app::lab
