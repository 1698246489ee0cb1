// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>
#include <gtest/gtest.h>

#include <array>

namespace nearmiss::engine {
namespace {

TEST(EditDistance, CountsEveryKindOfSlip) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(editDistance("lamp", "lamp"), 0u);
  EXPECT_EQ(editDistance("lamp", "lump"), 1u);
  EXPECT_EQ(editDistance("lamp", "lamps"), 1u);
  EXPECT_EQ(editDistance("lamp", "lap"), 1u);
  EXPECT_EQ(editDistance("lamp", "lmap"), 1u);  // two neighbours swapped
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
}

TEST(EditDistance, IsTheSameBothWays) {
  for (const auto& [a, b] : {std::pair("sphere-tree", "spheretree"), std::pair("bsp", "bps"),
                             std::pair("", "x"), std::pair("truck", "rocket")})
    EXPECT_EQ(editDistance(a, b), editDistance(b, a));
}

TEST(NearestName, FindsWhatWasMeantAndNothingElse) {
  constexpr std::array<std::string_view, 4> names{"lamp", "faucet", "rocket", "truck"};
  EXPECT_EQ(nearestName("lmap", names), "lamp");
  EXPECT_EQ(nearestName("rokcet", names), "rocket");
  EXPECT_EQ(nearestName("fauc", names), "faucet");
  EXPECT_EQ(nearestName("submarine", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName("xy", names), "");
  EXPECT_EQ(nearestName(std::string(100'000, 'l'), names), "");
}

TEST(NearestName, TakesTheFirstOfEquals) {
  constexpr std::array<std::string_view, 2> names{"cat", "car"};
  EXPECT_EQ(nearestName("cab", names), "cat");
}

TEST(DidYouMean, IsASentenceOrNothing) {
  constexpr std::array<std::string_view, 1> names{"seed"};
  EXPECT_EQ(didYouMean("sed", names), " Did you mean \"seed\"?");
  EXPECT_EQ(didYouMean("colour", names), "");
}

}  // namespace
}  // namespace nearmiss::engine
