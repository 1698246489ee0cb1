// SPDX-License-Identifier: MIT
/// Files that a command reads, where its outputs are named like them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/small_ships.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;

class KeptInputs : public test::SmallShips {
 protected:
  KeptInputs() {
    for (const char* file : {"star.tree", "lay.toml", "arm.urdf", "arm.srdf", "spheres.csv"})
      writeText(home() / file, "read by nobody here");
    std::filesystem::create_symlink("crowd.toml", home() / "link.toml");
  }
};

TEST_F(KeptInputs, AreNotReplacedByOutputs) {
  const struct {
    Words words;
    const char* input;
  } cases[] = {
      {{"spheres", "star.obj", "-o", "star.obj"}, "star.obj"},
      {{"tree", "build", "star.obj", "-o", "./star.obj"}, "star.obj"},
      {{"tree", "export", "star.tree", "-o", "star.tree", "--format", "csv"}, "star.tree"},
      {{"tree", "export", "star.tree", "-o", "star.obj", "--model", "star.obj", "--format", "csv"},
       "star.obj"},
      {{"run", "crowd.toml", "--profile", "crowd.toml"}, "crowd.toml"},
      {{"run", "crowd.toml", "--summary", "link.toml"}, "crowd.toml"},
      {{"run", "link.toml", "--trace", "crowd.toml"}, "crowd.toml"},
      {{"run", "crowd.toml", "--calls", "torus.obj"}, "torus.obj"},
      {{"run", "--config", "crowd.toml", "--record", "crowd.toml"}, "crowd.toml"},
      {{"interfere", "lay.toml", "-o", "lay.toml"}, "lay.toml"},
      {{"interfere", "lay.toml", "--allowed", "arm.srdf", "--bcf", "arm.srdf"}, "arm.srdf"},
      {{"robot", "arm.urdf", "-o", "arm.urdf"}, "arm.urdf"},
      {{"robot", "arm.urdf", "-o", "arm.srdf", "--ignore", "arm.srdf"}, "arm.srdf"},
      {{"spheres", "check", "arm.urdf", "spheres.csv", "-o", "spheres.csv"}, "spheres.csv"},
      {{"spheres", "check", "arm.urdf", "spheres.csv", "--page", "arm.urdf"}, "arm.urdf"},
  };
  for (const auto& [words, input] : cases) {
    const std::string before = readText(home() / input);
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exitCode, 1) << words[0] << " " << words[1] << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("would replace the input")) << words[0] << " " << words[1];
    EXPECT_EQ(readText(home() / input), before) << words[0] << " " << words[1];
  }
  EXPECT_TRUE(std::filesystem::is_symlink(home() / "link.toml"));
}

TEST_F(KeptInputs, OutputsMeetAtTheEndOfLinksToo) {
  std::filesystem::create_symlink("new.csv", home() / "first");
  std::filesystem::create_symlink("first", home() / "second");
  for (const char* other : {"new.csv", "first"}) {
    const Outcome outcome = runCrowd({"--profile", "second", "--summary", other});
    EXPECT_EQ(outcome.exitCode, 1) << other;
    EXPECT_THAT(outcome.err, HasSubstr("--profile and --summary name the same file")) << other;
  }
  EXPECT_FALSE(std::filesystem::exists(home() / "new.csv"));
}

}  // namespace
}  // namespace nearmiss
