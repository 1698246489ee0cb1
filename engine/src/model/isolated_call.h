// SPDX-License-Identifier: MIT
/// Runs work that may crash, hang or exhaust memory in a separate process.
#pragma once

#include <nearmiss/result.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct IsolationLimits {
  std::chrono::seconds processorTime{120};
  std::chrono::seconds wallTime{1200};
  /// Address space in addition to the caller's; not enforced under a sanitizer.
  std::size_t memoryBytes = std::size_t{8} << 30;
  std::size_t resultBytes = std::size_t{4} << 30;
  /// The child is killed as soon as this becomes true. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

/// Runs `work` in a child process and returns the bytes that it returns. Discards its output; the
/// child does not outlive the caller. Errors: BadFormat if the child ends abnormally (crash, time
/// limit), with the reason and the limit as half a sentence; TooLarge for memory; Cancelled;
/// OutOfMemory if the system cannot create the process. Also works if SIGCHLD is ignored or another
/// thread waits for all children, but then the message cannot name the signal or the exceeded
/// processor time.
Result<std::vector<std::byte>> callIsolated(const std::function<std::vector<std::byte>()>& work,
                                            const IsolationLimits& limits = {});

/// Returns true if a forked child is independent of the caller's other threads. Not so under a
/// sanitizer: if another thread was inside its allocator during the fork, the allocator stays
/// locked in the child.
[[nodiscard]] bool canIsolate() noexcept;

/// Called by `work` if it needs more than its limits: adds bytes and processor time to them.
void extendIsolation(std::size_t memoryBytes, std::chrono::seconds processorTime) noexcept;

// Limits of memory and time for reading a file, by its size.

/// Terse text such as "f 1 2 3" expands to about 80 times its size in memory.
inline constexpr std::uintmax_t memoryPerByte = 128;
inline constexpr std::size_t defaultMemory = std::size_t{512} << 20;  ///< independent of the size
inline constexpr std::size_t maxMemory = std::size_t{8} << 30;

[[nodiscard]] inline std::size_t memoryFor(std::uintmax_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uintmax_t>(memoryPerByte * bytes, maxMemory));
}

/// One second per started MiB, about fifty times the usual need.
[[nodiscard]] inline std::chrono::seconds secondsFor(std::uintmax_t bytes) noexcept {
  return std::chrono::seconds((bytes + 0xfffff) >> 20);
}

}  // namespace nearmiss::engine
