// SPDX-License-Identifier: MIT
/// Interruption by the user with ctrl-C or SIGTERM.
#pragma once

#include <atomic>

namespace nearmiss::app {

/// Installs the handler: the first signal sets interrupted(), the second one ends the program.
void watchForInterrupts() noexcept;
[[nodiscard]] bool interrupted() noexcept;
/// As a flag, for work with cancellation.
[[nodiscard]] const std::atomic<bool>& interruption() noexcept;

}  // namespace nearmiss::app
