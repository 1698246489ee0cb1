// SPDX-License-Identifier: MIT
/// `nearmiss replay`: a recorded session, flown again.
#pragma once

#include <engine/session/session_player.h>

#include <filesystem>
#include <string_view>

#include "options.h"

namespace nearmiss::app {

inline constexpr std::string_view replaySummary =
    "fly a recorded session again, equal to the last bit";

struct ReplayCommand {
  std::filesystem::path file;
  bool validate = false;  ///< only compare with what was recorded: no window
  Options options;        ///< of the window, the trees and the threads
};

/// Reads a session and loads what it flies; says on stderr what is missing of it, or that another
/// build recorded it. Errors: those of RecordedSession::read() and SessionPlayer::open().
Result<std::unique_ptr<engine::SessionPlayer>> openSession(const std::filesystem::path& file,
                                                           const Options& options);

/// Flies it without a window, and compares every ship in every frame. Prints the state at the end.
/// Returns an ExitCode: ValidationFailed where something differs.
int validateSession(const ReplayCommand& command);

}  // namespace nearmiss::app
