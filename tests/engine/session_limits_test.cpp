// SPDX-License-Identifier: MIT
/// Session files that ask for more than their bytes can stand for: refused in time and in little
/// memory. They are written by the project's own format, and then edited.
#include <engine/session/session.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/session_format.h"
#include "support/files.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;

SessionScene anyScene() {
  return {true, "name = \"a\"\n", "sphere-tree", {{"torus", 7, "octree", 9}}};
}

std::string sceneItem() {
  std::string items;
  appendScene(anyScene(), {{"build", "this one"}}, items);
  return items;
}

SessionFrame anyFrame() {
  SessionFrame frame;
  frame.dt = 0.02;
  frame.detectStep = 0.01;
  frame.granted.resize(2);
  frame.granted[1].pairs = {{{0, 1}, 3}, {{0, 2}, 1}};
  frame.granted[1].postponed = {{{1, 2}, {0.5, 4}}};
  frame.granted[1].postponedBodies = {{2, {0.25, 1}}};
  frame.ships = {11, 12, 13};
  return frame;
}

std::string frameItem(const SessionFrame& frame) {
  std::string items;
  appendFrame(frame, {}, items);
  return items;
}

class SessionLimits : public testing::Test {
 protected:
  Result<RecordedSession> readBlocks(const std::vector<std::string>& blocks, std::uint64_t frames) {
    std::string bytes = sessionBeginning();
    for (const std::string& items : blocks) bytes += packedBlock(items);
    bytes += sessionEnd(frames);
    bytes_ = bytes.size();
    return RecordedSession::read(writeText(folder_ / "crafted.session", bytes));
  }

  void expectRefused(const std::vector<std::string>& blocks, const char* what) {
    const auto read = readBlocks(blocks, 1);
    ASSERT_FALSE(read) << what;
    EXPECT_EQ(read.error().code, ErrorCode::BadFormat) << what;
    EXPECT_THAT(read.error().message, HasSubstr("makes no sense in block 1")) << what;
  }

  TemporaryFolder folder_;
  std::size_t bytes_ = 0;
};

/// Bytes that the program holds at most, so far.
std::size_t peakBytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST_F(SessionLimits, WhatIsWithinThemIsRead) {
  SessionFrame longest = anyFrame();
  longest.dt = maxFrameSeconds;
  auto read = readBlocks({sceneItem() + frameItem(anyFrame()), frameItem(longest)}, 2);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->frames(), 2u);
  EXPECT_EQ(read->frame(0).granted[1].pairs.size(), 2u);
  EXPECT_EQ(read->frame(1).dt, maxFrameSeconds);
  EXPECT_EQ(read->mostShips(), 3u);
  EXPECT_EQ(read->seconds(), 0.02 + maxFrameSeconds);
}

TEST_F(SessionLimits, EachBlockMayBeTheLastThatIsRead) {
  const std::vector<std::string> blocks(9, sceneItem() + frameItem(anyFrame()));
  ASSERT_TRUE(readBlocks(blocks, blocks.size()));
  for (std::size_t wanted = 0; wanted < 12; ++wanted) {
    std::vector<double> shares;
    const auto read = RecordedSession::read(folder_ / "crafted.session", [&](double share) {
      shares.push_back(share);
      return shares.size() <= wanted;
    });
    // Before each block, and before the end
    EXPECT_EQ(shares.size(), std::min<std::size_t>(wanted + 1, 10));
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GE(shares.front(), 0.0);
    EXPECT_LT(shares.back(), 1.0);
    ASSERT_EQ(read.has_value(), wanted >= 10);
    if (!read) {
      EXPECT_EQ(read.error().code, ErrorCode::Cancelled);
    }
  }
}

TEST_F(SessionLimits, ListsAreHeldAgainstTheBytesOfTheirElements) {
  // Each list of a frame says that it is as long as there are bytes after it
  constexpr std::size_t rest = 900'000;
  const std::string zeros(rest, '\0');
  struct Crafted {
    const char* what;
    std::function<void(PackedWriter&)> before;  ///< up to the count
  };
  const auto work = [](PackedWriter& to) {
    to.number(1);
    to.real(0.0);
    to.byte(1);
  };
  const std::array<Crafted, 5> lists{{{"detections", [](PackedWriter&) {}},
                                      {"ships", [](PackedWriter& to) { to.number(0); }},
                                      {"pairs", work},
                                      {"postponed pairs",
                                       [&work](PackedWriter& to) {
                                         work(to);
                                         to.number(0);
                                       }},
                                      {"postponed bodies", [&work](PackedWriter& to) {
                                         work(to);
                                         to.number(0);
                                         to.number(0);
                                       }}}};
  for (const Crafted& list : lists) {
    std::string items = sceneItem();
    PackedWriter to(items);
    to.byte(static_cast<std::uint8_t>(SessionItem::Frame));
    to.byte(0);
    to.number(0);
    list.before(to);
    to.number(rest);
    items += zeros;
    expectRefused({items}, list.what);

    // The refusal must come before anything is made
    SessionFrame frame;
    std::string head;
    PackedWriter toHead(head);
    toHead.byte(0);
    toHead.number(0);
    list.before(toHead);
    toHead.number(rest);
    PackedReader whole(head += zeros);
    EXPECT_FALSE(readFrame(whole, {}, frame)) << list.what;
    std::size_t made = frame.granted.size() * sizeof(GrantedWork) + 2 * frame.ships.size();
    for (const GrantedWork& each : frame.granted)
      made += each.pairs.size() * sizeof(GrantedPair) +
              each.postponed.size() * sizeof(PostponedPair) +
              each.postponedBodies.size() * sizeof(PostponedBody);
    EXPECT_LT(made, 1000u) << list.what;
  }
}

TEST_F(SessionLimits, DetectionsAreThoseOfAFrame) {
  SessionFrame frame = anyFrame();
  frame.granted.resize(maxDetections);
  EXPECT_TRUE(readBlocks({sceneItem() + frameItem(frame)}, 1));
  frame.granted.resize(maxDetections + 1);
  expectRefused({sceneItem() + frameItem(frame)}, "detections");
}

TEST_F(SessionLimits, FewBytesDoNotStandForMany) {
  // Zeros shrink to next to nothing: a frame of detections that were granted no work
  std::string items = sceneItem();
  PackedWriter to(items);
  to.byte(static_cast<std::uint8_t>(SessionItem::Frame));
  to.byte(0);
  to.number(0);
  constexpr std::size_t count = 8'000'000;
  to.number(count);
  items.append(12 * count, '\0');
  to.number(0);
  const std::string block = packedBlock(items);
  ASSERT_LT(block.size(), 20'000u);
  items = {};
  writeText(folder_ / "crafted.session", sessionBeginning() + block + sessionEnd(1));
  // What was made here had some 300 MB; detections would take 88 bytes each
  const std::size_t before = peakBytes();
  const auto read = RecordedSession::read(folder_ / "crafted.session");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("makes no sense in block 1"));
  EXPECT_LT(peakBytes() - before, std::size_t{64} << 20);
}

/// The writer keeps to what its reader takes: large frames, of few bytes when packed.
TEST_F(SessionLimits, WhateverAFlightIsWhatIsWrittenIsRead) {
  // Alone more than a small block; and many that are less
  using Flight = std::pair<std::size_t, std::uint64_t>;
  for (const auto& [ships, frames] : {Flight{2'200'000, 3}, Flight{300'000, 9}}) {
    SessionWriter writer;
    writer.begin(anyScene(), {});
    SessionFrame frame = anyFrame();
    frame.ships.assign(ships, 0);
    for (std::uint64_t n = 0; n < frames; ++n) writer.add(frame);
    ASSERT_TRUE(writer.saveCopy(folder_ / "large.session"));
    auto read = RecordedSession::read(folder_ / "large.session");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames(), frames);
    EXPECT_EQ(read->frame(frames - 1).ships.size(), ships);
    EXPECT_LT(std::filesystem::file_size(folder_ / "large.session"), frames * ships / 100);
    // What was taken back is written again
    writer.dropLast(2);
    writer.add(frame);
    ASSERT_TRUE(writer.saveCopy(folder_ / "large.session"));
    read = RecordedSession::read(folder_ / "large.session");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->frames(), frames - 1);
  }
}

/// What is recorded after a file is full is not in it, and what was before can be read.
class FullSession : public SessionLimits {
 protected:
  /// Records 130 frames, some scenes, a frame, and 130 others to a file of at most such sizes;
  /// returns what is read of it.
  Result<RecordedSession> recorded(const SessionSizes& most, const SessionFrame& large,
                                   std::uint64_t scenes) {
    SessionWriter writer(most);
    writer.begin(anyScene(), {});
    EXPECT_TRUE(writer.startFile(file_));
    for (std::uint64_t n = 0; n < 130; ++n) writer.add(anyFrame());
    for (std::uint64_t n = 0; n < scenes; ++n) writer.begin(anyScene(), {});
    writer.add(large);
    for (std::uint64_t n = 0; n < 130; ++n) writer.add(anyFrame());
    const auto said = writer.error();
    includesStart_ = writer.includesStart();
    const auto closed = writer.close();
    said_ = closed ? std::nullopt : std::optional(closed.error());
    frames_ = writer.framesInFile();
    if (said_) {
      EXPECT_EQ(said_->code, ErrorCode::TooLarge);
    }
    if (said) {
      EXPECT_EQ(said->message, said_.value_or(Error{}).message);
    }
    auto read = RecordedSession::read(file_);
    EXPECT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->warning(), "");
    EXPECT_EQ(read->frames(), frames_);
    return read;
  }

  const std::filesystem::path file_ = folder_ / "full.session";
  std::optional<Error> said_;
  std::uint64_t frames_ = 0;
  bool includesStart_ = false;
};

TEST_F(FullSession, IsNoneBelowTheLimits) {
  (void)recorded({}, anyFrame(), 2);
  EXPECT_FALSE(said_);
  EXPECT_EQ(frames_, 261u);
  EXPECT_TRUE(includesStart_);
}

TEST_F(FullSession, EndsWithTheBlocksThatFitIntoAFile) {
  (void)recorded({}, anyFrame(), 0);
  const std::uint64_t whole = std::filesystem::file_size(file_);
  std::uint64_t before = 261;
  for (const std::uint64_t size : {whole, whole - 1, whole / 2}) {
    (void)recorded({.file = size}, anyFrame(), 0);
    EXPECT_LE(std::filesystem::file_size(file_), size);
    EXPECT_EQ(said_.has_value(), size < whole);
    EXPECT_TRUE(size == whole ? frames_ == 261 : frames_ < before && frames_ % 60 == 0);
    EXPECT_TRUE(includesStart_) << "memory has all";
    before = frames_;
  }
}

TEST_F(FullSession, EndsBeforeAFrameThatIsTooLarge) {
  SessionFrame large = anyFrame();
  large.ships.assign(20'000, 5);
  const std::size_t own = frameItem(large).size();
  // A block of its own is enough for what leaves no room for others
  auto read = recorded({.block = own}, large, 0);
  EXPECT_FALSE(said_);
  EXPECT_EQ(frames_, 261u);
  EXPECT_EQ(read->frame(130).ships.size(), 20'000u);
  EXPECT_TRUE(includesStart_);
  read = recorded({.block = own - 1}, large, 0);
  ASSERT_TRUE(said_);
  EXPECT_THAT(said_->message, HasSubstr("stopped after 130 frames: the next is larger"));
  EXPECT_EQ(frames_, 130u);
  EXPECT_FALSE(includesStart_);
}

TEST_F(FullSession, EndsBeforeScenesThatAreTooLarge) {
  const std::size_t own = sceneItem().size();
  (void)recorded({.scenesInAll = 3 * own}, anyFrame(), 2);
  EXPECT_FALSE(said_);
  (void)recorded({.scenesInAll = 3 * own}, anyFrame(), 5);
  ASSERT_TRUE(said_);
  EXPECT_THAT(said_->message, HasSubstr("scenes"));
  EXPECT_EQ(frames_, 130u);
}

TEST_F(SessionLimits, FramesOfABlockAreCounted) {
  const std::string one = frameItem(anyFrame());
  std::string block = sceneItem();
  for (std::uint64_t n = 0; n < SessionFrame::framesPerBlock; ++n) block += one;
  EXPECT_TRUE(readBlocks({block}, SessionFrame::framesPerBlock));
  expectRefused({block + one}, "a frame more");
}

TEST_F(SessionLimits, TimesAreOfAFrame) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real time : {std::nextafter(maxFrameSeconds, infinity), 1e9, 1e300, infinity, -1.0,
                          std::numeric_limits<Real>::quiet_NaN()}) {
    SessionFrame frame = anyFrame();
    frame.dt = time;
    expectRefused({sceneItem() + frameItem(frame)}, "dt");
    frame = anyFrame();
    frame.detectStep = time;
    expectRefused({sceneItem() + frameItem(frame)}, "detectStep");
  }
}

TEST_F(SessionLimits, HandsPutShipsWhereFlightsCanBe) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const auto putting = [](const Vec3& position, const Vec3& velocity) {
    SessionFrame frame = anyFrame();
    frame.acts = {{HandAct::Kind::Put, 1, position, velocity}};
    return sceneItem() + frameItem(frame);
  };
  EXPECT_TRUE(readBlocks({putting({maxActSize, 0, 0}, {0, -maxActSize, 0})}, 1));
  for (const Real size : {std::nextafter(maxActSize, infinity), -1e37, 1e50, infinity,
                          std::numeric_limits<Real>::quiet_NaN()}) {
    expectRefused({putting({0, size, 0}, {0, 0, 0})}, "position");
    expectRefused({putting({0, 0, 0}, {0, 0, size})}, "velocity");
    SessionFrame frame = anyFrame();
    frame.acts = {{HandAct::Kind::Push, 1, {}, {size, 0, 0}}};
    expectRefused({sceneItem() + frameItem(frame)}, "push");
  }
}

TEST_F(SessionLimits, ScenesHaveTheLengthOfScenes) {
  SessionScene scene = anyScene();
  scene.text.assign(SessionSizes{}.scene, '#');
  std::string items;
  appendScene(scene, {}, items);
  expectRefused({items + frameItem(anyFrame())}, "a scene that is too long");

  // Many long ones, each of which may be
  scene.text.assign(SessionSizes{}.scene - 1000, '#');
  items.clear();
  appendScene(scene, {}, items);
  ASSERT_TRUE(readBlocks({items + frameItem(anyFrame())}, 1));
  std::vector<std::string> blocks;
  for (int n = 0; n < 80; ++n) blocks.push_back(items + frameItem(anyFrame()));
  const auto read = readBlocks(blocks, blocks.size());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("makes no sense in block 6"));
  EXPECT_LT(bytes_, 100'000u);
}

TEST_F(SessionLimits, OnlyFilesAreRead) {
  const auto endless = RecordedSession::read("/dev/zero");
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().code, ErrorCode::Unreadable);
  std::filesystem::create_directory(folder_ / "folder.session");
  EXPECT_FALSE(RecordedSession::read(folder_ / "folder.session"));
}

TEST_F(SessionLimits, AFileOfManyGibibytesIsRefusedUnread) {
  writeText(folder_ / "large.session", sessionBeginning());
  std::error_code failed;
  std::filesystem::resize_file(folder_ / "large.session", (std::uintmax_t{4} << 30) + 1, failed);
  if (failed) GTEST_SKIP() << "no file of this size here";
  const auto read = RecordedSession::read(folder_ / "large.session");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::TooLarge);
}

}  // namespace
}  // namespace nearmiss::engine
