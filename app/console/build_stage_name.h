// SPDX-License-Identifier: MIT
/// The stages of a build in words, the same in the window and on the terminal.
#pragma once

#include <nearmiss/build_progress.h>

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

}  // namespace nearmiss::app
