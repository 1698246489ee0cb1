// SPDX-License-Identifier: MIT
/// Threads of the simulator and its programs. Without them everything works, but more slowly.
#pragma once

#include <nearmiss/advanced/worker_pool.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>

namespace nearmiss::engine {

/// Returns the requested number of threads; for 0, the number of cores.
[[nodiscard]] inline int threadCount(int requested) noexcept {
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return requested > 0 ? requested : cores;
}

/// Makes a pool of that many threads; 0: one per core. Null for one.
[[nodiscard]] inline std::shared_ptr<WorkerPool> workerPool(int requested) {
  const int workers = threadCount(requested);
  return workers > 1 ? std::make_shared<WorkerPool>(workers) : nullptr;
}

/// Runs `work` on a new thread. The result is not joinable if the system has no thread left.
[[nodiscard]] std::jthread startThread(const auto& work) {
  try {
    return std::jthread(work);
  } catch (const std::exception&) {
    return {};
  }
}

/// Returns the involuntary context switches of the calling thread so far, a possible cause of
/// overruns. On a virtual machine, preemption by the host is not included.
[[nodiscard]] inline std::uint64_t preemptions() noexcept {
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

}  // namespace nearmiss::engine
