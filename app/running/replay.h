// SPDX-License-Identifier: MIT
/// `nearmiss replay`: replays a recorded session.
#pragma once

#include <engine/session/session_player.h>

#include <filesystem>
#include <string_view>

#include "options/options.h"

namespace nearmiss::app {

inline constexpr std::string_view replaySummary = "repeat a recorded session to the last bit";

struct ReplayCommand {
  std::filesystem::path file;
  bool validate = false;  ///< only compare with the recording, without a window
  Options options;        ///< for the window, the trees and the threads
};

/// Replays in a window, which `show` opens. Reports on stderr missing parts and a recording by
/// another build. Returns an ExitCode.
int replay(const ReplayCommand& command,
           int (*show)(const Options& options, std::unique_ptr<engine::SessionPlayer> player));

/// Replays without a window and compares every ship in every frame. Prints the final state. Returns
/// ValidationFailed for a difference, or another ExitCode.
int validateSession(const ReplayCommand& command);

}  // namespace nearmiss::app
