// SPDX-License-Identifier: MIT
/// How far a build has come, in words, in figures and as a bar.
#pragma once

#include <nearmiss/build_progress.h>

#include "fly/overlay/ink.h"

namespace nearmiss::app {

/// The share of the stage that is done, in [0, 0.99]: a stage that is over is no longer shown, so
/// that what is left to do is never 0.
[[nodiscard]] float shareDone(const BuildProgress& progress) noexcept;

/// Stage and share done in the first of two lines of `rect`, the bar in the second.
void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress);

}  // namespace nearmiss::app
