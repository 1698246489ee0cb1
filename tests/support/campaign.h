// SPDX-License-Identifier: MIT
/// The number of random cases of a test: few by default, more in a campaign.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace nearmiss::test {

/// NEARMISS_CAMPAIGN, or 1 where that variable is not set to a number above 1.
[[nodiscard]] inline double campaignFactor() {
  const char* campaign = std::getenv("NEARMISS_CAMPAIGN");
  return std::max(1.0, campaign ? std::atof(campaign) : 1.0);
}

[[nodiscard]] inline bool inCampaign() { return campaignFactor() > 1.0; }

/// `usual` cases, times as many in a campaign.
[[nodiscard]] inline int cases(int usual) { return static_cast<int>(usual * campaignFactor()); }

}  // namespace nearmiss::test
