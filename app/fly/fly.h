// SPDX-License-Identifier: MIT
/// The window: the user flies a ship among drones and watches detection.
#pragma once

#include <engine/session/session_player.h>

#include <memory>

#include "options/options.h"

namespace nearmiss::app::fly {

/// Runs the window. Returns an ExitCode. Errors are printed on stderr and, if there is a window,
/// shown in a dialog.
int flyScene(const Options& options, SettingsMemory memory = {});

/// The same for a recorded session, which the user can stop, step through and continue.
int flySession(const Options& options, std::unique_ptr<engine::SessionPlayer> player);

}  // namespace nearmiss::app::fly
