// SPDX-License-Identifier: MIT
/// The parts of a branch and bound search that are still in question.
#pragma once

#include <algorithm>
#include <vector>

namespace nearmiss {

/// A heap of parts by `atMost`, the greatest first; `sequence` decides ties, the lowest first.
/// Keeps its memory from search to search.
template <class Part>
class OpenParts {
 public:
  void clear() noexcept { parts_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] const Part& greatest() const noexcept { return parts_.front(); }
  void add(const Part& part) {
    parts_.push_back(part);
    std::push_heap(parts_.begin(), parts_.end(), before);
  }
  Part takeGreatest() {
    std::pop_heap(parts_.begin(), parts_.end(), before);
    const Part part = parts_.back();
    parts_.pop_back();
    return part;
  }

 private:
  static bool before(const Part& a, const Part& b) noexcept {
    return a.atMost != b.atMost ? a.atMost < b.atMost : a.sequence > b.sequence;
  }
  std::vector<Part> parts_;
};

}  // namespace nearmiss
