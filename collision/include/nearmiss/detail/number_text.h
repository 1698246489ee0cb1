// SPDX-License-Identifier: MIT
/// Formats numbers for messages.
#pragma once

#include <nearmiss/math.h>

#include <cstdio>
#include <string>

namespace nearmiss {

/// Formats a number with at most `digits` significant digits.
[[nodiscard]] inline std::string textOf(Real number, int digits = 9) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

/// Returns the number of digits with which two numbers differ in text: nine, or else all.
[[nodiscard]] inline int digitsToTell(Real a, Real b) {
  return a != b && textOf(a) == textOf(b) ? 17 : 9;
}

}  // namespace nearmiss
