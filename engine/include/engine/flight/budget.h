// SPDX-License-Identifier: MIT
/// The time that detection may take in a frame, and how the user writes it.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// The clock that measures a budget.
enum class ClockKind : std::uint8_t { Wall, Work };
/// By ClockKind.
inline constexpr std::array<std::string_view, 2> clockNames{"wall", "work"};

/// Detection's budget per frame.
struct BudgetRule {
  enum class Kind : std::uint8_t { Auto, Unlimited, Fixed } kind = Kind::Auto;
  std::chrono::nanoseconds fixed{};  ///< used by Kind::Fixed
  Real eraScale = 1.0;               ///< divides the budget; used by the 1995 mode
  /// Minimum share of the target for Auto, even if the rest of the frame leaves less. Such a frame
  /// is late anyway, and the extra delay is not noticeable. 0: as published.
  Real minShare = 1.0 / 32.0;
  friend bool operator==(const BudgetRule&, const BudgetRule&) = default;
};

/// Returns `budget` with the kind and time parsed from "auto", "inf" or a number of microseconds:
/// "50", "50us" or "50 us", at most 10^9. Returns `nullopt` for any other text.
[[nodiscard]] std::optional<BudgetRule> parseBudget(std::string_view text,
                                                    BudgetRule budget = {}) noexcept;

/// Returns "auto", "inf" or "50 us"; in the 1995 mode, for example, "auto divided by 1000".
[[nodiscard]] std::string budgetText(const BudgetRule& budget);

}  // namespace nearmiss::engine
