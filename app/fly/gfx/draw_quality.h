// SPDX-License-Identifier: MIT
/// How finely a frame is drawn, so that drawing keeps to its time however many ships are in view
/// and however slow the driver is: follows what the last frames took.
#pragma once

#include <cstddef>
#include <limits>

namespace nearmiss::app::fly {

struct DrawQuality {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  /// Where ships have more triangles they are drawn coarser, as far as that goes.
  std::size_t maxTriangles = unlimited;
  /// Pixels of the scene for each of the window, along a side; panels and words are always sharp.
  /// Above 1, edges are smooth.
  double scale = 1.0;
};

/// First lowers triangles; where that is not enough, pixels. Raises them in the other order.
class DrawQualityControl {
 public:
  /// A frame drew that many triangles of ships by quality(); that took `seconds` of the `allowed`
  /// ones.
  void drew(std::size_t triangles, double seconds, double allowed) noexcept;
  /// For the next frame.
  [[nodiscard]] const DrawQuality& quality() const noexcept { return quality_; }

 private:
  void lower(std::size_t triangles, double share) noexcept;
  void raise(std::size_t triangles, double share) noexcept;

  DrawQuality quality_;
  double share_ = 0.0;      ///< of the allowed time, mean over late frames, the last weighing most
  int framesToSettle_ = 0;  ///< until a change of pixels is seen in share_
};

/// Decides if a frame is drawn with four samples per pixel: decided by what frames take, and by
/// nothing that a driver says of itself.
class EdgeSmoothing {
 public:
  /// Pixels that are drawn for each of the window, along a side, where it is on.
  static constexpr double scale = 2.0;

  /// Drawing took `seconds` of the frame's `target`, by on().
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

}  // namespace nearmiss::app::fly
