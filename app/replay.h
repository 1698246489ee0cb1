// SPDX-License-Identifier: MIT
/// `nearmiss replay`: a recorded session, flown again.
#pragma once

#include <engine/session/session_player.h>

#include <filesystem>
#include <string_view>

#include "options.h"

namespace nearmiss::app {

inline constexpr std::string_view replaySummary = "repeat a recorded session to the last bit";

struct ReplayCommand {
  std::filesystem::path file;
  bool validate = false;  ///< only compare with what was recorded: no window
  Options options;        ///< of the window, the trees and the threads
};

/// Flies it in a window, which `show` opens. Says on stderr what is missing of it, or that another
/// build recorded it. Returns an ExitCode.
int replay(const ReplayCommand& command,
           int (*show)(const Options& options, std::unique_ptr<engine::SessionPlayer> player));

/// Flies it without a window, and compares every ship in every frame. Prints the state at the end.
/// Returns an ExitCode: ValidationFailed where something differs.
int validateSession(const ReplayCommand& command);

}  // namespace nearmiss::app
