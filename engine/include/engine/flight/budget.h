// SPDX-License-Identifier: MIT
/// The time that detection may take in a frame: how it is chosen, typed and written.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// The clock that a budget is measured on.
enum class ClockKind : std::uint8_t { Wall, Work };
/// By ClockKind.
inline constexpr std::array<std::string_view, 2> clockNames{"wall", "work"};

/// Detection's allowance per frame.
struct BudgetRule {
  enum class Kind : std::uint8_t { Auto, Unlimited, Fixed } kind = Kind::Auto;
  std::chrono::nanoseconds fixed{};  ///< for Fixed
  Real eraScale = 1.0;               ///< divides the allowance: the 1995 mode
  /// The share of the target that Auto allows even where the rest leaves less: such a frame is late
  /// anyway, and by so little more that nobody sees it. 0: as published.
  Real minShare = 1.0 / 32.0;
};

/// `budget` with the kind and time that are typed as "auto", "inf" or microseconds, "50", "50us" or
/// "50 us", at most 10^9; nothing for any other text.
[[nodiscard]] std::optional<BudgetRule> parseBudget(std::string_view text,
                                                    BudgetRule budget = {}) noexcept;

/// "auto", "inf", "50 us"; with the 1995 mode "auto divided by 1000".
[[nodiscard]] std::string budgetText(const BudgetRule& budget);

}  // namespace nearmiss::engine
