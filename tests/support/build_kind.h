// SPDX-License-Identifier: MIT
/// What a test must know of the build that it belongs to.
#pragma once

#include <ctime>

namespace nearmiss::test {

/// Sanitizers bring an allocator that nobody can ask, and reserve more addresses than limits leave.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool isThreadSanitized = true;
#else
inline constexpr bool isThreadSanitized = false;
#endif

/// Time of the processor, for what would take forty times as long if its cost grew with a square:
/// sanitizers make all of it slow.
[[nodiscard]] constexpr std::clock_t soon(int seconds) {
  return (isSanitized ? 10 : 1) * seconds * static_cast<std::clock_t>(CLOCKS_PER_SEC);
}

/// Why a test of memory that is limited is skipped then.
inline constexpr const char* noMemoryLimit =
    "sanitizers reserve more addresses than a limit leaves";

/// Then preconditions end the program where another build goes on.
#if defined(NEARMISS_ASSERTIONS) || !defined(NDEBUG)
inline constexpr bool hasAssertions = true;
#else
inline constexpr bool hasAssertions = false;
#endif

}  // namespace nearmiss::test
