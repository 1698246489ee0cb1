// SPDX-License-Identifier: MIT
/// Which pairs of ships touch, and since when: tells a touch that begins from one that goes on.
#pragma once

#include <nearmiss/detector.h>

#include <cstddef>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A pair that was not found separate at any detection since `since`.
struct Touch {
  BodyPair bodies;
  Real since = 0.0;  ///< simulation time of the detection at which it began
};

/// What successive detections say together. A pair that a detection postponed is as it was before.
/// Bodies are known by their indices, which must stay theirs. Allocates nothing in a steady scene.
class Touches {
 public:
  /// Takes up the next detection.
  void take(const Detection& found);
  void clear() noexcept;

  /// By bodies, as of the last detection.
  [[nodiscard]] std::span<const Touch> now() const noexcept { return now_; }
  /// Whether the pair touched at the detection before the last.
  [[nodiscard]] bool touchedBefore(const BodyPair& pair) const noexcept;
  /// Touches of the detection before the last that are over.
  [[nodiscard]] std::size_t ended() const noexcept { return ended_; }

 private:
  std::vector<Touch> now_, before_;  ///< sorted by bodies
  std::size_t ended_ = 0;
};

}  // namespace nearmiss::engine
