// SPDX-License-Identifier: MIT
/// The work that one detection granted to each pair: enough to do the detection again, equal to the
/// last bit, whatever clocks say then.
#pragma once

#include <nearmiss/detector.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

struct GrantedPair {
  BodyPair bodies;
  std::uint32_t steps = 0;  ///< levels completed: calls of NarrowPhase::refine() that returned true
};

/// Of one detection. Keeps its memory when it takes up another.
struct GrantedWork {
  Real noContactBefore = 0.0;  ///< what the broad phase returned, simulation seconds
  bool complete = true;        ///< time did not run out
  std::vector<GrantedPair> pairs;
  std::vector<PostponedPair> postponed;
  std::vector<PostponedBody> postponedBodies;

  /// Takes up what `found` says.
  void take(const Detection& found);

  /// Whether a detection among so many bodies can have been granted this: indices exist, and both
  /// lists of pairs are sorted, without repetition.
  [[nodiscard]] bool fits(std::size_t bodies) const noexcept;
};

}  // namespace nearmiss
