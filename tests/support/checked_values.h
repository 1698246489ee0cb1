// SPDX-License-Identifier: MIT
/// Calls as a program makes them with values from outside: checks first, and memory may run out.
#pragma once

#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/result.h>

#include <initializer_list>
#include <type_traits>

namespace nearmiss::test {

template <class Ask>
using AnswerOf =
    Result<std::conditional_t<std::is_void_v<std::invoke_result_t<const Ask&>>, Success,
                              std::remove_cvref_t<std::invoke_result_t<const Ask&>>>>;

/// What `ask` returns, or an error where memory runs out.
template <class Ask>
AnswerOf<Ask> caught(const Ask& ask) {
  return orOutOfMemory("cannot answer", [&]() -> AnswerOf<Ask> {
    if constexpr (std::is_void_v<std::invoke_result_t<const Ask&>>) {
      ask();
      return Success{};
    } else {
      return ask();
    }
  });
}

/// What `ask` returns, or the first of the errors of `checks`.
template <class Ask>
AnswerOf<Ask> ifSound(std::initializer_list<Result<Success>> checks, const Ask& ask) {
  for (const Result<Success>& sound : checks)
    if (!sound) return sound.error();
  return caught(ask);
}

}  // namespace nearmiss::test
