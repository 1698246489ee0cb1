// SPDX-License-Identifier: MIT
/// Files that a command reads, where its outputs are named like them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/running/small_ships.h"

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

  /// A call, and the file that it reads and was told to write.
  struct Case {
    Words words;
    const char* input;
  };

  void expectRefused(const std::vector<Case>& cases) {
    for (const auto& [words, input] : cases) {
      const std::string before = readText(home() / input);
      const Outcome outcome = run(words);
      EXPECT_EQ(outcome.exitCode, 1) << words[0] << " " << words[1] << ": " << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("would replace the input")) << words[0] << " " << words[1];
      EXPECT_EQ(readText(home() / input), before) << words[0] << " " << words[1];
    }
  }
};

TEST_F(KeptInputs, AreNotReplacedByOutputs) {
  expectRefused({
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
  });
  EXPECT_TRUE(std::filesystem::is_symlink(home() / "link.toml"));
}

/// By layouts, robots, articulated models and sessions.
TEST_F(KeptInputs, ThatInputsNameAreNotReplacedEither) {
  const auto filled = [this](const char* file, const char* text) {
    writeText(home() / file, text);
  };
  filled("lay.toml", "[[objects]]\nmodel = \"star.obj\"\n");
  filled("arm.urdf",
         "<robot name=\"arm\"><link name=\"a\"><visual><geometry><mesh filename=\"torus.obj\"/>"
         "</geometry></visual><collision><geometry><mesh filename=\"star.obj\"/></geometry>"
         "</collision></link></robot>");
  std::filesystem::create_directory(home() / "meshes");
  std::filesystem::copy(home() / "star.obj", home() / "meshes/star.obj");
  filled("more.xml",
         "<mujoco><asset><mesh name=\"m\" file=\"star.obj\"/></asset><worldbody><body>"
         "<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>");
  filled("arm.xml", "<mujoco><compiler meshdir=\"meshes\"/><include file=\"more.xml\"/></mujoco>");
  filled("jointed.toml",
         "[[links]]\nname = \"a\"\nmodel = \"meshes/star.obj\"\n[[links]]\nname = \"b\"\n"
         "parent = \"a\"\nmodel = \"torus.obj\"\n");
  filled("joints.toml",
         "[detector]\ntree = \"octree\"\n[arena]\nradius = 9\n[player]\nmodel = "
         "\"jointed.toml\"\n");
  filled("spheres.csv", "link,x,y,z,radius\na,0,0,0,9\n");
  std::vector<Case> cases{
      {{"interfere", "lay.toml", "-o", "star.obj"}, "star.obj"},
      {{"interfere", "lay.toml", "--summary", "./meshes/../star.obj"}, "star.obj"},
      {{"robot", "arm.urdf", "-o", "star.obj"}, "star.obj"},
      {{"robot", "arm.urdf", "-o", "torus.obj"}, "torus.obj"},
      {{"robot", "arm.xml", "-o", "more.xml"}, "more.xml"},
      {{"robot", "arm.xml", "-o", "meshes/star.obj"}, "meshes/star.obj"},
      {{"spheres", "check", "arm.urdf", "spheres.csv", "-o", "torus.obj"}, "torus.obj"},
      {{"spheres", "check", "arm.xml", "spheres.csv", "--page", "more.xml"}, "more.xml"},
      {{"run", "joints.toml", "--profile", "jointed.toml"}, "jointed.toml"},
      {{"run", "joints.toml", "--trace", "meshes/star.obj"}, "meshes/star.obj"},
  };
#ifdef NEARMISS_HAVE_FLY
  ASSERT_EQ(runCrowd({"--frames", "2", "--record", "a.session"}).exitCode, 0);
  std::filesystem::create_symlink("star.obj", home() / "picture.png");
  cases.push_back(
      {{"replay", "a.session", "--headless", "--screenshot", "picture.png@1"}, "star.obj"});
#endif
  expectRefused(cases);
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
