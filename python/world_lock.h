// SPDX-License-Identifier: MIT
/// Locks a world or a query for one thread. Not recursive.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace nearmiss::python {

/// A lock that is taken without the GIL only, because its holder and the threads that wait for it
/// poll for signals.
class WorldLock {
 public:
  /// @param what the locked object, for error messages; not copied
  explicit WorldLock(const char* what = "world") noexcept : what_(what) {}

  /// @throws Failure if this thread already holds it, for example in a signal handler during a
  /// query of the same world, or if Python exits; KeyboardInterrupt, or the exception of a signal
  /// handler
  void lock();
  void unlock() noexcept;

 private:
  const char* what_;
  std::timed_mutex one_;
  std::atomic<std::thread::id> owner_;
};

}  // namespace nearmiss::python
