// SPDX-License-Identifier: MIT
#include "console/build_stage_text.h"

#include <fmt/format.h>

namespace nearmiss::app {

std::string describe(std::string_view stage, float fraction, double seconds, StageStart& start) {
  // Ignore work before the first observation of the stage in the estimate
  if (stage != start.stage || fraction < start.fraction) start = {stage, fraction, seconds};
  std::string text = fmt::format("{} {:.0f} %, {:.1f} s", stage, 100.0 * fraction, seconds);
  const double gained = fraction - start.fraction, spent = seconds - start.seconds;
  if (gained >= 0.05 && spent >= 0.5)
    text += fmt::format(", {:.0f} s left of it", (1.0 - fraction) * spent / gained);
  return text;
}

std::string describe(BuildStage stage, float fraction, double seconds, StageStart& start) {
  return describe(nameOf(stage), fraction, seconds, start);
}

}  // namespace nearmiss::app
