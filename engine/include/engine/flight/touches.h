// SPDX-License-Identifier: MIT
/// Tracks which pairs of ships touch and since when, to distinguish new touches from continuing
/// ones.
#pragma once

#include <nearmiss/advanced/detector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A pair that has touched since `since` and was never separate for Touches::minApart.
struct Touch {
  BodyPair bodies;
  Real since = 0.0;             ///< simulation time of the detection that found it first
  Real last = 0.0;              ///< time of the last detection at which it was not known to be
                                ///< separate
  bool apart = false;           ///< found separate since the last detection that found it touching
  std::uint32_t postponed = 0;  ///< consecutive detections that skipped the pair since then
};

/// Combines successive detections. If a detection postponed a pair or one of its bodies, the state
/// of the pair does not change. A pair whose bounding spheres meet is skipped by at most
/// maxPairWait consecutive detections, so a pair skipped more often is separate. Two bodies that
/// graze each other separate and meet from one detection to the next: that is one touch. Bodies are
/// identified by their indices, which must not change. Does not allocate in a steady scene.
class Touches {
 public:
  /// Minimum time for which a pair must be separate to end its touch [simulation s].
  static constexpr Real minApart = 0.25;

  /// Processes the next detection.
  void take(const Detection& found);
  /// Advances to `time` without a detection, because nothing can touch.
  void advanceTo(Real time) noexcept;

  /// Current touches, sorted by bodies.
  [[nodiscard]] std::span<const Touch> now() const noexcept { return now_; }
  /// Returns true if the pair touched at the detection before the last one.
  [[nodiscard]] bool touchedBefore(const BodyPair& pair) const noexcept;
  /// Number of touches that ended since the start.
  [[nodiscard]] std::size_t ended() const noexcept { return ended_; }

 private:
  /// `listed`: the detection examined the pair.
  void keep(Touch touch, const Detection& found, bool listed);

  std::vector<Touch> now_, before_;  ///< sorted by bodies
  std::vector<std::uint32_t> left_;  ///< bodies postponed by the last detection
  std::vector<char> isLeft_;         ///< by body: whether it is in left_
  std::size_t ended_ = 0;
};

}  // namespace nearmiss::engine
