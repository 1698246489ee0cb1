// SPDX-License-Identifier: MIT
/// Work that may crash, hang or ask for all memory, in a process of its own.
#pragma once

#include <nearmiss/result.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace nearmiss::engine {

struct IsolationLimits {
  std::chrono::seconds processorTime{120};
  std::chrono::seconds wallTime{1200};
  std::size_t memoryBytes = std::size_t{8} << 30;  ///< of addresses; not under a sanitizer
  std::size_t resultBytes = std::size_t{4} << 30;
};

/// Runs `work` in a child process and returns the bytes that it returned there. What it prints is
/// thrown away. Errors: BadFormat when the child ends in any other way (a crash, the limit of
/// time), with the reason as half a sentence; TooLarge for memory; Unreadable when no process can
/// be had.
Result<std::vector<std::byte>> callIsolated(const std::function<std::vector<std::byte>()>& work,
                                            const IsolationLimits& limits = {});

}  // namespace nearmiss::engine
