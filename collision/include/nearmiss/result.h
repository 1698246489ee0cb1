// SPDX-License-Identifier: MIT
/// A value, or an error. For files and models, never on the per-frame path.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace nearmiss {

/// The kind of an error.
enum class ErrorCode : std::uint8_t {
  NotFound,
  Unreadable,  ///< cannot be read or written
  BadFormat,
  WrongVersion,
  Mismatch,  ///< a valid file of another mesh or other settings
  Unsupported,
  EmptyMesh,
  TooLarge,
  Cancelled,
  OutOfMemory,  ///< or out of threads: a limit of the machine, not of the library
};

/// The reason why a function failed.
struct Error {
  ErrorCode code;
  std::string message;  ///< one sentence that names the file or object and what was expected
};

/// The part of std::expected<T, Error> (C++23) that this project uses, with the same names. Not an
/// alias for it, because an installed header must mean the same type under every -std= of its
/// users.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Returns the value. Terminates the program with the error's sentence if there is none.
  T& operator*() & noexcept { return *value(); }
  const T& operator*() const& noexcept { return *value(); }
  T&& operator*() && noexcept { return std::move(*value()); }
  T* operator->() noexcept { return value(); }
  const T* operator->() const noexcept { return value(); }

  /// Returns the error. Terminates the program if there is a value.
  [[nodiscard]] const Error& error() const noexcept {
    NEARMISS_DEMAND(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  const T* value() const noexcept {
    NEARMISS_DEMAND(has_value(), error().message);
    return std::get_if<0>(&state_);
  }
  T* value() noexcept { return const_cast<T*>(std::as_const(*this).value()); }

  std::variant<T, Error> state_;
};

/// The value type of results without a value.
using Success = std::monostate;

}  // namespace nearmiss
