// SPDX-License-Identifier: MIT
/// The inputs of one flight for several that fly it, each as far as it has come.
#pragma once

#include <engine/flight/simulation.h>

#include <cstdint>
#include <deque>

namespace nearmiss::app {

class SharedInputs {
 public:
  /// How many frames have an input.
  [[nodiscard]] std::uint64_t frames() const noexcept { return forgotten_ + inputs_.size(); }
  /// Of the next frame.
  void add(const engine::FrameInput& input) { inputs_.push_back(input); }
  /// @pre not forgotten, n < frames()
  [[nodiscard]] const engine::FrameInput& of(std::uint64_t n) const {
    return inputs_[static_cast<std::size_t>(n - forgotten_)];
  }
  /// Of frames before `n`, which all have flown.
  void forgetBefore(std::uint64_t n) {
    for (; forgotten_ < n && !inputs_.empty(); ++forgotten_) inputs_.pop_front();
  }

 private:
  std::deque<engine::FrameInput> inputs_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace nearmiss::app
