// SPDX-License-Identifier: MIT
/// Interruption by the user, by ctrl-C or by SIGTERM.
#pragma once

#include <atomic>

namespace nearmiss::app {

/// From now on the first signal only sets interrupted(); the second ends the program at once.
void watchForInterrupts() noexcept;
[[nodiscard]] bool interrupted() noexcept;
/// The same for work that is given what cancels it.
[[nodiscard]] const std::atomic<bool>& interruption() noexcept;

}  // namespace nearmiss::app
