// SPDX-License-Identifier: MIT
/// Numbers in sentences for people.
#pragma once

#include <nearmiss/math.h>

#include <cstdio>
#include <string>

namespace nearmiss {

/// With at most that many significant digits.
[[nodiscard]] inline std::string textOf(Real number, int digits = 9) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

/// The digits by which a sentence tells two numbers apart: nine, or all where these are too few.
[[nodiscard]] inline int digitsToTell(Real a, Real b) {
  return a != b && textOf(a) == textOf(b) ? 17 : 9;
}

}  // namespace nearmiss
