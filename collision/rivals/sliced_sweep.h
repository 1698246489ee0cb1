// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by projection, in slices of time. The lists of faces
/// are re-sorted at the end of each slice; faces that this swaps have crossed. It needs no queue of
/// crossings, the main cost of a sweep by single crossings.
#pragma once

#include <array>

#include "broad/bound_search.h"

namespace nearmiss {

/// A search. Reuses its memory. Slices are as long as the lists stay nearly sorted. A search stops
/// at the end of the slice with the first meeting, and resumes from there. Counts are of whole
/// slices.
class SlicedSweep : public BoundSweep {
 public:
  /// Starts at `from`. Every bound must hold from there to `until` and outlive the search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until);

  /// Returns the next pair to meet, in order of time within rounding, rounded down; empty if no
  /// further pair meets before `until`. Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

 private:
  /// A face and its position at the end of the current slice.
  struct SweptFace {
    Real at = 0.0;
    std::uint32_t face = 0;
  };
  static bool comesBefore(const SweptFace& a, const SweptFace& b) noexcept {
    return isBelow(a.at, a.face, b.at, b.face);
  }
  struct Axis {
    std::vector<ProjectedFace> faces;
    std::vector<SweptFace> order;  ///< from low to high
  };

  void findOverlapping();
  void sweepSlice();
  void sortAxis(std::uint32_t axis);
  void tryPair(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] bool apartThroughout(std::uint32_t axis, std::uint32_t a,
                                     std::uint32_t b) const noexcept;

  Real slice_ = 0.0;  ///< length of the next slice, seconds
  std::array<Axis, 3> axes_;
  std::vector<BodyPair> reported_;  ///< sorted; a pair may be expected repeatedly
};

}  // namespace nearmiss
