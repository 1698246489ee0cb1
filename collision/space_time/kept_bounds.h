// SPDX-License-Identifier: MIT
/// The bounds kept of all bodies, and which of them are void.
#pragma once

#include "space_time/body_queue.h"
#include "space_time/kept_bound.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

class KeptBounds {
 public:
  /// `bodies` have jumped since the last findVoid(), and nobody else.
  void announce(std::span<const std::uint32_t> bodies) {
    announced_ = true;
    jumped_.insert(jumped_.end(), bodies.begin(), bodies.end());
  }

  /// Finds the states outside of the bound kept for their index: another body, an announced or an
  /// unannounced jump, a changed size; those that wait in `queue` aside. All are compared unless
  /// the jumps were announced. Returns how many were.
  std::size_t findVoid(std::span<const BodyState> bodies, Real time, const BodyQueue& queue,
                       std::vector<std::uint32_t>& found) {
    found.clear();
    const std::size_t count = bodies.size();
    if (std::exchange(announced_, false) && bounds_.size() == count) {
      for (const std::uint32_t i : jumped_)
        if (i < count) found.push_back(i);
      jumped_.clear();
      return 0;
    }
    jumped_.clear();
    if (bounds_.size() != count) {
      bounds_.assign(count, KeptBound{});
      for (std::uint32_t i = 0; i < count; ++i) found.push_back(i);
      return 0;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      // Memory is the limit: prefetch what is read soon
      const std::size_t ahead = std::min<std::size_t>(i + 16, count - 1);
      __builtin_prefetch(&bodies[ahead]);
      __builtin_prefetch(&bodies[ahead].shape);
      __builtin_prefetch(&bounds_[ahead]);
      if (!bounds_[i].holds(bodies[i], time) && !queue.contains(i)) found.push_back(i);
    }
    return count;
  }

  [[nodiscard]] KeptBound& operator[](std::size_t i) noexcept { return bounds_[i]; }
  [[nodiscard]] const KeptBound& operator[](std::size_t i) const noexcept { return bounds_[i]; }

 private:
  std::vector<KeptBound> bounds_;
  bool announced_ = false;
  std::vector<std::uint32_t> jumped_;  ///< as announced
};

}  // namespace nearmiss
