// SPDX-License-Identifier: MIT
/// Looks over the shoulder of a window of this very process: SDL's functions that make its context
/// and show its frames are replaced by ones that tell of it and call SDL's own.
#pragma once

#include <SDL_video.h>

#include <functional>
#include <string>
#include <vector>

namespace nearmiss::test {

/// Called whenever a frame is whole and about to be shown, by the thread that draws; an empty
/// function ends it.
void watchFrames(std::function<void(SDL_Window*)> each);

/// What the driver has said of how it is used, since the last call: every context is made as one
/// for debugging.
[[nodiscard]] std::vector<std::string> takeDriverMessages();

}  // namespace nearmiss::test
