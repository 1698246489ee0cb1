// SPDX-License-Identifier: MIT
#include "plain_data.h"

#include <cstdio>

namespace nearmiss::python {

std::string brief(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", number);
  return digits;
}

std::string brief(const Vec3& vector) {
  return "[" + brief(vector.x) + ", " + brief(vector.y) + ", " + brief(vector.z) + "]";
}

std::string brief(const HandlePair& bodies) {
  return "(" + std::to_string(static_cast<std::uint32_t>(bodies.a)) + ", " +
         std::to_string(static_cast<std::uint32_t>(bodies.b)) + ")";
}

std::string brief(bool truth) { return truth ? "True" : "False"; }

}  // namespace nearmiss::python
