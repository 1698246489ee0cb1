// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/file_replacement.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

#include "support/files.h"

namespace nearmiss {
namespace {

namespace fs = std::filesystem;
using test::readText;
using test::writeText;

int replace(const fs::path& file, const std::string& text) {
  return replaceFile(file, {std::as_bytes(std::span(text)), std::as_bytes(std::span(text))});
}

mode_t modeOf(const fs::path& file) {
  struct stat about {};
  EXPECT_EQ(::lstat(file.c_str(), &about), 0);
  return about.st_mode;
}

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// A number that no process has any more.
pid_t deadProcess() {
  const pid_t process = ::fork();
  if (process == 0) ::_exit(0);
  ::waitpid(process, nullptr, 0);
  return process;
}

void age(const fs::path& file, int seconds) {
  const timeval time{::time(nullptr) - seconds, 0};
  const timeval times[2] = {time, time};
  ASSERT_EQ(::utimes(file.c_str(), times), 0);
}

TEST(FileReplacement, WritesNewFilesAndReplacesOldOnes) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(checkReplacement(folder / "a"), 0);
  EXPECT_FALSE(fs::exists(folder / "a")) << "a question must not make the file";
  EXPECT_EQ(replace(folder / "a", "one"), 0);
  EXPECT_EQ(readText(folder / "a"), "oneone");
  EXPECT_EQ(replace(folder / "a", "2"), 0);
  EXPECT_EQ(readText(folder / "a"), "22");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(FileReplacement, KeepsTheMode) {
  const test::TemporaryFolder folder;
  const mode_t before = ::umask(022);
  for (const mode_t mode : {0600u, 0640u, 0444u, 0755u, 0666u}) {
    writeText(folder / "a", "old");
    ASSERT_EQ(::chmod((folder / "a").c_str(), mode), 0);
    if (::geteuid() != 0 && (mode & 0200) == 0) continue;
    EXPECT_EQ(replace(folder / "a", "new"), 0);
    EXPECT_EQ(modeOf(folder / "a") & 07777, mode);
    fs::remove(folder / "a");
  }
  EXPECT_EQ(replace(folder / "fresh", "new"), 0);
  EXPECT_EQ(modeOf(folder / "fresh") & 07777, 0644u);
  ::umask(before);
}

TEST(FileReplacement, WritesThroughLinks) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  writeText(folder / "deep" / "real", "old");
  fs::create_symlink("deep/real", folder / "near");
  fs::create_symlink(folder / "near", folder / "far");
  EXPECT_EQ(checkReplacement(folder / "far"), 0);
  EXPECT_EQ(replace(folder / "far", "new"), 0);
  EXPECT_TRUE(fs::is_symlink(folder / "far"));
  EXPECT_TRUE(fs::is_symlink(folder / "near"));
  EXPECT_EQ(readText(folder / "deep" / "real"), "newnew");

  // A link to what is not there yet makes it
  fs::create_symlink("deep/fresh", folder / "dangling");
  EXPECT_EQ(replace(folder / "dangling", "x"), 0);
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(readText(folder / "deep" / "fresh"), "xx");
  fs::create_symlink("circle", folder / "circle");
  EXPECT_EQ(replace(folder / "circle", "x"), ELOOP);
  EXPECT_EQ(checkReplacement(folder / "circle"), ELOOP);
}

TEST(FileReplacement, StreamsIntoPipesAndDevices) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(checkReplacement(folder / "pipe"), 0);
  std::string got;
  std::jthread reader([&] { got = readText(folder / "pipe"); });
  EXPECT_EQ(replace(folder / "pipe", std::string(100'000, 'x')), 0);
  reader.join();
  EXPECT_EQ(got, std::string(200'000, 'x'));
  EXPECT_TRUE(S_ISFIFO(modeOf(folder / "pipe")));
  EXPECT_EQ(filesIn(folder.path()), 1u);

  EXPECT_EQ(replace("/dev/null", "x"), 0);
  EXPECT_EQ(replace("/dev/full", "x"), ENOSPC);
  EXPECT_TRUE(S_ISCHR(modeOf("/dev/null")) && S_ISCHR(modeOf("/dev/full")));
}

TEST(FileReplacement, SaysWhatIsInTheWay) {
  const test::TemporaryFolder folder;
  writeText(folder / "file", "old");
  for (const auto look : {+[](const fs::path& file) { return checkReplacement(file); },
                          +[](const fs::path& file) { return replace(file, "new"); }}) {
    EXPECT_EQ(look(folder.path()), EISDIR);
    EXPECT_EQ(look(folder / "no" / "file"), ENOENT);
    EXPECT_EQ(look(folder / "file" / "below"), ENOTDIR);
    EXPECT_EQ(look(""), ENOENT);
    EXPECT_EQ(look(folder / std::string(300, 'x')), ENAMETOOLONG);
  }
  EXPECT_EQ(replace(folder / std::string(255, 'x'), "long"), 0) << "as long as a name may be";

  // Rights count as they are for whoever runs this: root has them all, and lays them down here
  const bool root = ::geteuid() == 0;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  ASSERT_EQ(::chmod((folder / "file").c_str(), 0444), 0);
  if (root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  EXPECT_EQ(checkReplacement(folder / "file"), EACCES);
  EXPECT_EQ(replace(folder / "file", "new"), EACCES);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_EQ(::chmod((folder / "file").c_str(), 0666), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  if (root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  EXPECT_EQ(checkReplacement(folder / "fresh"), EACCES);
  EXPECT_EQ(replace(folder / "fresh", "new"), EACCES);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(readText(folder / "file"), "old");
}

TEST(FileReplacement, LeavesTheOldFileWhenTheDiskIsFull) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const int error = replace(folder / "a", std::string(900, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(readText(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(FileReplacement, SweepsUpWhatKilledWritersLeft) {
  const test::TemporaryFolder folder;
  const std::string dead = std::to_string(deadProcess()), alive = std::to_string(::getppid());
  struct Case {
    std::string name;
    int seconds;
    bool swept;
  };
  const std::vector<Case> cases{
      {"a.tree.new-" + dead + "-0", 120, true},
      {"a.tree.new-" + dead + "-17", 120, true},
      {"a.tree.new-" + dead + "-1", 5, false},          // of another container, perhaps
      {"a.tree.new-" + alive + "-0", 120, false},       // at work
      {"a.tree.new-" + alive + "-1", 2 * 86400, true},  // its number belongs to another by now
      {"a.tree.new-" + dead, 120, false},               // none of ours
      {"a.tree.new-" + dead + "-x", 120, false},
      {"a.tree.new-" + dead + "-0.bak", 120, false},
      {"a.tree.new-0-0", 2 * 86400, false},
      {"a.tree.new--5-0", 120, false},
      {"a.tree", 2 * 86400, false},
      {"b.txt.new-" + dead + "-0", 120, false},  // beside another file
  };
  const auto lay = [&] {
    for (const Case& each : cases) {
      writeText(folder / each.name, "x");
      age(folder / each.name, each.seconds);
    }
  };
  const auto look = [&](const char* by) {
    for (const Case& each : cases)
      EXPECT_EQ(fs::exists(folder / each.name), !each.swept) << each.name << " by " << by;
  };
  lay();
  removeLeftovers(folder.path(), ".tree");
  look("removeLeftovers");
  lay();
  EXPECT_EQ(replace(folder / "a.tree", "x"), 0);
  look("replaceFile");
  removeLeftovers(folder / "nowhere", ".tree");
  fs::create_directory(folder / ("c.tree.new-" + dead + "-0"));
  age(folder / ("c.tree.new-" + dead + "-0"), 120);
  removeLeftovers(folder.path(), ".tree");
  EXPECT_TRUE(fs::exists(folder / ("c.tree.new-" + dead + "-0"))) << "folders are not ours";
  const fs::path link = folder / ("d.tree.new-" + dead + "-0");
  fs::create_symlink(folder / "a.tree", link);
  const timespec old{::time(nullptr) - 120, 0};
  const timespec times[2] = {old, old};
  ASSERT_EQ(::utimensat(AT_FDCWD, link.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  removeLeftovers(folder.path(), ".tree");
  EXPECT_TRUE(fs::is_symlink(link)) << "nor are links";
}

/// Whatever number looking at the one before has left.
TEST(FileReplacement, KeepsWhatTheLivingWriteBesideWhatTheDeadLeft) {
  const test::TemporaryFolder folder;
  const std::string dead = std::to_string(deadProcess()), alive = std::to_string(::getppid());
  for (int k = 0; k < 12; ++k) {
    const std::string name = "a.tree.new-" + (k % 2 == 0 ? dead : alive) + "-" + std::to_string(k);
    writeText(folder / name, "x");
    age(folder / name, 120);
  }
  removeLeftovers(folder.path(), ".tree");
  EXPECT_EQ(filesIn(folder.path()), 6u);
}

TEST(FileReplacement, GivesUpWhereAllNamesAreTaken) {
  const test::TemporaryFolder folder;
  for (int k = 0; k < 100; ++k)
    writeText(folder / ("a.new-" + std::to_string(::getpid()) + "-" + std::to_string(k)), "x");
  EXPECT_EQ(replace(folder / "a", "x"), EEXIST);
  EXPECT_FALSE(fs::exists(folder / "a"));
  EXPECT_EQ(filesIn(folder.path()), 100u);
}

TEST(FileReplacement, LeavesOldOrNewWhenItIsKilled) {
  const test::TemporaryFolder folder;
  const std::string one(50'000, '1'), two(50'000, '2');
  ASSERT_EQ(replace(folder / "a", one), 0);
  std::size_t old = 0, fresh = 0;
  for (int round = 0; round < 40; ++round) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      for (int i = 0;; ++i) (void)replace(folder / "a", i % 2 == 0 ? two : one);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200 * round));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    const std::string text = readText(folder / "a");
    ASSERT_TRUE(text == one + one || text == two + two) << text.size();
    ++(text == one + one ? old : fresh);
  }
  EXPECT_GT(old, 0u);
  EXPECT_GT(fresh, 0u);
}

}  // namespace
}  // namespace nearmiss
