// SPDX-License-Identifier: MIT
/// Threads that share the work of a frame: started once, asleep between frames.
#pragma once

#include <memory>

namespace nearmiss {

class WorkerPool {
 public:
  /// Whoever calls run() is a worker too: one thread less is started, and fewer where the machine
  /// has no more.
  explicit WorkerPool(int workers);
  ~WorkerPool();

  [[nodiscard]] int workers() const noexcept;

  /// Calls work(worker) on the caller, as worker 0, and on those threads that awake before that
  /// call has returned, 0 < worker < workers(); returns when all have. So each call must take
  /// pieces of the work, from a counter that they share, until none is left. What one throws is
  /// thrown here. One run() at a time.
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
