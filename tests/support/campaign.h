// SPDX-License-Identifier: MIT
/// The number of random cases of a test: few by default, more in a campaign.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace nearmiss::test {

/// NEARMISS_CAMPAIGN, or 1 where that variable is not set to a number above 1.
[[nodiscard]] inline double campaignFactor() {
  const char* campaign = std::getenv("NEARMISS_CAMPAIGN");
  return std::max(1.0, campaign ? std::atof(campaign) : 1.0);
}

[[nodiscard]] inline bool inCampaign() { return campaignFactor() > 1.0; }

/// Writes into the test's report how many cases it draws: the most that it has asked for, as a test
/// asks for the number of one loop again and again.
inline void reportCases(int count) {
  static const testing::TestInfo* reported = nullptr;
  static int most = 0;
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (!test || (test == reported && count <= most)) return;
  reported = test;
  most = count;
  testing::Test::RecordProperty("cases", count);
}

/// `usual` cases, times as many in a campaign. For a loop over cases: what else grows with them, as
/// the least number of their contacts, asks campaignFactor().
[[nodiscard]] inline int cases(int usual) {
  constexpr double maxCases = 2e9;
  const int count = static_cast<int>(std::min(usual * campaignFactor(), maxCases));
  reportCases(count);
  return count;
}

}  // namespace nearmiss::test
