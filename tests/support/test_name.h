// SPDX-License-Identifier: MIT
/// Names of a catalogue as names of tests, which may hold no hyphen.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace nearmiss::test {

[[nodiscard]] inline std::string testName(std::string_view catalogued) {
  std::string name(catalogued);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace nearmiss::test
