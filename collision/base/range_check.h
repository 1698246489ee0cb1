// SPDX-License-Identifier: MIT
/// Range checks of the settings of a builder.
#pragma once

#include <nearmiss/detail/number_text.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cmath>
#include <string>
#include <string_view>

namespace nearmiss {

/// Keeps the first error found.
class RangeCheck {
 public:
  explicit RangeCheck(std::string_view builder) : builder_(builder) {}

  void within(std::string_view name, Real value, Real min, Real max) {
    if (value >= min && value <= max) return;
    fault(std::string(name) + " of " + textOf(min) + " to " + textOf(max) + ", not " +
          textOf(value));
  }
  void aboveZero(std::string_view name, Real value, Real max) {
    if (value > 0.0 && value <= max) return;
    fault(std::string(name) + " above 0, up to " + textOf(max) + ", not " + textOf(value));
  }
  void notNegative(std::string_view name, Real value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    fault(std::string(name) + " of 0 or more, not " + textOf(value));
  }
  /// An enumeration read from external data can have any value.
  template <class Choice>
  void oneOf(std::string_view name, Choice value, Choice last) {
    if (value <= last) return;
    fault(std::string(name) + " that there is, not number " +
          std::to_string(static_cast<int>(value)));
  }
  void fault(const std::string& expected) {
    if (fault_.empty()) fault_ = "the " + std::string(builder_) + " builder expects " + expected;
  }
  [[nodiscard]] Result<Success> outcome() const {
    if (fault_.empty()) return Success{};
    return Error{ErrorCode::Unsupported, fault_};
  }

 private:
  std::string_view builder_;
  std::string fault_;
};

}  // namespace nearmiss
