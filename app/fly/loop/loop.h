// SPDX-License-Identifier: MIT
/// The main loop of the window: polls, advances, draws, waits.
#pragma once

#include <memory>
#include <string>

#include "fly/flight_context.h"
#include "fly/loop/canvas.h"

namespace nearmiss::app::fly {

/// Reads all input since the last call, by keyboard, mouse, controller and dropped files, and
/// executes it.
void handleUserInput(FlightContext& context);

class Loop {
 public:
  /// With a player, starts with its replay. Settings are stored in `memory` if that names a file.
  Loop(const Options& options, Window window, Renderer renderer,
       std::unique_ptr<engine::SessionPlayer> player = nullptr, SettingsMemory memory = {});
  /// Gives the commands of a script, on a clock of equal frames.
  void play(KeyScript script);
  /// Runs until the user or the options end it. Returns an ExitCode.
  int run();
  /// The camera of the last frame.
  [[nodiscard]] const Camera& camera() const noexcept { return context_.view.camera; }

 private:
  void begin();
  void poll();
  void advance();
  void draw();
  void wait();
  void endFrame(const engine::FrameProfile& ended);
  void passScriptTime();
  void warnIfTooSlow(double frameSeconds);
  [[nodiscard]] bool reachedEnd() const noexcept;
  int end();

  Window window_;
  Canvas canvas_;
  FlightContext context_;
  std::unique_ptr<engine::SessionPlayer> player_;  ///< until the loop starts
  std::string title_;
  SlowDrawingAlert slowDrawing_;
};

}  // namespace nearmiss::app::fly
