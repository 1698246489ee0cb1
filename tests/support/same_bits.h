// SPDX-License-Identifier: MIT
/// Equality that tells 0 from -0 and finds a NaN equal to itself.
#pragma once

#include <cstring>
#include <type_traits>

namespace nearmiss::test {

/// @pre the type has no padding
template <class Value>
[[nodiscard]] bool sameBits(const Value& a, const Value& b) noexcept {
  static_assert(std::is_trivially_copyable_v<Value>);
  return std::memcmp(&a, &b, sizeof(Value)) == 0;
}

}  // namespace nearmiss::test
