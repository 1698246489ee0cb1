// SPDX-License-Identifier: MIT
/// Reports errors: one sentence on stderr and an exit code. Never throws; ignores failed writes,
/// such as on a full disk or a closed pipe.
#pragma once

#include <nearmiss/result.h>

#include <span>
#include <string>
#include <string_view>

#include "options/options.h"

namespace nearmiss::app {

/// Prints `nearmiss: <sentence>`, or `nearmiss: <sentence>: <reason>`. Control characters, which
/// may occur in file names, become '?'.
void complain(std::string_view sentence, std::string_view reason = {}) noexcept;

/// Prints the error's sentence and returns the exit code: Interrupted for Cancelled, Environment
/// for OutOfMemory, otherwise `otherwise`.
[[nodiscard]] int complain(const Error& error, ExitCode otherwise) noexcept;

/// Prints `text` to stderr unchanged.
void printStderr(std::string_view text) noexcept;

/// Prints warnings: all of them, or at most three lines, the last of which counts the rest.
void complainOfAll(std::span<const std::string> warnings, bool verbose) noexcept;

}  // namespace nearmiss::app
