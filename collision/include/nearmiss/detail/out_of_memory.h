// SPDX-License-Identifier: MIT
/// Converts exceptions for lack of memory or threads to errors.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/result.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace nearmiss {

/// Returns an error such as "cannot build the tree: there is not enough memory". The message is
/// empty if there is not even memory for it.
[[nodiscard]] inline Error outOfMemory(std::string_view undone,
                                       std::string_view reason = {}) noexcept {
  NEARMISS_TRY {
    std::string message(undone);
    message += ": ";
    message += reason.empty() ? "there is not enough memory" : reason;
    return {ErrorCode::OutOfMemory, std::move(message)};
  }
  NEARMISS_CATCH(const std::exception&) { return {ErrorCode::OutOfMemory, {}}; }
}

/// Returns the result of `work`, which is a Result, or an error if memory or threads ran out.
/// @param undone what failed, such as "cannot build the tree"
template <class Work>
[[nodiscard]] std::invoke_result_t<const Work&> orOutOfMemory(std::string_view undone,
                                                              const Work& work) noexcept {
#if defined(NEARMISS_BARE)
  static_cast<void>(undone);
  return work();
#else
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return outOfMemory(undone);
  } catch (const std::length_error&) {
    // A container of more elements than there are addresses
    return outOfMemory(undone);
  } catch (const std::system_error& fault) {
    return outOfMemory(undone, fault.what());
  }
#endif
}

}  // namespace nearmiss
