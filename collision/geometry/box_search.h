// SPDX-License-Identifier: MIT
/// Best-first search of a hierarchy of boxes for a minimum: nearer boxes first. Can stop when time
/// runs out and resume later.
#pragma once

#include <nearmiss/time_budget.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// A probe defines what to minimise:
///   using Bound;                           // a float or double
///   Bound limit() const;                   // only values below this are of interest
///   unsigned bounds(const Node&, std::array<Bound, 8>& least) const;
///     // sets a lower bound for each box; returns a bit for each box that is of interest
///   bool visit(std::uint32_t leaf, WorkCount& work);  // false: time ran out during the visit
template <class Probe>
class BoxSearch {
 public:
  using Bound = typename Probe::Bound;

  /// Starts at the root. The hierarchy must outlive the last step.
  void begin(const WideBoxes& boxes) noexcept {
    boxes_ = &boxes;
    size_ = 0;
    if (!boxes.empty()) waiting_[size_++] = {0, Bound{0}};
  }

  /// Searches until nothing is left or `budget` is exhausted, for at least one quantum of work.
  /// Returns false if time ran out.
  bool run(Probe& probe, const TimeBudget& budget) {
    WorkCount work;
    while (size_ > 0) {
      const Waiting at = waiting_[--size_];
      if (at.least > probe.limit()) continue;
      if ((at.node & WideBoxes::isLeaf) != 0) {
        if (!probe.visit(at.node & ~WideBoxes::isLeaf, work)) {
          waiting_[size_++] = at;
          return false;
        }
      } else {
        work.boundTests += WideBoxes::width;
        push(probe, boxes_->node(at.node));
      }
      if (work.boundTests + perTriangle * work.triangleTests < quantum) continue;
      const bool spent = budget.spend(work);
      work = {};
      if (spent) return size_ == 0;
    }
    budget.spend(work);
    return true;
  }

  /// Returns a lower bound for everything in boxes not visited yet; infinite if there are none.
  [[nodiscard]] Bound least() const noexcept {
    Bound least = std::numeric_limits<Bound>::infinity();
    for (std::size_t i = 0; i < size_; ++i)
      if (waiting_[i].least < least) least = waiting_[i].least;
    return least;
  }

  [[nodiscard]] bool done() const noexcept { return size_ == 0; }

 private:
  /// In tests of bounds; takes about a third of a microsecond.
  static constexpr std::uint64_t quantum = 64;
  /// The cost of a triangle, in tests of bounds.
  static constexpr std::uint64_t perTriangle = 16;

  struct Waiting {
    std::uint32_t node;
    Bound least;
  };

  /// Pushes the children so that the nearest is visited first.
  void push(const Probe& probe, const WideBoxes::Node& node) {
    std::array<Bound, WideBoxes::width> least;
    unsigned lanes = probe.bounds(node, least) & ((1u << node.count) - 1u);
    const std::size_t bottom = size_;
    for (unsigned lane = 0; lanes != 0; ++lane, lanes >>= 1) {
      if ((lanes & 1u) == 0) continue;
      std::size_t at = size_++;
      for (; at > bottom && waiting_[at - 1].least < least[lane]; --at)
        waiting_[at] = waiting_[at - 1];
      waiting_[at] = {node.child[lane], least[lane]};
    }
  }

  const WideBoxes* boxes_ = nullptr;
  std::array<Waiting, WideBoxes::maxWaiting> waiting_;
  std::size_t size_ = 0;
};

}  // namespace nearmiss
