// SPDX-License-Identifier: MIT
/// How many random cases a test tries: few by default, more in a campaign.
#pragma once

#include <cstdlib>

namespace nearmiss::test {

/// `usual` cases, times NEARMISS_CAMPAIGN where that variable is set to a number above 1.
[[nodiscard]] inline int cases(int usual) {
  const char* campaign = std::getenv("NEARMISS_CAMPAIGN");
  const double factor = campaign ? std::atof(campaign) : 1.0;
  return factor > 1.0 ? static_cast<int>(usual * factor) : usual;
}

}  // namespace nearmiss::test
