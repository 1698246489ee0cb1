// SPDX-License-Identifier: MIT
/// Interruption by the user, by ctrl-C or by SIGTERM.
#pragma once

namespace nearmiss::app {

/// From now on the first signal only sets interrupted(); the second ends the program at once.
void watchForInterrupts() noexcept;
[[nodiscard]] bool interrupted() noexcept;

}  // namespace nearmiss::app
