// SPDX-License-Identifier: MIT
/// How an error reaches the user: one sentence on stderr and an exit code.
#pragma once

#include <nearmiss/result.h>

#include <string_view>

#include "options.h"

namespace nearmiss::app {

/// Prints `nearmiss: <sentence>`.
void complain(std::string_view sentence);

/// Prints the error's sentence; returns what the program should end with: Interrupted for
/// Cancelled, else `otherwise`.
[[nodiscard]] int complain(const Error& error, ExitCode otherwise);

}  // namespace nearmiss::app
