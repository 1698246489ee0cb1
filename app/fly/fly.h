// SPDX-License-Identifier: MIT
/// The window: fly a ship among drones and watch detection at work.
#pragma once

#include "options.h"
#include "replay.h"

namespace nearmiss::app {

/// Returns an ExitCode. Says on stderr, and in a dialog if there is a window, what is missing.
int fly(const Options& options);

/// The same for a recorded session, which the user may stop, step through and fly on from.
int replay(const ReplayCommand& command);

}  // namespace nearmiss::app
