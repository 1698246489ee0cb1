// SPDX-License-Identifier: MIT
/// Distributes independent work over threads, for builders. Results go to slots by index, so that
/// they are the same for any number of threads.
#pragma once

#include <cstddef>

#if !defined(NEARMISS_BARE)
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace nearmiss {

#if !defined(NEARMISS_BARE)

/// Threads that serve a queue in addition to the caller: as many as requested, or fewer if the
/// machine lacks threads or cores. The stacks of many more threads would use address space that the
/// work needs.
class HelpingThreads {
 public:
  HelpingThreads(std::size_t count, const auto& serve) {
    static const std::size_t useful = 4 * std::max(1u, std::thread::hardware_concurrency());
    count = std::min(count, useful);
    // If no more threads or memory for their stacks are available, the existing threads do all the
    // work
    try {
      threads_.reserve(count);
      for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(serve, static_cast<int>(i) + 1);
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
  }
  HelpingThreads(const HelpingThreads&) = delete;
  HelpingThreads& operator=(const HelpingThreads&) = delete;
  /// Waits for all.
  ~HelpingThreads() {
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;  ///< libc++ 16 has no std::jthread
};

#endif

/// Calls work(index, worker) once for every index below `count`, with 0 <= worker < workers. Calls
/// with the same worker never overlap. Returns when all are done. `work` must not depend on the
/// order or the worker, but may keep scratch memory per worker. If `work` throws on any thread, the
/// exception is rethrown here after all threads have ended; the remaining work is skipped.
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
