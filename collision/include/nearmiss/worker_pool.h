// SPDX-License-Identifier: MIT
/// Threads that share the work of a frame: started once, asleep between frames. Where each has a
/// core, they stay awake for some 0.1 ms after a run, since the next one of the frame comes soon.
#pragma once

#include <memory>

namespace nearmiss {

class WorkerPool {
 public:
  /// The caller of run() is a worker too, so workers - 1 threads are started, or fewer if the
  /// machine lacks them.
  explicit WorkerPool(int workers);
  ~WorkerPool();

  [[nodiscard]] int workers() const noexcept;

  /// Calls work(worker) on the caller, as worker 0, and on the threads that wake before that call
  /// returns, 0 < worker < workers(); returns when all have. So each call must take pieces of the
  /// work from a shared counter until none is left. Exceptions are rethrown here. One run() at a
  /// time.
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
