// SPDX-License-Identifier: MIT
/// A value, or the reason why there is none: for files and models, never for the per-frame path.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace nearmiss {

enum class ErrorCode : std::uint8_t {
  NotFound,
  Unreadable,  ///< also: cannot be written
  BadFormat,
  WrongVersion,
  Mismatch,  ///< a valid file, but of another mesh or other settings
  Unsupported,
  EmptyMesh,
  TooLarge,
  Cancelled,
  OutOfMemory,  ///< or of threads: what the machine lacks, not what a rule refuses
};

struct Error {
  ErrorCode code;
  std::string message;  ///< one sentence that names the file or thing and what was expected of it
};

/// The part of std::expected<T, Error> (C++23) that this project uses, with the same names. Not an
/// alias for it: an installed header must mean the same type under every -std= of its users.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// @pre has_value()
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  /// @pre !has_value()
  [[nodiscard]] const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
using Success = std::monostate;

}  // namespace nearmiss
