// SPDX-License-Identifier: MIT
/// The frames of a run without a window: the budget, the simulation, the profile.
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

#include "options.h"

namespace nearmiss::app {

/// Simulated seconds after which a run ends that was given no end.
constexpr double defaultRunSeconds = 10.0;

class FrameLoop {
 public:
  /// Both must outlive it.
  FrameLoop(const Options& options, engine::Simulation& simulation);

  /// From now on frames are recorded there; null: they are not. It must outlive the loop.
  void recordIn(engine::SessionWriter* session) noexcept { session_ = session; }

  /// From now on each frame begins with as long a wait, from the first again after the last, in
  /// place of drawing. They must outlive the loop; none: no frame draws.
  void drawFor(std::span<const engine::FrameProfile::Duration> frames) noexcept {
    drawing_ = frames;
  }

  /// One frame after the other, each told to `record`, to the end that the options name or to an
  /// interrupt, which gives up a frame of minutes.
  void run(const std::function<void(const engine::FrameProfile&)>& record);

  /// Wall time since the first frame began.
  [[nodiscard]] double seconds() const;
  /// Contacts of the reference that the driver called separate.
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
