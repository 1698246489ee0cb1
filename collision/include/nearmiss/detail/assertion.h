// SPDX-License-Identifier: MIT
/// Assertions. Misuse of the library terminates the program with a message: the condition, where it
/// failed, and the values.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace nearmiss::detail {

/// Writes "nearmiss: FILE:LINE: expected CONDITION, but NAMES = VALUES" to stderr and aborts.
[[noreturn]] void misuse(const char* file, int line, const char* condition, const char* names,
                         std::string_view values) noexcept;

template <class T>
void appendValue(std::string& text, const T& value) {
  if (!text.empty()) text += ", ";
  if constexpr (std::is_enum_v<T>)
    text += std::to_string(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::is_arithmetic_v<T>)
    text += std::to_string(value);
  else
    text += value;
}

template <class... Values>
[[noreturn]] void misused(const char* file, int line, const char* condition, const char* names,
                          const Values&... values) noexcept {
  std::string text;
  (appendValue(text, values), ...);
  misuse(file, line, condition, names, text);
}

}  // namespace nearmiss::detail

/// Checked in every build, for misuse that would otherwise give a wrong result. The condition is
/// followed by values to print: numbers, enumerators, strings.
#define NEARMISS_DEMAND(condition, ...)                                      \
  ((condition) ? static_cast<void>(0)                                        \
               : ::nearmiss::detail::misused(__FILE__, __LINE__, #condition, \
                                             #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__))

/// As NEARMISS_DEMAND, for checks that cost time: enabled in Debug, and if NEARMISS_ASSERTIONS is
/// defined.
#if defined(NEARMISS_ASSERTIONS) || !defined(NDEBUG)
#define NEARMISS_ASSERT(condition, ...) NEARMISS_DEMAND(condition __VA_OPT__(, ) __VA_ARGS__)
#else
#define NEARMISS_ASSERT(condition, ...) static_cast<void>(0)
#endif
