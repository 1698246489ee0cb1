// SPDX-License-Identifier: MIT
/// Names of build stages, for the window and the terminal.
#pragma once

#include <nearmiss/advanced/build_progress.h>

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
      return "finishing";
  }
  return {};
}

// Progress of a build as text.

/// The first observation of a stage.
struct StageStart {
  std::string_view stage;
  float fraction = 0.0f;  ///< fraction done at that time
  double seconds = 0.0;   ///< since the start of the work
};

/// Describes the stage, its fraction, the elapsed seconds and, once it can be estimated, the
/// remaining seconds of the stage. Keep `start` between calls for one piece of work.
/// @param stage must outlive `start`
[[nodiscard]] std::string describe(std::string_view stage, float fraction, double seconds,
                                   StageStart& start);
[[nodiscard]] std::string describe(BuildStage stage, float fraction, double seconds,
                                   StageStart& start);

}  // namespace nearmiss::app
