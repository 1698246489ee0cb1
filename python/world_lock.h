// SPDX-License-Identifier: MIT
/// One thread at a time in a world, and none twice.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

namespace nearmiss::python {

/// Taken without the GIL only: who holds it looks for signals meanwhile, and so does who waits.
class WorldLock {
 public:
  /// @throws Failure if this thread holds it, as where the handler of a signal asks the world that
  /// is being asked, or if Python ends; KeyboardInterrupt, or what a handler raised
  void lock();
  void unlock() noexcept;

 private:
  std::timed_mutex one_;
  std::atomic<std::thread::id> owner_;
};

}  // namespace nearmiss::python
