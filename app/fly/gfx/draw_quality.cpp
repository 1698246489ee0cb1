// SPDX-License-Identifier: MIT
#include "fly/gfx/draw_quality.h"

#include <algorithm>
#include <array>

namespace nearmiss::app::fly {
namespace {

constexpr std::array scales{1.0, 0.75};
// Hysteresis between the two fractions of the allowed time, to avoid flicker
constexpr double highShare = 1.0, lowShare = 0.75;
/// Fewer triangles would hide the ships and save little.
constexpr std::size_t fewestTriangles = 2000;
constexpr int settling = 10;  // frames

}  // namespace

void DrawQualityControl::drew(std::size_t triangles, double seconds, double allowed) noexcept {
  constexpr double weight = 0.3;  // of the newest frame
  const double share = std::clamp(seconds / std::max(allowed, 1e-4), 1e-3, 1e3);
  share_ = share_ > 0.0 ? weight * share + (1.0 - weight) * share_ : share;
  framesToSettle_ = std::max(framesToSettle_ - 1, 0);
  // A single slow or fast frame changes nothing
  if (share > highShare && share_ > highShare) lower(triangles, share);
  if (share < lowShare && share_ < lowShare) raise(triangles, share);
}

void DrawQualityControl::lower(std::size_t triangles, double share) noexcept {
  constexpr double fastest = 0.5;  // maximum change per frame
  const std::size_t most = std::min(triangles, quality_.maxTriangles);
  const auto wanted =
      static_cast<std::size_t>(static_cast<double>(most) * std::max(1.0 / share, fastest));
  // If ships cannot get coarser, only pixels are left to save
  const bool coarsest = triangles > quality_.maxTriangles || wanted < fewestTriangles;
  quality_.maxTriangles = std::max(wanted, fewestTriangles);
  const auto next = std::ranges::find(scales, quality_.scale) + 1;
  if (!coarsest || framesToSettle_ > 0 || next == scales.end()) return;
  quality_.scale = *next;
  framesToSettle_ = settling;
}

void DrawQualityControl::raise(std::size_t triangles, double share) noexcept {
  constexpr double growth = 1.1;  // per frame
  const auto current = std::ranges::find(scales, quality_.scale);
  if (current != scales.begin()) {
    const double ratio = *(current - 1) / *current;
    // Assumes that pixels take all the time
    if (framesToSettle_ == 0 && share * ratio * ratio < highShare) {
      quality_.scale = *(current - 1);
      framesToSettle_ = settling;
      return;
    }
  }
  if (quality_.maxTriangles == DrawQuality::unlimited) return;
  const auto more = static_cast<std::size_t>(growth * static_cast<double>(quality_.maxTriangles));
  // A limit that is not reached has no effect
  const bool used = more < 2 * std::max(triangles, fewestTriangles);
  quality_.maxTriangles = used ? more : DrawQuality::unlimited;
}

namespace {

/// Four times the pixels take at most four times the time.
constexpr double quickShare = 0.15, slowShare = 0.6;
/// A single slow frame may be due to the machine.
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
  // Wait longer after each failure, to avoid flicker
  on_ = false;
  quick_ = 0;
  wait_ = std::min(4 * wait_, longestWait);
}

}  // namespace nearmiss::app::fly
