// SPDX-License-Identifier: MIT
/// Long work on its own thread, with a line on the terminal that tells how far it has come.
#pragma once

#include <nearmiss/build_progress.h>

#include <functional>
#include <string_view>

namespace nearmiss::app {

/// Runs `work` and returns when it is done. Meanwhile `what`, stage and time stand on stderr if
/// that is a terminal, and an interrupt cancels the work.
void withProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work);

}  // namespace nearmiss::app
