// SPDX-License-Identifier: MIT
/// A heap that keeps its memory when it is emptied.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <vector>

namespace nearmiss {

/// `After{}(a, b)` says whether a comes after b, with no ties between different elements: no order
/// depends on the way in which they were added.
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
