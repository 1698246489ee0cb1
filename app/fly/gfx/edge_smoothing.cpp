// SPDX-License-Identifier: MIT
#include "fly/gfx/edge_smoothing.h"

#include <algorithm>

namespace nearmiss::app {
namespace {

/// Four times the pixels take at most four times as long.
constexpr double quickShare = 0.15, slowShare = 0.6;
/// A single slow frame is the machine's doing.
constexpr int slowEnough = 3, longestWait = 36000;  // frames

}  // namespace

void EdgeSmoothing::drew(double seconds, double target) noexcept {
  if (!on_) {
    quick_ = seconds < quickShare * target ? quick_ + 1 : 0;
    if (quick_ < wait_) return;
    on_ = true;
    slow_ = 0;
    return;
  }
  slow_ = seconds > slowShare * target ? slow_ + 1 : 0;
  if (slow_ < slowEnough) return;
  // Each time that it was too much it waits longer, or the picture would flicker
  on_ = false;
  quick_ = 0;
  wait_ = std::min(4 * wait_, longestWait);
}

}  // namespace nearmiss::app
