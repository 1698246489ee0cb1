// SPDX-License-Identifier: MIT
/// The words of the progress line: what they promise of the time left.
#include "console/build_stage_text.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace nearmiss::app {
namespace {

TEST(BuildStageText, TellsTheTimeLeftOfAStageAtItsPace) {
  StageStart start;
  EXPECT_EQ(describe(BuildStage::Structure, 0.0f, 2.0, start), "building trees 0 %, 2.0 s");
  // Too early to tell
  EXPECT_EQ(describe(BuildStage::Structure, 0.5f, 2.3, start), "building trees 50 %, 2.3 s");
  // A quarter took 2 seconds, so that three quarters take 6
  EXPECT_EQ(describe(BuildStage::Structure, 0.25f, 4.0, start),
            "building trees 25 %, 4.0 s, 6 s left of it");
  EXPECT_EQ(describe(BuildStage::Structure, 0.5f, 6.0, start),
            "building trees 50 %, 6.0 s, 4 s left of it");
}

TEST(BuildStageText, StartsAgainWithEachStage) {
  StageStart start;
  EXPECT_EQ(describe("done", 0.0f, 0.0, start), "done 0 %, 0.0 s");
  // First seen half done: the other half took no one knows how long
  EXPECT_EQ(describe(BuildStage::Axis, 0.5f, 10.0, start), "finding the medial axis 50 %, 10.0 s");
  EXPECT_EQ(describe(BuildStage::Axis, 0.75f, 15.0, start),
            "finding the medial axis 75 %, 15.0 s, 5 s left of it");
  EXPECT_EQ(describe(BuildStage::Axis, 0.0f, 16.0, start), "finding the medial axis 0 %, 16.0 s");
}

TEST(BuildStageText, HasWordsOfItsOwnForEveryStage) {
  std::set<std::string_view> names;
  for (int stage = 0; stage <= static_cast<int>(BuildStage::Done); ++stage) {
    const std::string_view name = nameOf(static_cast<BuildStage>(stage));
    EXPECT_FALSE(name.empty()) << stage;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace nearmiss::app
