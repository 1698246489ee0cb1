// SPDX-License-Identifier: MIT
/// How the experiments of fit measure the levels of a tree.
#pragma once

#include <nearmiss/tree_quality.h>

namespace nearmiss::app {

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

}  // namespace nearmiss::app
