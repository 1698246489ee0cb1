// SPDX-License-Identifier: MIT
/// Numbers in sentences for people.
#pragma once

#include <nearmiss/math.h>

#include <cstdio>
#include <string>

namespace nearmiss {

/// Nine digits at most.
[[nodiscard]] inline std::string textOf(Real number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

}  // namespace nearmiss
