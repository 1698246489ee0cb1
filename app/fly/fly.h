// SPDX-License-Identifier: MIT
/// The window: fly a ship among drones and watch detection at work.
#pragma once

#include "options.h"

namespace nearmiss::app {

/// Returns an ExitCode. Says on stderr, and in a dialog if there is a window, what is missing.
int fly(const Options& options);

}  // namespace nearmiss::app
