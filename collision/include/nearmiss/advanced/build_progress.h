// SPDX-License-Identifier: MIT
/// Progress and cancellation of a long build, shared by the builder and its caller.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nearmiss {

/// Stages in the order in which builders run them. Not every builder has all stages.
enum class BuildStage : std::uint8_t {
  Waiting,
  Points,     ///< distributing points over the surface
  Axis,       ///< the medial axis of the points
  Structure,  ///< computing the spheres
  Triangles,
  Hausdorff,   ///< measuring the Hausdorff distances of spheres
  Redundancy,  ///< removing redundant spheres
  Boxes,       ///< fitting boxes to spheres
  Inside,      ///< filling the solid with inner spheres
  Writing,
  Done,
};

/// Written by one building thread, read by any thread. Must outlive the build.
struct BuildProgress {
  std::atomic<BuildStage> stage{BuildStage::Waiting};
  std::atomic<float> fraction{0.0f};   ///< of the stage, 0 to 1
  std::atomic<bool> cancelled{false};  ///< set by the caller; the builder then returns Cancelled

  /// If not null, the building threads call it with `context` after each change of stage or
  /// fraction. For callers on machines with one thread.
  void (*changed)(BuildProgress& progress, void* context) = nullptr;
  void* context = nullptr;

  /// For builders: begins a stage.
  void enter(BuildStage next) noexcept {
    fraction = next == BuildStage::Done ? 1.0f : 0.0f;
    stage = next;
    if (changed) changed(*this, context);
  }
  /// For builders: `done` of `count` parts of the stage are done.
  void advance(std::size_t done, std::size_t count) noexcept {
    fraction = static_cast<float>(done) / static_cast<float>(count);
    if (changed) changed(*this, context);
  }
};

}  // namespace nearmiss
