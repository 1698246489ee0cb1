// SPDX-License-Identifier: MIT
/// The frames of a headless run: budget, simulation and profile.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/simulation.h>
#include <engine/session/session.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "options/options.h"

namespace nearmiss::app {

/// Duration of a run without a specified end, simulation seconds.
constexpr double defaultRunSeconds = 10.0;

/// Returns the input of every frame that a scene determines; without a budget.
[[nodiscard]] engine::FrameInput frameInputOf(const engine::Scene& scene);

class FrameLoop {
 public:
  /// Both arguments must outlive the loop.
  FrameLoop(const Options& options, engine::Simulation& simulation);

  /// Records the frames in `session`, which must outlive the loop; null: no recording.
  void recordIn(engine::SessionWriter* session) noexcept { session_ = session; }

  /// Spends these times at the start of the frames, cyclically, in place of drawing. The span must
  /// outlive the loop; empty: no drawing time.
  void drawFor(std::span<const engine::FrameProfile::Duration> frames) noexcept {
    drawing_ = frames;
  }

  /// Simulates frames until the end that the options specify, and passes each to `record`. An
  /// interrupt stops it, also within a long frame.
  void run(const std::function<void(const engine::FrameProfile&)>& record);

  /// Wall time since the first frame began.
  [[nodiscard]] double seconds() const;
  /// Contacts of the reference that the driver reported as separate.
  [[nodiscard]] std::size_t missedByDriver() const noexcept { return missedByDriver_; }

 private:
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::optional<engine::FrameProfile> frame();

  const Options& options_;
  const engine::Scene& scene_;
  engine::Simulation& simulation_;
  engine::SessionWriter* session_ = nullptr;
  std::span<const engine::FrameProfile::Duration> drawing_;
  engine::FrameInput input_;
  engine::FrameProfile::Duration target_{};
  std::chrono::steady_clock::time_point began_;
  engine::FrameAccount account_{began_};
  std::uint64_t frames_ = 0;
  std::size_t missedByDriver_ = 0;
};

}  // namespace nearmiss::app
