// SPDX-License-Identifier: MIT
/// Whole files within a limit: one of as many bytes is read, one of a byte more is not, whether it
/// announces its size or not.
#include <gtest/gtest.h>
#include <nearmiss/detail/file_bytes.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <thread>

#include "support/files.h"

namespace nearmiss {
namespace {

TEST(ReadFile, TakesAsManyBytesAsTheLimitAndNotOneMore) {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {0u, 1u, 65'535u, 65'536u, 65'537u, 200'000u}) {
    const std::string whole(size, 'x');
    test::writeText(folder / "a", whole);
    std::string bytes = "of before";
    EXPECT_EQ(readFile(folder / "a", size, bytes), 0) << size;
    EXPECT_EQ(bytes, whole);
    if (size > 0) {
      EXPECT_EQ(readFile(folder / "a", size - 1, bytes), EFBIG) << size;
    }
  }
}

TEST(ReadFile, RefusesAFolder) {
  const test::TemporaryFolder folder;
  std::string bytes = "of before";
  EXPECT_EQ(readFile(folder.path(), 1 << 20, bytes), EISDIR);
  EXPECT_EQ(bytes, "");
}

/// The end of a file is no error, whatever number the last one left.
TEST(ReadFile, EndsWhereTheFileDoesAfterAnInterruptedCall) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "a", "whole");
  std::string bytes;
  errno = EINTR;
  EXPECT_EQ(readFile(folder / "a", 100, bytes), 0);
  EXPECT_EQ(bytes, "whole");
}

TEST(ReadFile, LimitsWhatAnnouncesNothing) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string whole(1000, 'x');
  for (const std::size_t most : {1000u, 999u}) {
    const std::jthread writer([&] { test::writeText(folder / "pipe", whole); });
    std::string bytes;
    EXPECT_EQ(readFile(folder / "pipe", most, bytes), most < whole.size() ? EFBIG : 0) << most;
    if (most == whole.size()) {
      EXPECT_EQ(bytes, whole);
    }
  }
}

}  // namespace
}  // namespace nearmiss
