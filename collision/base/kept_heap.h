// SPDX-License-Identifier: MIT
/// A heap that keeps its memory when emptied.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <vector>

namespace nearmiss {

/// `After{}(a, b)` returns whether a comes after b. It must not treat different elements as equal,
/// so that the order does not depend on the order of insertion.
template <class Element, class After>
class KeptHeap {
 public:
  void clear() noexcept { elements_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }

  /// @pre !empty()
  [[nodiscard]] const Element& first() const noexcept {
    NEARMISS_ASSERT(!empty());
    return elements_.front();
  }

  void add(const Element& element) {
    elements_.push_back(element);
    std::push_heap(elements_.begin(), elements_.end(), After{});
  }

  /// @pre !empty()
  Element takeFirst() noexcept {
    NEARMISS_ASSERT(!empty());
    std::pop_heap(elements_.begin(), elements_.end(), After{});
    const Element first = elements_.back();
    elements_.pop_back();
    return first;
  }

  template <class Condition>
  void forgetIf(const Condition& condition) {
    std::erase_if(elements_, condition);
    std::make_heap(elements_.begin(), elements_.end(), After{});
  }

 private:
  std::vector<Element> elements_;
};

}  // namespace nearmiss
