// SPDX-License-Identifier: MIT
/// Converts exceptions to errors.
#pragma once

#include <nearmiss/result.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace nearmiss::engine {

/// Converts the current exception. The message is empty if there is no memory for it, which means
/// "not enough memory".
[[nodiscard]] inline Error caughtError() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return {ErrorCode::OutOfMemory, "not enough memory"};
    } catch (const std::exception& fault) {
      return {ErrorCode::OutOfMemory,
              std::string("a system resource is unavailable: ") + fault.what()};
    }
  } catch (...) {
    return {ErrorCode::OutOfMemory, {}};
  }
}

/// Returns the result of `work`, a Result or an optional Error; converts exceptions.
template <class Work>
[[nodiscard]] std::invoke_result_t<const Work&> guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    return caughtError();
  }
}

}  // namespace nearmiss::engine
