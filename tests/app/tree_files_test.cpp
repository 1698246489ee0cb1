// SPDX-License-Identifier: MIT
/// Tree files from outside: written, described and proven, and refused where they are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>

#include "app/small_ships.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::writeText;
using testing::HasSubstr;

using CommandLine = test::SmallShips;

TEST_F(CommandLine, BuildsDescribesAndProvesTrees) {
  const Outcome built = run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "3"});
  ASSERT_EQ(built.exitCode, 0) << built.err;
  EXPECT_THAT(built.out, HasSubstr("coverage guaranteed"));
  const Outcome info = run({"tree", "info", "torus.tree"});
  EXPECT_EQ(info.exitCode, 0);
  EXPECT_THAT(info.out, HasSubstr("builder variational, 120 triangles"));
  const Outcome proven = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(proven.exitCode, 0) << proven.err;
  EXPECT_THAT(proven.out, HasSubstr("coverage  holds"));
  EXPECT_THAT(proven.out, HasSubstr("bounds    hold"));
  const Outcome other = run({"tree", "check", "torus.tree", "star.obj"});
  EXPECT_EQ(other.exitCode, 4);
  EXPECT_THAT(other.err, HasSubstr("from another mesh"));
}

TEST_F(CommandLine, RefusesDamagedTrees) {
  ASSERT_EQ(run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2"}).exitCode, 0);
  const std::string whole = readText(home() / "torus.tree");
  for (const std::size_t place : {std::size_t{3}, std::size_t{20}, whole.size() / 2}) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    writeText(home() / "flipped.tree", flipped);
    EXPECT_EQ(run({"tree", "check", "flipped.tree", "torus.obj"}).exitCode, 3) << place;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{31}, whole.size() - 1}) {
    writeText(home() / "cut.tree", whole.substr(0, length));
    EXPECT_EQ(run({"tree", "info", "cut.tree"}).exitCode, 3) << length;
  }
}

TEST_F(CommandLine, WritesThroughLinksAndIntoPipes) {
  writeText(home() / "real.tree", "old");
  std::filesystem::permissions(home() / "real.tree", std::filesystem::perms(0600));
  std::filesystem::create_symlink("real.tree", home() / "link.tree");
  const auto build = [this](const std::string& out) {
    return run({"tree", "build", "torus.obj", "-o", out, "--levels", "1", "--method", "octree"});
  };
  ASSERT_EQ(build("link.tree").exitCode, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(home() / "link.tree"));
  EXPECT_EQ(std::filesystem::status(home() / "real.tree").permissions(),
            std::filesystem::perms(0600));
  EXPECT_EQ(run({"tree", "check", "real.tree", "torus.obj"}).exitCode, 0);

  ASSERT_EQ(::mkfifo((home() / "pipe").c_str(), 0600), 0);
  std::string piped;
  std::jthread reader([&] { piped = readText(home() / "pipe"); });
  EXPECT_EQ(build("pipe").exitCode, 0);
  reader.join();
  EXPECT_EQ(piped.substr(0, 8), "NEARMISS");
  EXPECT_TRUE(std::filesystem::is_fifo(home() / "pipe"));

  const Outcome full = build("/dev/full");
  EXPECT_EQ(full.exitCode, 2);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace nearmiss
