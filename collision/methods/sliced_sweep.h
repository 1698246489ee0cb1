// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by projection, slice by slice of time: the lists of
/// faces are re-sorted at the end of each slice, and faces that this swaps have crossed. No queue
/// of crossings is kept: it is the main cost of the sweep of single crossings.
#pragma once

#include <array>

#include "broad/bound_search.h"

namespace nearmiss {

/// Keeps its memory between searches. Slices are made as long as the lists need to be kept nearly
/// sorted; a search ends with the slice in which the first meeting lies, and goes on from there.
/// Counts are of whole slices.
class SlicedSweep : public BoundSweep {
 public:
  /// Begins at `from`. Every bound must hold from there to `until` and outlive the search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until);

  /// The next pair to meet, in the order of time up to rounding, rounded down; nothing if no
  /// further pair meets before `until`. Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

 private:
  /// A face and where it is at the end of the present slice.
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

  Real slice_ = 0.0;  ///< seconds of the next slice
  std::array<Axis, 3> axes_;
  std::vector<BodyPair> reported_;  ///< sorted; a pair may be expected repeatedly
};

}  // namespace nearmiss
