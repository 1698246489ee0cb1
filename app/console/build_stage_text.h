// SPDX-License-Identifier: MIT
/// The stages of a build in words, the same in the window and on the terminal.
#pragma once

#include <nearmiss/build_progress.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

[[nodiscard]] constexpr std::string_view nameOf(BuildStage stage) noexcept {
  switch (stage) {
    case BuildStage::Waiting:
      return "reading models";
    case BuildStage::Points:
      return "spreading points";
    case BuildStage::Axis:
      return "finding the medial axis";
    case BuildStage::Structure:
      return "building trees";
    case BuildStage::Triangles:
      return "assigning triangles";
    case BuildStage::Hausdorff:
      return "measuring accuracy";
    case BuildStage::Boxes:
      return "fitting boxes";
    case BuildStage::Inside:
      return "filling solids";
    case BuildStage::Redundancy:
      return "leaving out what is not needed";
    case BuildStage::Writing:
      return "writing";
    case BuildStage::Done:
      return "ready";
  }
  return {};
}

// How far a build has come, in words.

/// When a stage was first seen.
struct StageStart {
  std::string_view stage;
  float fraction = 0.0f;  ///< fraction done by then
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
