// SPDX-License-Identifier: MIT
/// What the experiments of fit compare with, and how they measure the levels of a tree.
#pragma once

#include <nearmiss/tree_quality.h>

#include <string_view>

namespace nearmiss::app::lab {

/// The builder that the others are compared with.
inline constexpr std::string_view referenceBuilder = "octree";

/// Without volumes; `quick`: with coarser bounds.
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
