// SPDX-License-Identifier: MIT
/// How far a build has come, in words.
#pragma once

#include <nearmiss/build_progress.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

/// When a stage was first seen.
struct StageStart {
  std::string_view stage;
  float fraction = 0.0f;  ///< that was done by then
  double seconds = 0.0;   ///< since the work began
};

/// The stage, its share done, the seconds since the work began, and as soon as it can be estimated
/// how many the stage still takes at its pace. `start` is kept between calls for one piece of work.
/// @param stage must outlive `start`
[[nodiscard]] std::string describe(std::string_view stage, float fraction, double seconds,
                                   StageStart& start);
[[nodiscard]] std::string describe(BuildStage stage, float fraction, double seconds,
                                   StageStart& start);

}  // namespace nearmiss::app
