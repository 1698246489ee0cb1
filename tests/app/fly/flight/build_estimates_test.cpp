// SPDX-License-Identifier: MIT
#include "fly/flight/build_estimates.h"

#include <gtest/gtest.h>
#include <nearmiss/rivals/tree_builders.h>

#include <array>
#include <string>
#include <vector>

namespace nearmiss::app::fly {
namespace {

TEST(BuildEstimates, GrowWithTheModelForEveryBuilder) {
  const BuildEstimates estimates;
  std::vector<std::string> builders{std::string(BuildEstimates::bsp)};
  for (const auto& entry : sphereTreeBuilderCatalog()) builders.emplace_back(entry.name);
  for (const std::string& builder : builders) {
    const std::array small{std::size_t{600}}, large{std::size_t{60'000}};
    EXPECT_EQ(estimates.secondsFor(builder, {}), 0.0);
    EXPECT_GT(estimates.secondsFor(builder, small), 0.0) << builder;
    EXPECT_GT(estimates.secondsFor(builder, large), estimates.secondsFor(builder, small));
  }
}

TEST(BuildEstimates, LearnFromBuildsOfThatBuilder) {
  BuildEstimates estimates;
  const std::array shapes{std::size_t{626}, std::size_t{10'172}};
  const double octree = estimates.secondsFor("octree", shapes);
  estimates.learn("medial", shapes, 47.0);
  EXPECT_DOUBLE_EQ(estimates.secondsFor("medial", shapes), 47.0);
  const std::array half{std::size_t{626}};
  EXPECT_LT(estimates.secondsFor("medial", half), 47.0);
  EXPECT_EQ(estimates.secondsFor("octree", shapes), octree);
  estimates.learn("octree", {}, 3.0);
  EXPECT_EQ(estimates.secondsFor("octree", shapes), octree) << "nothing was built";
}

TEST(BuildEstimates, AreRoundedInWords) {
  EXPECT_EQ(estimateText(0.3), "less than 1 s");
  EXPECT_EQ(estimateText(4.7), "about 5 s");
  EXPECT_EQ(estimateText(47.0), "about 50 s");
  EXPECT_EQ(estimateText(130.0), "about 2 min");
}

}  // namespace
}  // namespace nearmiss::app::fly
