// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/advanced/narrow_phase.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss::test {

/// One level of one quantum; a result that shows whether it was refined.
class OneLevelPhase final : public NarrowPhase {
 public:
  std::string_view name() const noexcept override { return "one-level"; }
  void begin(std::span<const BodyState>, std::span<const BodyPair> pairs) override {
    refined_.assign(pairs.size(), false);
  }
  bool refine(std::size_t i, const TimeBudget& budget) override {
    refined_[i] = true;
    budget.spend({1, 0});
    return true;
  }
  Refinement result(std::size_t i) const noexcept override {
    Refinement known;
    known.level = refined_[i] ? 1 : 0;
    known.canRefine = !refined_[i];
    return known;
  }
  void contacts(std::size_t, std::size_t, std::vector<ContactSpheres>&) const override {}
  WorkCount work() const noexcept override { return {}; }

 private:
  std::vector<char> refined_;
};

}  // namespace nearmiss::test
