// SPDX-License-Identifier: MIT
/// Flags that cancel long work; there may be none.
#pragma once

#include <nearmiss/build_progress.h>

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
