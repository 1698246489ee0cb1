// SPDX-License-Identifier: MIT
/// A queue of future events, the earliest first; keeps its memory when it is emptied.
#pragma once

#include <algorithm>
#include <vector>

namespace nearmiss {

/// `isLater(a, b)` is whether event a comes after b, with no ties between different events: the
/// order does not depend on that in which they were added.
template <class Event>
class EventQueue {
 public:
  void clear() noexcept { events_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return events_.empty(); }

  /// Of a queue that is not empty.
  [[nodiscard]] const Event& first() const noexcept { return events_.front(); }

  void add(const Event& event) {
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), after);
  }

  /// Of a queue that is not empty.
  Event takeFirst() noexcept {
    std::pop_heap(events_.begin(), events_.end(), after);
    const Event first = events_.back();
    events_.pop_back();
    return first;
  }

  template <class Condition>
  void forgetIf(const Condition& condition) {
    std::erase_if(events_, condition);
    std::make_heap(events_.begin(), events_.end(), after);
  }

 private:
  static bool after(const Event& a, const Event& b) noexcept { return isLater(a, b); }

  std::vector<Event> events_;  ///< heap
};

}  // namespace nearmiss
