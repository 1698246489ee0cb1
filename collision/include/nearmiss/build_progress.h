// SPDX-License-Identifier: MIT
/// How far a long build has come, and the wish to stop it: shared by the builder and who watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace nearmiss {

enum class BuildStage : std::uint8_t {
  Waiting,
  Structure,
  Triangles,
  Accuracy,
  Inside,
  Writing,
  Done
};

/// Written by one building thread, read by any. Outlives the build.
struct BuildProgress {
  std::atomic<BuildStage> stage{BuildStage::Waiting};
  std::atomic<float> fraction{0.0f};   ///< of the stage, 0 to 1
  std::atomic<bool> cancelled{false};  ///< set by who watches; the builder then returns Cancelled
};

}  // namespace nearmiss
