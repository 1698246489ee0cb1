// SPDX-License-Identifier: MIT
/// `nearmiss run`: the simulation without window or GL.
#pragma once

#include "options.h"

namespace nearmiss::app {

/// Runs to the end that the options name, or to an interrupt; writes the records; prints a summary
/// and, as the last line on stdout, the state hash. Returns an ExitCode.
int run(const Options& options);

}  // namespace nearmiss::app
