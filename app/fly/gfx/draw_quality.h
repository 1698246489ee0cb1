// SPDX-License-Identifier: MIT
/// Adapts the quality of drawing to the available time, for any number of ships and any driver,
/// based on the last frames.
#pragma once

#include <cstddef>
#include <limits>

namespace nearmiss::app::fly {

struct DrawQuality {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  /// Ships use coarser levels to stay below this number if possible.
  std::size_t maxTriangles = unlimited;
  /// Scene pixels per window pixel along one side. Panels and text always have full resolution.
  /// Values above 1 smooth edges.
  double scale = 1.0;
};

/// Reduces triangles first, then pixels; increases them in the reverse order.
class DrawQualityControl {
 public:
  /// Reports a frame drawn with quality(): its number of ship triangles and its `seconds` of the
  /// `allowed` time.
  void drew(std::size_t triangles, double seconds, double allowed) noexcept;
  /// For the next frame.
  [[nodiscard]] const DrawQuality& quality() const noexcept { return quality_; }

 private:
  void lower(std::size_t triangles, double share) noexcept;
  void raise(std::size_t triangles, double share) noexcept;

  DrawQuality quality_;
  double share_ = 0.0;      ///< fraction of the allowed time, moving average over late frames
  int framesToSettle_ = 0;  ///< until share_ reflects a change of pixels
};

/// Decides whether frames are drawn with four samples per pixel, based on measured times and not on
/// the driver's name.
class EdgeSmoothing {
 public:
  /// Drawn pixels per window pixel along one side, if on.
  static constexpr double scale = 2.0;

  /// Reports that drawing with on() took `seconds` of the frame's `target`.
  void drew(double seconds, double target) noexcept;
  /// For the next frame.
  [[nodiscard]] bool on() const noexcept { return on_; }

 private:
  int quick_ = 0;         ///< consecutive frames with enough spare time
  int slow_ = 0;          ///< consecutive frames that were too slow
  int wait_ = firstWait;  ///< quick frames needed before the next attempt
  bool on_ = false;
  static constexpr int firstWait = 60;
};

}  // namespace nearmiss::app::fly
