// SPDX-License-Identifier: MIT
/// The files of a flight: where they go, and what is said where they cannot go there.
#include "fly/records/flight_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/files.h"

namespace nearmiss::app::fly {
namespace {

using testing::HasSubstr;

class WorkingFolder {
 public:
  explicit WorkingFolder(const std::filesystem::path& folder)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST(FreshFile, IsOneThatThereIsNotInTheWorkingFolder) {
  const test::TemporaryFolder folder;
  const WorkingFolder here(folder.path());
  std::filesystem::path last;
  for (int i = 0; i < 5; ++i) {
    const std::filesystem::path file = freshFile("nearmiss", ".png");
    EXPECT_NE(file, last);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_FALSE(file.has_parent_path());
    last = test::writeText(file, "taken");
  }
}

/// A key is pressed in flight, where nobody can choose another folder any more.
TEST(Recorder, SaysWhatToDoWhereTheFolderTakesNoFiles) {
  // In /proc nobody makes files, whoever they are
  const WorkingFolder here("/proc");
  Recorder recorder;
  const auto profile = recorder.toggle({});
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("cannot write \"nearmiss-profile-"));
  EXPECT_THAT(profile.error().message, HasSubstr("started in, \"/proc\": start it in one that"));
  EXPECT_FALSE(recorder.recording());
}

TEST(Recorder, SaysWhatToDoWhereTheFolderIsGone) {
  const std::filesystem::path gone =
      std::filesystem::temp_directory_path() / ("nearmiss-gone-" + std::to_string(::getpid()));
  std::filesystem::create_directory(gone);
  const WorkingFolder here(gone);
  std::filesystem::remove(gone);
  const auto profile = Recorder().toggle({});
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("started in: start it in one that"));
}

TEST(Recorder, RecordsBetweenTwoPresses) {
  const test::TemporaryFolder folder;
  const WorkingFolder here(folder.path());
  Recorder recorder;
  const auto begun = recorder.toggle({{"scene", "lamps"}});
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_TRUE(recorder.recording());
  engine::FrameProfile frame;
  frame.detector = "bsp";
  recorder.add(frame);
  const auto ended = recorder.toggle({});
  ASSERT_TRUE(ended);
  EXPECT_EQ(*ended, *begun);
  EXPECT_FALSE(recorder.recording());
  recorder.add(frame);
  const std::string text = test::readText(*ended);
  EXPECT_THAT(text, HasSubstr("# scene: lamps\n"));
  EXPECT_EQ(text.find(",bsp,"), text.rfind(",bsp,"));
  EXPECT_NE(text.find(",bsp,"), std::string::npos);
}

TEST(Recorder, KnowsWhetherFramesGoIntoAFile) {
  const test::TemporaryFolder folder;
  const WorkingFolder here(folder.path());
  Recorder recorder;
  EXPECT_FALSE(recorder.recordsFrames());
  ASSERT_TRUE(recorder.toggle({}));
  EXPECT_TRUE(recorder.recordsFrames());
  ASSERT_TRUE(recorder.toggle({}));
  EXPECT_FALSE(recorder.recordsFrames());
}

/// Two keys within a second, the second before the first picture is written.
TEST(ScreenshotWorker, GivesEveryPictureItsOwnFile) {
  const test::TemporaryFolder folder;
  const WorkingFolder here(folder.path());
  constexpr int side = 200;
  const std::vector<std::uint8_t> grey(3 * side * side, 128);
  ScreenshotWorker pictures;
  for (int i = 0; i < 3; ++i) pictures.writeFresh("picture", side, side, grey);
  pictures.wait();
  std::set<std::filesystem::path> files;
  while (const auto shot = pictures.take()) {
    EXPECT_EQ(shot->error, "");
    files.insert(shot->file);
  }
  EXPECT_EQ(files.size(), 3u);
  for (const std::filesystem::path& file : files) EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Recorder, WritesTheRestWhereOneFileFails) {
  const test::TemporaryFolder folder;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  Options options;
  options.records.profile = "/dev/fd/" + std::to_string(ends[1]);
  options.records.summary = folder / "summary.json";
  options.records.trace = folder / "trace.json";
  Recorder recorder;
  ASSERT_TRUE(recorder.begin(options, {}));
  // Nobody reads the profile any more
  ::close(ends[0]);
  recorder.add({});
  const auto written = recorder.finish(options, {}, 0);
  ::close(ends[1]);
  std::signal(SIGPIPE, ignored);
  EXPECT_FALSE(written);
  EXPECT_TRUE(std::filesystem::exists(options.records.summary));
  EXPECT_TRUE(std::filesystem::exists(options.records.trace));
}

}  // namespace
}  // namespace nearmiss::app::fly
