// SPDX-License-Identifier: MIT
/// How far a flight has come from its exact twin, as a panel shows it.
#pragma once

#include <cstddef>
#include <span>

#include "fly/overlay/layout.h"

namespace nearmiss::app {

class Ink;

/// Metres between the ships of two flights, by their middles.
struct GhostApart {
  double own = 0.0;       ///< the user's
  double farthest = 0.0;  ///< of all ships
};

/// Frames that the panel shows at most.
inline constexpr std::size_t ghostFrames = 400;

struct GhostView {
  GhostApart now;
  std::span<const GhostApart> course;  ///< of the last frames, a ring
  std::size_t oldest = 0;              ///< index in it
};

/// The distances now, and their course over the last frames.
void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost);

}  // namespace nearmiss::app
