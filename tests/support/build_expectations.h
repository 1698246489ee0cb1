// SPDX-License-Identifier: MIT
/// Builds of sphere trees that must fail: called off half-way, or asked for what they cannot meet.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>

#include <span>
#include <thread>

namespace nearmiss::test {

/// Calls `build(progress)` off at each of its stages and expects that it ends as cancelled.
inline void expectCancellable(const auto& build) {
  for (const BuildStage stage :
       {BuildStage::Waiting, BuildStage::Structure, BuildStage::Hausdorff}) {
    // On a busy machine the watcher may come too late for a short stage: then the build is whole
    bool cancelled = false;
    for (int attempt = 0; attempt < 50 && !cancelled; ++attempt) {
      BuildProgress progress;
      progress.cancelled = stage == BuildStage::Waiting;
      std::jthread watcher([&] {
        while (progress.stage < stage) std::this_thread::yield();
        progress.cancelled = true;
      });
      const Result<SphereTree> tree = build(progress);
      cancelled = !tree;
      if (cancelled) {
        EXPECT_EQ(tree.error().code, ErrorCode::Cancelled);
      }
    }
    EXPECT_TRUE(cancelled);
  }
}

/// Expects that `build(settings)` refuses each of the settings in words.
inline void expectRefused(std::span<const SphereTreeSettings> refused, const auto& build) {
  for (const SphereTreeSettings& settings : refused) {
    const Result<SphereTree> tree = build(settings);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
    EXPECT_NE(tree.error().message, "");
  }
}

}  // namespace nearmiss::test
