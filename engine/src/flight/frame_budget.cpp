// SPDX-License-Identifier: MIT
#include <engine/flight/frame_budget.h>

#include <algorithm>
#include <thread>

namespace nearmiss::engine {

FrameBudget::Duration FrameBudget::predictedRest() const noexcept {
  if (seen_ <= warmUp) return Duration{};
  const std::size_t known = std::min(seen_ - warmUp, window);
  Duration sum{};
  for (std::size_t i = 0; i < known; ++i) sum += rest_[i];
  return sum / static_cast<Duration::rep>(known);
}

void FrameBudget::record(Duration rest) noexcept {
  // The clamp keeps the sum from overflowing; no frame takes that long
  constexpr Duration longest = std::chrono::hours(1);
  if (seen_ >= warmUp) rest_[(seen_ - warmUp) % window] = std::clamp(rest, Duration{}, longest);
  ++seen_;
}

void FrameBudget::settle(FrameProfile& frame) noexcept {
  const Duration own = frame.frameTime - frame.watching;
  frame.missed = own > frame.target + frame.target / 100;
  record(own - frame.slack - frame.broad - frame.narrow);
}

void idleUntil(std::chrono::steady_clock::time_point end) noexcept {
  // A sleep overshoots by about a tenth of a millisecond, a spin does not
  using std::chrono::steady_clock;
  constexpr auto spin = std::chrono::microseconds(500);
  if (steady_clock::now() < end - spin) std::this_thread::sleep_until(end - spin);
  while (steady_clock::now() < end) {
  }
}

}  // namespace nearmiss::engine
