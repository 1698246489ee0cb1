// SPDX-License-Identifier: MIT
/// When to detect: at the least time that a touch must last, and not at all while nothing can touch
/// [H93, "Detecting collisions"].
///
/// Does: compute the next instant at which to detect, from the last detection's noContactBefore.
/// Does not: move bodies, detect, divide time into frames.
#pragma once

#include <nearmiss/detector.h>

#include <algorithm>
#include <limits>

namespace nearmiss {

/// Detecting at every next() misses no time of a length of `resolution` or more in which two
/// bounding spheres meet: while some meet, detections are `resolution` apart, and a detection after
/// which none can meet for longer is followed by one at the earliest instant at which some can. A
/// pair is thus handled at most once at an instant, whether or not the response parts it
/// (erratum E7). All times are simulation seconds.
class DetectionDriver {
 public:
  explicit DetectionDriver(Real now = 0.0) noexcept
      : detected_(now), noContactBefore_(now), voidSince_(now) {}

  /// From `now` on noContactBefore() is void: a velocity or a position has jumped, a body has come
  /// or gone, the detector is another one. Never delays a detection, however often it is called.
  void restart(Real now) noexcept { voidSince_ = std::min(voidSince_, now); }

  /// Takes up the noContactBefore of `found`. While pairs meet, postponed ones too, it is void.
  void take(const Detection& found) noexcept {
    const bool noneMeet = found.pairs.empty() && found.postponed.empty();
    detected_ = found.time;
    noContactBefore_ = noneMeet ? std::max(found.noContactBefore, found.time) : found.time;
    voidSince_ = std::numeric_limits<Real>::infinity();
  }

  /// Of the last detection; at first, of the start.
  [[nodiscard]] Real detected() const noexcept { return detected_; }

  /// Until then no two bounding spheres begin to meet; void once it has passed.
  [[nodiscard]] Real noContactBefore() const noexcept {
    return std::min(noContactBefore_, voidSince_);
  }

  /// When to detect next. Never before the last detection, however short the resolution.
  [[nodiscard]] Real next(Real resolution) const noexcept {
    return std::min(std::max(detected_ + resolution, noContactBefore_), voidSince_ + resolution);
  }

 private:
  Real detected_ = 0.0;
  Real noContactBefore_ = 0.0;  ///< of the last detection; at least detected_
  Real voidSince_ = 0.0;        ///< of the first restart since
};

}  // namespace nearmiss
