// SPDX-License-Identifier: MIT
/// Broad phases as parameters of tests.
#pragma once

#include <nearmiss/rivals/catalog.h>

#include <string_view>
#include <vector>

namespace nearmiss::test {

/// The names of those that use the bodies' acceleration bounds.
[[nodiscard]] inline std::vector<std::string_view> lookingAhead() {
  std::vector<std::string_view> names;
  for (const BroadPhaseEntry& entry : broadPhaseCatalog())
    if (entry.looksAhead) names.push_back(entry.name);
  return names;
}

}  // namespace nearmiss::test
