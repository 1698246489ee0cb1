// SPDX-License-Identifier: MIT
/// The window: fly a ship among drones and watch detection at work.
#pragma once

#include <engine/session/session_player.h>

#include <memory>

#include "options.h"
#include "settings_memory.h"

namespace nearmiss::app::fly {

/// Returns an ExitCode. What is missing is said on stderr, and in a dialog if there is a window.
int flyScene(const Options& options, SettingsMemory memory = {});

/// The same for a recorded session, which the user may stop, step through and fly on from.
int flySession(const Options& options, std::unique_ptr<engine::SessionPlayer> player);

}  // namespace nearmiss::app::fly
