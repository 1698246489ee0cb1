// SPDX-License-Identifier: MIT
/// Scenes that no session can hold, and what becomes of the files that are to have them.
#include <engine/scene/utf8.h>
#include <engine/session/session.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <string>

#include "session/session_format.h"
#include "support/files.h"

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;

SessionScene smallScene() {
  return {true, "name = \"small\"\n", "sphere-tree", {{"torus", 7, "octree", 9}}};
}

SessionFrame twoShips() {
  SessionFrame frame;
  frame.dt = 0.02;
  frame.detectStep = 0.01;
  frame.ships = {11, 12};
  return frame;
}

TEST(RefusedSession, BeginsWithNoSceneThatItCannotHold) {
  const nearmiss::test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "refused.session";
  std::string item;
  appendScene(smallScene(), {{"build", "this one"}}, item);
  SessionScene unnamed = smallScene();
  unnamed.text = "name = \"caf\xe9\"\n";
  SessionWriter small(SessionSizes{.scene = item.size() - 1}), usual;
  small.begin(smallScene(), {{"build", "this one"}});
  usual.begin(unnamed, {});
  EXPECT_THAT(std::string(small.refusal()), HasSubstr("larger"));
  EXPECT_THAT(std::string(usual.refusal()), HasSubstr("not UTF-8"));
  for (SessionWriter* writer : {&small, &usual}) {
    EXPECT_FALSE(writer->includesStart());
    for (const auto& kept : {writer->startFile(file), writer->saveCopy(file)}) {
      ASSERT_FALSE(kept);
      EXPECT_EQ(kept.error().message, writer->refusal());
    }
    EXPECT_FALSE(writer->writing());
    EXPECT_FALSE(std::filesystem::exists(file));
  }

  // The next can be, and one that cannot ends its file
  usual.begin(smallScene(), {});
  EXPECT_TRUE(usual.includesStart() && usual.refusal().empty());
  ASSERT_TRUE(usual.startFile(file));
  for (std::uint64_t n = 0; n < 70; ++n) usual.add(twoShips());
  unnamed.restart = false;
  usual.begin(unnamed, {});
  for (std::uint64_t n = 0; n < 70; ++n) usual.add(twoShips());
  const auto closed = usual.close();
  ASSERT_FALSE(closed);
  EXPECT_THAT(closed.error().message, HasSubstr("stopped after 70 frames: a model of the scene"));
  const auto read = RecordedSession::read(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->frames(), 70u);
}

TEST(SessionText, IsUtf8WhereEveryCharacterIsAsShortAsItCanBe) {
  for (const char* text : {"", "a/b.obj", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x9a\x80 x"})
    EXPECT_TRUE(isUtf8(text)) << text;
  for (const char* text : {"caf\xe9", "caf\xe9.obj", "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x82"})
    EXPECT_FALSE(isUtf8(text)) << text;
}

/// A flight may be flown back over any number of times.
TEST(RefusedSession, ScenesThatWereTakenBackTakeNoRoom) {
  std::string item;
  appendScene(smallScene(), {}, item);
  // One that goes on says so in a byte more
  SessionWriter writer(SessionSizes{.scenesInAll = 3 * item.size() + 2});
  writer.begin(smallScene(), {});
  SessionScene again = smallScene();
  again.restart = false;
  const auto fly = [&](int frames) {
    for (int i = 0; i < frames; ++i) writer.add(twoShips());
  };
  fly(10);
  for (int round = 0; round < 9; ++round) {
    writer.begin(again, {});
    fly(70);
    // Within the first block with the scene, then before it
    writer.dropLast(50);
    writer.dropLast(20);
    ASSERT_TRUE(writer.includesStart()) << round;
    EXPECT_EQ(writer.framesKept(), 10u);
  }
  for (const bool known : {true, true, false}) {
    writer.begin(again, {});
    EXPECT_EQ(writer.includesStart(), known);
  }
}

TEST(RefusedSession, IsNoneBecauseOfTheTimesThatAFrameAsksFor) {
  const nearmiss::test::TemporaryFolder folder;
  constexpr Real endless = std::numeric_limits<Real>::infinity();
  SessionWriter writer;
  writer.begin(smallScene(), {});
  ASSERT_TRUE(writer.startFile(folder / "long.session"));
  FrameInput input;
  for (const Real time : {16'000.0, -1.0, endless, 0.5}) {
    input.dt = input.detectStep = time;
    writer.add(input, {}, Ships());
  }
  ASSERT_TRUE(writer.close());
  auto read = RecordedSession::read(folder / "long.session");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->frames(), 4u);
  for (const std::uint64_t n : {0u, 1u, 2u, 3u}) {
    const Real flown = std::array{maxFrameSeconds, 0.0, 0.0, 0.5}.at(n);
    EXPECT_EQ(read->frame(n).dt, flown);
    EXPECT_EQ(read->frame(n).detectStep, flown);
  }
}

/// The block under way may be what memory has no room for.
TEST(RefusedSession, HasItsStartOrIsNotWritten) {
  const nearmiss::test::TemporaryFolder folder;
  for (const bool copies : {true, false}) {
    SessionWriter writer(SessionSizes{.kept = 1000});
    writer.begin(smallScene(), {});
    SessionFrame frame = twoShips();
    frame.ships.resize(2000);
    for (std::uint16_t& digest : frame.ships)
      digest = static_cast<std::uint16_t>(40'503 * (&digest - frame.ships.data()) >> 3);
    writer.add(frame);
    ASSERT_TRUE(writer.includesStart());
    const std::filesystem::path file = folder / "flight.session";
    const auto kept = copies ? writer.saveCopy(file) : writer.startFile(file);
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(kept.error().message, HasSubstr("too long"));
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

}  // namespace
}  // namespace nearmiss::engine
