// SPDX-License-Identifier: MIT
/// Tree files from outside: written, described and proven, and refused where they are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>

#include "app/running/small_ships.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

using CommandLine = test::SmallShips;

/// With one step of annealing spheres together are worse than the octree's on one of the models,
/// and both the build and the file say so.
TEST_F(CommandLine, TellsOfATreeWhoseBuilderGaveWay) {
  int gaveWay = 0;
  for (const char* model : {"torus.obj", "star.obj"}) {
    const Outcome built = run({"tree", "build", model, "-o", "few.tree", "--method", "annealed",
                               "--steps", "1", "--levels", "2"});
    ASSERT_EQ(built.exitCode, 0) << built.err;
    const Outcome info = run({"tree", "info", "few.tree"});
    const bool told = built.out.find("fallbacks 1\n") != std::string::npos;
    gaveWay += told;
    for (const std::string& text : {built.out, info.out}) {
      EXPECT_THAT(text, HasSubstr(told ? "builder annealed (gave way to annealed-apart),"
                                       : "builder annealed,"));
      EXPECT_THAT(text, HasSubstr(told ? "fallbacks 1\n" : "fallbacks 0\n"));
    }
  }
  EXPECT_GT(gaveWay, 0);
}

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

/// Vertices that welding moves together: the tree is the welded mesh's, and holds for the file's.
TEST_F(CommandLine, ProvesTreesForTheVerticesOfTheFile) {
  TriangleMesh scattered = test::loose(test::torus());
  test::Random random(3);
  for (Vec3& p : scattered.positions)
    p = Vec3(70.0, 0.0, -20.0) + 8.0 * (p + 4e-7 * random.direction());
  writeText(home() / "scattered.obj", test::asObj(scattered));
  ASSERT_EQ(run({"tree", "build", "scattered.obj", "-o", "s.tree", "--levels", "2"}).exitCode, 0);
  const Outcome welded = run({"tree", "check", "s.tree", "scattered.obj"});
  EXPECT_EQ(welded.exitCode, 0) << welded.err;
  EXPECT_THAT(welded.out, Not(HasSubstr("file ")));
  const Outcome own = run({"tree", "check", "s.tree", "scattered.obj", "--unwelded"});
  EXPECT_EQ(own.exitCode, 0) << own.err;
  EXPECT_THAT(own.out, HasSubstr("file      holds"));
  EXPECT_THAT(own.out, HasSubstr("as reading and welding move vertices"));
  ASSERT_EQ(run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2"}).exitCode, 0);
  EXPECT_THAT(run({"tree", "check", "torus.tree", "torus.obj", "--unwelded"}).out,
              HasSubstr("file      holds"));
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
