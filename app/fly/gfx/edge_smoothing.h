// SPDX-License-Identifier: MIT
/// Whether a frame is drawn with four samples a pixel: decided by what frames take, and by nothing
/// that a driver says of itself.
#pragma once

namespace nearmiss::app {

class EdgeSmoothing {
 public:
  /// Pixels that are drawn for each of the window, along a side, where it is on.
  static constexpr double scale = 2.0;

  /// Drawing took so many of the frame's `target` seconds, by on().
  void drew(double seconds, double target) noexcept;
  /// For the next frame.
  [[nodiscard]] bool on() const noexcept { return on_; }

 private:
  int quick_ = 0;         ///< frames one after another that leave the time for it
  int slow_ = 0;          ///< frames one after another that it was too much for
  int wait_ = firstWait;  ///< frames that must be quick before it is tried
  bool on_ = false;
  static constexpr int firstWait = 60;
};

}  // namespace nearmiss::app
