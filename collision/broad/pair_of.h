// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/body_state.h>

#include <algorithm>
#include <cstdint>

namespace nearmiss {

/// Of two different bodies, the lower one first.
[[nodiscard]] inline BodyPair pairOf(std::uint32_t a, std::uint32_t b) noexcept {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace nearmiss
