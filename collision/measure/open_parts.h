// SPDX-License-Identifier: MIT
/// The parts of a branch and bound search that are still in question.
#pragma once

#include "geometry/kept_heap.h"

namespace nearmiss {

/// By `atMost`, the greatest first; `sequence` decides ties, the lowest first.
struct LesserPart {
  template <class Part>
  bool operator()(const Part& a, const Part& b) const noexcept {
    return a.atMost != b.atMost ? a.atMost < b.atMost : a.sequence > b.sequence;
  }
};

template <class Part>
using OpenParts = KeptHeap<Part, LesserPart>;

}  // namespace nearmiss
