// SPDX-License-Identifier: MIT
/// Locks a world or a query for one thread. Not recursive.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace nearmiss::python {

/// Taken without the GIL only: who holds it looks for signals meanwhile, and so does who waits.
class WorldLock {
 public:
  /// @param what  is locked, for the sentence of an error; not copied
  explicit WorldLock(const char* what = "world") noexcept : what_(what) {}

  /// @throws Failure if this thread holds it, as where the handler of a signal asks the world that
  /// is being asked, or if Python ends; KeyboardInterrupt, or what a handler raised
  void lock();
  void unlock() noexcept;

 private:
  const char* what_;
  std::timed_mutex one_;
  std::atomic<std::thread::id> owner_;
};

}  // namespace nearmiss::python
