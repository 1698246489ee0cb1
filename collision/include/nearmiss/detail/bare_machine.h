// SPDX-License-Identifier: MIT
/// Replacements for threads and exceptions in builds with NEARMISS_BARE. In such a build, lack of
/// memory terminates the program, and only one thread may call the library.
#pragma once

#if defined(NEARMISS_BARE)
#include <cstdlib>
#else
#include <mutex>
#endif

#if defined(NEARMISS_BARE)
// Without exceptions only the try block remains
#define NEARMISS_TRY if constexpr (true)
#define NEARMISS_CATCH(fault) if constexpr (false)
#define NEARMISS_THROW(fault) std::abort()
#define NEARMISS_RETHROW std::abort()
#else
#define NEARMISS_TRY try
#define NEARMISS_CATCH(fault) catch (fault)
#define NEARMISS_THROW(fault) throw fault
#define NEARMISS_RETHROW throw
#endif

namespace nearmiss {

#if defined(NEARMISS_BARE)

struct Mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};

struct LockGuard {
  explicit LockGuard(Mutex&) noexcept {}
};

class OnceFlag {
 public:
  void call(const auto& work) {
    if (!called_) work();
    called_ = true;
  }

 private:
  bool called_ = false;
};

#else

using Mutex = std::mutex;
using LockGuard = std::lock_guard<Mutex>;

/// The first thread does the work, and all others wait for it.
class OnceFlag {
 public:
  void call(const auto& work) { std::call_once(flag_, work); }

 private:
  std::once_flag flag_;
};

#endif

}  // namespace nearmiss
