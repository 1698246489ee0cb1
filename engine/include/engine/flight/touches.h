// SPDX-License-Identifier: MIT
/// Which pairs of ships touch, and since when: distinguishes a touch that begins from one that goes
/// on.
#pragma once

#include <nearmiss/detector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A pair that was never found separate for as long as Touches::minApart since `since`.
struct Touch {
  BodyPair bodies;
  Real since = 0.0;             ///< simulation time of the detection at which it began
  Real last = 0.0;              ///< of the last at which it was not known to be separate
  bool apart = false;           ///< found separate since it was last found to touch
  std::uint32_t postponed = 0;  ///< detections in a row that left it out since then
};

/// Combines successive detections. A pair that a detection postponed, alone or with one of its
/// bodies, stays as it was: a touch goes on, and a pair that was found apart remains apart. None
/// that meets is left out by more than maxPairWait detections in a row, so that a touch that was
/// has parted. Two that graze each other part and meet from one detection to the next: that is one
/// touch. Bodies are identified by their indices, which must not change. Allocates nothing in a
/// steady scene.
class Touches {
 public:
  /// Simulation seconds for which a pair must stay separate for its touch to be over.
  static constexpr Real minApart = 0.25;

  /// Takes up the next detection.
  void take(const Detection& found);
  /// Lets time pass without a detection, because nothing can touch.
  void passTo(Real time) noexcept;

  /// By bodies, as of the last detection.
  [[nodiscard]] std::span<const Touch> now() const noexcept { return now_; }
  /// True if the pair still touched at the detection before the last.
  [[nodiscard]] bool touchedBefore(const BodyPair& pair) const noexcept;
  /// Touches that are over since the start.
  [[nodiscard]] std::size_t ended() const noexcept { return ended_; }

 private:
  /// `listed`: among the pairs that the detection looked at.
  void keep(Touch touch, const Detection& found, bool listed);

  std::vector<Touch> now_, before_;  ///< sorted by bodies
  std::vector<std::uint32_t> left_;  ///< bodies that the last detection postponed
  std::vector<char> isLeft_;         ///< by body: is in left_; no longer than it ever had to be
  std::size_t ended_ = 0;
};

}  // namespace nearmiss::engine
