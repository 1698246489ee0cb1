// SPDX-License-Identifier: MIT
/// Independent pieces of work shared out over threads, for builders: results go to slots by index,
/// so that they are the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace nearmiss {

#if !defined(NEARMISS_BARE)

/// Threads that serve a queue beside the caller: as many as wanted, or fewer where the machine
/// lacks threads or cores. Stacks of many more would take the addresses that the work itself needs.
class HelpingThreads {
 public:
  HelpingThreads(std::size_t count, const auto& serve) {
    static const std::size_t useful = 4 * std::max(1u, std::thread::hardware_concurrency());
    count = std::min(count, useful);
    // Where there is no further thread, and no memory for its stack, the others have more to do
    try {
      threads_.reserve(count);
      for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(serve, static_cast<int>(i) + 1);
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

#endif

/// Calls work(index, worker) once for every index below `count`, 0 <= worker < workers; no two
/// calls with the same worker run at the same time. Returns when all are done. `work` must not
/// depend on the order or the worker, but may keep scratch memory per worker. What it throws, on
/// whichever thread, is thrown here once all threads have ended; work not begun by then is left.
void parallelFor(std::size_t count, int workers, const auto& work) {
#if defined(NEARMISS_BARE)
  static_cast<void>(workers);
  for (std::size_t i = 0; i < count; ++i) work(i, 0);
#else
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto serve = [&](int worker) noexcept {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i, worker);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    const auto most = static_cast<std::size_t>(workers > 1 ? workers - 1 : 0);
    const HelpingThreads helpers(count > 0 && most > count - 1 ? count - 1 : most, serve);
    serve(0);
  }
  if (thrown) std::rethrow_exception(thrown);
#endif
}

}  // namespace nearmiss
