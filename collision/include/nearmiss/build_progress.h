// SPDX-License-Identifier: MIT
/// How far a long build has come, and the wish to stop it: shared by the builder and who watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace nearmiss {

/// In the order in which builders come to them; not every builder has all.
enum class BuildStage : std::uint8_t {
  Waiting,
  Points,     ///< spreading points over the surface
  Axis,       ///< the medial axis of the points
  Structure,  ///< finding the spheres
  Triangles,
  Accuracy,
  Redundancy,  ///< leaving out spheres that are not needed
  Boxes,       ///< fitting boxes beside spheres
  Inside,      ///< filling the solid
  Writing,
  Done,
};

/// Written by one building thread, read by any. Outlives the build.
struct BuildProgress {
  std::atomic<BuildStage> stage{BuildStage::Waiting};
  std::atomic<float> fraction{0.0f};   ///< of the stage, 0 to 1
  std::atomic<bool> cancelled{false};  ///< set by who watches; the builder then returns Cancelled

  /// For builders: begins a stage.
  void enter(BuildStage next) noexcept {
    fraction = next == BuildStage::Done ? 1.0f : 0.0f;
    stage = next;
  }
};

}  // namespace nearmiss
