// SPDX-License-Identifier: MIT
/// Cancellation flags of long work. A null pointer means that the work cannot be cancelled.
#pragma once

#include <nearmiss/advanced/build_progress.h>

#include <atomic>

namespace nearmiss {

[[nodiscard]] inline bool wasCancelled(const std::atomic<bool>* cancelled) noexcept {
  return cancelled && *cancelled;
}
[[nodiscard]] inline bool wasCancelled(const BuildProgress* progress) noexcept {
  return progress && progress->cancelled;
}

[[nodiscard]] inline const std::atomic<bool>* cancellationOf(
    const BuildProgress* progress) noexcept {
  return progress ? &progress->cancelled : nullptr;
}

}  // namespace nearmiss
