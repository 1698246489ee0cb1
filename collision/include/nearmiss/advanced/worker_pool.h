// SPDX-License-Identifier: MIT
/// Threads that share the work of a frame: started once, asleep between frames. If each has a core,
/// they stay awake for about 0.1 ms after a run, because the next run of the frame follows soon.
#pragma once

#include <memory>

namespace nearmiss {

/// A pool of threads. They start with it and end with it.
class WorkerPool {
 public:
  /// Starts workers - 1 threads, since the caller of run() also works; fewer if the machine lacks
  /// threads.
  explicit WorkerPool(int workers);
  ~WorkerPool();

  [[nodiscard]] int workers() const noexcept;

  /// Calls work(worker) on the caller, as worker 0, and on each thread that wakes before that call
  /// returns, with 0 < worker < workers(). Returns when all calls have returned. A thread may wake
  /// too late, so each call must take pieces of the work from a shared counter until none is left.
  /// Rethrows exceptions. One run() at a time.
  void run(const auto& work) {
    runOnAll([](const void* f, int worker) { (*static_cast<decltype(&work)>(f))(worker); }, &work);
  }

 private:
  using Call = void (*)(const void* work, int worker);
  void runOnAll(Call call, const void* work);
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace nearmiss
