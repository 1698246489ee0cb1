// SPDX-License-Identifier: MIT
/// How an error reaches the user: one sentence on stderr and an exit code. What cannot be written,
/// on a full disk or a closed pipe, is no error: nothing here throws.
#pragma once

#include <nearmiss/result.h>

#include <string_view>

#include "options.h"

namespace nearmiss::app {

/// Prints `nearmiss: <sentence>`, or `nearmiss: <sentence>: <reason>`. Control characters, as a
/// file's name can hold, become '?'.
void complain(std::string_view sentence, std::string_view reason = {}) noexcept;

/// Prints the error's sentence; returns what the program should end with: Interrupted for
/// Cancelled, Environment for OutOfMemory, else `otherwise`.
[[nodiscard]] int complain(const Error& error, ExitCode otherwise) noexcept;

/// Prints `text` on stderr as it is.
void tell(std::string_view text) noexcept;

}  // namespace nearmiss::app
