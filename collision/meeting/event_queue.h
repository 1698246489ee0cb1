// SPDX-License-Identifier: MIT
/// What is going to happen, the earliest first.
#pragma once

#include "geometry/kept_heap.h"

namespace nearmiss {

/// By `isLater(a, b)` of the events.
struct LaterEvent {
  template <class Event>
  bool operator()(const Event& a, const Event& b) const noexcept {
    return isLater(a, b);
  }
};

template <class Event>
using EventQueue = KeptHeap<Event, LaterEvent>;

}  // namespace nearmiss
