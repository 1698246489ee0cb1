// SPDX-License-Identifier: MIT
/// Work that may crash, hang or take all memory, in a process of its own.
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
  /// Address space beyond the caller's own; not under a sanitizer.
  std::size_t memoryBytes = std::size_t{8} << 30;
  std::size_t resultBytes = std::size_t{4} << 30;
  /// Where this becomes true the child is ended at once. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

/// Runs `work` in a child process and returns the bytes that it returned there. What it prints is
/// thrown away, and it does not outlive the caller. Errors: BadFormat when the child ends in any
/// other way (a crash, the limit of time), with the reason as half a sentence that names the limit;
/// TooLarge for memory; Cancelled; OutOfMemory when the machine has no process or memory for it.
/// Works as well where SIGCHLD is ignored or somebody else waits for all children: then no sentence
/// says by which signal a child ended, or that its processor time was up.
Result<std::vector<std::byte>> callIsolated(const std::function<std::vector<std::byte>()>& work,
                                            const IsolationLimits& limits = {});

/// True if a child can go on whatever the caller's other threads were doing. Not so under a
/// sanitizer: its allocator stays locked forever in a child if another thread was inside it during
/// the fork.
[[nodiscard]] bool canIsolate() noexcept;

/// For `work`, when it has more to do than its limits were meant for: adds bytes and
/// processor time to them.
void extendIsolation(std::size_t memoryBytes, std::chrono::seconds processorTime) noexcept;

// How much memory and time reading a file may take, by its size.

/// Text as terse as "f 1 2 3" grows to some 80 times its size on the way to triangles.
inline constexpr std::uintmax_t memoryPerByte = 128;
inline constexpr std::size_t usualMemory = std::size_t{512} << 20;  ///< whatever the size
inline constexpr std::size_t maxMemory = std::size_t{8} << 30;

[[nodiscard]] inline std::size_t memoryFor(std::uintmax_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uintmax_t>(memoryPerByte * bytes, maxMemory));
}

/// A whole second for each MiB begun, which is fifty times what is usual.
[[nodiscard]] inline std::chrono::seconds secondsFor(std::uintmax_t bytes) noexcept {
  return std::chrono::seconds((bytes + 0xfffff) >> 20);
}

}  // namespace nearmiss::engine
