// SPDX-License-Identifier: MIT
/// Turns exceptions of the standard library or a foreign one into an Error.
#pragma once

#include <nearmiss/result.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace nearmiss::engine {

/// The exception that is being handled. An empty message stands for "there is not enough memory",
/// where there is no memory for that sentence.
[[nodiscard]] inline Error caughtError() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return {ErrorCode::OutOfMemory, "there is not enough memory"};
    } catch (const std::exception& fault) {
      return {ErrorCode::OutOfMemory,
              std::string("the machine cannot do what this needs: ") + fault.what()};
    }
  } catch (...) {
    return {ErrorCode::OutOfMemory, {}};
  }
}

/// The result of `work`, a Result or an optional Error; exceptions become an Error.
template <class Work>
[[nodiscard]] std::invoke_result_t<const Work&> guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    return caughtError();
  }
}

}  // namespace nearmiss::engine
