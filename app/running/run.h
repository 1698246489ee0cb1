// SPDX-License-Identifier: MIT
/// `nearmiss run`: the simulation without a window or OpenGL.
#pragma once

#include "options/options.h"

namespace nearmiss::app {

/// Runs until the end specified by the options, or an interrupt. Writes the records; prints a
/// summary and, on the last line of stdout, the state hash. Returns an ExitCode.
int run(const Options& options);

}  // namespace nearmiss::app
