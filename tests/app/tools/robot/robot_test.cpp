// SPDX-License-Identifier: MIT
/// `robot` from outside: a URDF in, the same with spheres out, in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/tools/robot/robot_program.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::joined;
using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;

class Robot : public test::RobotProgram {
 protected:
  Robot() {
    // 2 x 4 x 6 hundredths, once turned about z, at x = 1, and mirrored in y
    std::filesystem::create_directories(home() / "arm" / "meshes");
    writeText(home() / "arm" / "meshes" / "part.obj",
              test::asObj(test::box(Vec3(0.0), Vec3(20.0, 40.0, 60.0))));
    writeUrdf("");
  }

  void writeUrdf(const std::string& more) const {
    writeText(home() / "arm" / "arm.urdf", R"(<robot name="arm"><!-- kept -->
<link name="world"/>
<link name="upper arm"><inertial><mass value="2"/></inertial>
  <collision><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><geometry>
    <mesh filename="package://arm/meshes/part.obj" scale="0.001 -0.001 0.001"/></geometry></collision>
</link>
<link name="tip"><collision><origin xyz="0 0 0.5"/><geometry><sphere radius="0.02"/></geometry></collision></link>
<link name="seen"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
)" + more + R"(<joint name="j" type="fixed"><parent link="world"/><child link="tip"/></joint></robot>)");
  }
  /// Instead of the arm, these links alone.
  void writeLinks(const std::string& links) const {
    writeText(home() / "arm" / "arm.urdf", "<robot name=\"arm\">" + links + "</robot>");
  }
  nlohmann::json fitted(const Words& more, const char* count = "3") const {
    const Outcome outcome =
        run(joined({"arm/arm.urdf", "-o", "out.json", "--format", "json", "--count", count}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return nlohmann::json::parse(readText(home() / "out.json"));
  }
  static bool isCovered(const nlohmann::json& spheres, const Vec3& point) {
    return std::any_of(spheres.begin(), spheres.end(), [&point](const nlohmann::json& each) {
      const Vec3 centre(each["center"][0], each["center"][1], each["center"][2]);
      return glm::distance(centre, point) <= each["radius"].get<double>();
    });
  }
  void expectMistake(const Words& words, int exitCode, const char* sentence) const {
    const Outcome outcome = run(joined(words, {"-o", "o"}));
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(home() / "o"));
  }
};

TEST_F(Robot, SpheresCoverEachLinkInItsFrame) {
  const nlohmann::json robot = fitted({});
  EXPECT_EQ(robot["robot"], "arm");
  ASSERT_EQ(robot["links"].size(), 2u);
  EXPECT_EQ(robot["links"][0]["name"], "upper arm");
  const nlohmann::json& spheres = robot["links"][0]["spheres"];
  EXPECT_LE(spheres.size(), 3u);
  // Mirrored to y from -0.04 to 0, then turned: x from 1 to 1.04, y from 0 to 0.02
  for (const double x : {1.0, 1.02, 1.04})
    for (const double y : {0.0, 0.01, 0.02})
      for (const double z : {0.0, 0.03, 0.06})
        EXPECT_TRUE(isCovered(spheres, Vec3(x, y, z))) << x << " " << y << " " << z;
  EXPECT_FALSE(isCovered(spheres, Vec3(0.95, 0.0, 0.03)));
  for (const auto& sphere : spheres) EXPECT_LT(sphere["radius"], 0.04);

  // A sphere stays the sphere that it is
  ASSERT_EQ(robot["links"][1]["spheres"].size(), 1u);
  EXPECT_EQ(robot["links"][1]["spheres"][0]["radius"], 0.02);
  EXPECT_EQ(robot["links"][1]["spheres"][0]["center"][2], 0.5);
}

TEST_F(Robot, ColladaIsInMetresAndNotTurned) {
  // 0.1 x 0.2 x 0.6 m, off the axes, so that a turn leaves it
  const Vec3 low(10.0, 30.0, 60.0), high(20.0, 50.0, 120.0);
  writeText(home() / "arm" / "part.dae",
            test::asCollada(test::box(low, high),
                            "<unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis>"));
  writeLinks(R"(<link name="dae"><collision><geometry><mesh filename="part.dae"/></geometry>
    </collision></link>)");
  const Outcome outcome =
      run({"arm/arm.urdf", "-o", "out.json", "--format", "json", "--count", "2"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("part.dae\": its unit is 0.01 m: coordinates are converted"));
  EXPECT_THAT(outcome.err, HasSubstr("part.dae\": it is Z_UP, and is not turned"));
  const auto spheres = nlohmann::json::parse(readText(home() / "out.json"))["links"][0]["spheres"];
  std::size_t sampled = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {0.0, 1.0})
      for (Real u = 0.0; u <= 1.0; u += 0.0625)
        for (Real v = 0.0; v <= 1.0; v += 0.0625, ++sampled) {
          Vec3 share(side);
          share[(axis + 1) % 3] = u;
          share[(axis + 2) % 3] = v;
          const Vec3 point = 0.01 * (low + share * (high - low));
          ASSERT_TRUE(isCovered(spheres, point)) << point.x << " " << point.y << " " << point.z;
        }
  EXPECT_EQ(sampled, 6u * 17 * 17);
  for (const auto& sphere : spheres) EXPECT_LT(sphere["radius"], 0.5);
}

TEST_F(Robot, SizesBeyondTheRangeOfMeshesAreRefused) {
  for (const char* size : {"1e40", "1e16", "1e-17"}) {
    writeLinks(std::string(R"(<link name="vast"><collision><geometry><cylinder radius=")") + size +
               R"(" length=")" + size + R"("/></geometry></collision></link>)");
    const Outcome outcome = run({"arm/arm.urdf", "-o", "out.urdf", "--count", "2"});
    EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("link \"vast\": "));
    EXPECT_THAT(outcome.err, HasSubstr("1e15"));
    EXPECT_FALSE(std::filesystem::exists(home() / "out.urdf"));
  }
  writeLinks(R"(<link name="vast"><collision><geometry><cylinder radius="1e14" length="1e14"/>
</geometry></collision></link><link name="tiny"><collision><geometry>
<cylinder radius="1e-14" length="1e-14"/></geometry></collision></link>)");
  EXPECT_EQ(run({"arm/arm.urdf", "-o", "out.urdf", "--count", "2"}).exitCode, 0);
}

TEST_F(Robot, EveryFormatHoldsTheSameSpheres) {
  // Of a mesh nothing stays
  ASSERT_EQ(run({"arm/arm.urdf", "-o", "mesh.urdf", "--count", "1"}).exitCode, 0);
  EXPECT_THAT(readText(home() / "mesh.urdf"), testing::Not(HasSubstr("part.obj")));

  // Two balls are as many spheres, without a search for them
  std::string balls = readText(home() / "arm" / "arm.urdf");
  const std::size_t at = balls.find("<collision>"), end = balls.find("</link>", at);
  balls.replace(at, end - at, R"(<collision><geometry><sphere radius="0.1"/></geometry></collision>
<collision><origin xyz="1 0 0"/><geometry><sphere radius="0.2"/></geometry></collision>)");
  writeText(home() / "arm" / "arm.urdf", balls);
  const nlohmann::json robot = fitted({});
  ASSERT_EQ(robot["links"][0]["spheres"].size(), 2u);
  std::size_t count = 0;
  for (const auto& link : robot["links"]) count += link["spheres"].size();
  const Outcome urdf = run({"arm/arm.urdf", "-o", "out.urdf", "--count", "3"});
  ASSERT_EQ(urdf.exitCode, 0) << urdf.err;
  EXPECT_THAT(urdf.out, HasSubstr(std::to_string(count) + " spheres on 2 of 4 links"));
  const std::string text = readText(home() / "out.urdf");
  EXPECT_EQ(test::countOf("<sphere radius=", text), count);
  EXPECT_EQ(test::countOf("<collision>", text), count);
  for (const char* kept : {"<!-- kept -->", "<mass value=\"2\"/>", "<joint name=\"j\"",
                           "<link name=\"world\"/>", "<box size=\"0.1 0.1 0.1\"/>"})
    EXPECT_THAT(text, HasSubstr(kept));

  ASSERT_EQ(run({"arm/arm.urdf", "-o", "out.yml", "--format", "curobo", "--count", "3"}).exitCode,
            0);
  const std::string yaml = readText(home() / "out.yml");
  EXPECT_THAT(yaml, testing::StartsWith("collision_spheres:\n  \"upper arm\":\n    - center: ["));
  EXPECT_THAT(yaml, HasSubstr("  \"tip\":\n    - center: [0, 0, 0.5]\n      radius: 0.02"));
  EXPECT_EQ(test::countOf("radius:", yaml), count);
}

TEST_F(Robot, TakesWhatIsSeenIfAsked) {
  const nlohmann::json robot = fitted({"--visual"}, "1");
  ASSERT_EQ(robot["links"].size(), 3u);
  EXPECT_EQ(robot["links"][2]["name"], "seen");
  EXPECT_TRUE(isCovered(robot["links"][2]["spheres"], Vec3(0.05, 0.05, 0.05)));
}

TEST_F(Robot, RoundShapesAreCoveredAsTheyAre) {
  writeLinks(
      R"(<link name="round"><collision><geometry><cylinder radius="0.1" length="0.2"/></geometry>
    </collision></link><link name="pill"><collision><geometry><capsule radius="0.1" length="0.2"/></geometry>
    </collision></link>)");
  const nlohmann::json robot = fitted({});
  ASSERT_EQ(robot["links"].size(), 2u);
  for (int i = 0; i < 360; ++i) {
    const double angle = i * 3.14159265358979 / 180.0;
    const Vec3 rim(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.1);
    EXPECT_TRUE(isCovered(robot["links"][0]["spheres"], rim)) << i;
    EXPECT_TRUE(isCovered(robot["links"][1]["spheres"], rim)) << i;
  }
  EXPECT_TRUE(isCovered(robot["links"][1]["spheres"], Vec3(0.0, 0.0, -0.2)));
}

TEST_F(Robot, TakesTheTurnsOfUrdf11) {
  // A quarter of a turn about y, of another length than 1
  writeLinks(
      R"(<link name="t"><collision><origin xyz="0 0 0.5" quat_xyzw="0 2 0 2"/><geometry>
    <box size="1 0.02 0.02"/></geometry></collision></link>)");
  const nlohmann::json robot = fitted({});
  for (const double z : {0.0, 0.25, 0.5, 1.0})
    EXPECT_TRUE(isCovered(robot["links"][0]["spheres"], Vec3(0.01, 0.01, z))) << z;
  for (const char* turn :
       {"quat_xyzw=\"0 0 0 0\"", "quat_xyzw=\"0 0 1\"", "quat_xyzw=\"0 0 0 1\" rpy=\"0 0 0\""}) {
    writeLinks("<link name=\"t\"><collision><origin " + std::string(turn) +
               "/><geometry><box size=\"1 1 1\"/></geometry></collision></link>");
    expectMistake({"arm/arm.urdf"}, 3, "quat_xyzw");
  }
}

TEST_F(Robot, NamesMistakesAndWritesNothing) {
  expectMistake({"gone.urdf"}, 3, "there is no file");
  writeText(home() / "noise.urdf", "<robot><link");
  expectMistake({"noise.urdf"}, 3, "is not valid XML");
  writeText(home() / "scene.xml", "<mujoco/>");
  expectMistake({"scene.xml"}, 3, "no body of \"scene.xml\" has a geom that collides; --visual");
  writeText(home() / "other.urdf", "<model/>");
  expectMistake({"other.urdf"}, 3, "its root is <model>");
  writeText(home() / "bare.urdf", R"(<robot name="a"><link name="b"/></robot>)");
  expectMistake({"bare.urdf"}, 3, "no link of \"bare.urdf\" has a <collision>");
  const auto linkWith = [this](const std::string& geometry) {
    writeText(home() / "bad.urdf", "<robot name=\"a\"><link name=\"b\"><collision>" + geometry +
                                       "</collision></link></robot>");
  };
  linkWith("<geometry/>");
  expectMistake({"bad.urdf"}, 3, "<collision> of link \"b\" has no geometry");
  linkWith("<geometry><box size=\"1 0,5 1\"/></geometry>");
  expectMistake({"bad.urdf"}, 3, "size of <box> is \"1 0,5 1\", not three numbers above 0");
  linkWith("<geometry><sphere radius=\"nan\"/></geometry>");
  expectMistake({"bad.urdf"}, 3, "radius of <sphere>");
  linkWith("<geometry><blob/></geometry>");
  expectMistake({"bad.urdf"}, 3, "<blob> is not a geometry");
  linkWith("<geometry><mesh filename=\"package://far/a.stl\"/></geometry>");
  expectMistake({"bad.urdf"}, 3, "the package \"far\"");
  linkWith("<geometry><mesh filename=\"a.stl\"/></geometry>");
  expectMistake({"bad.urdf"}, 3, "names the mesh \"a.stl\", and there is no file");
  expectMistake({"bad.urdf", "--count", "0"}, 1, "from 1 to");
  expectMistake({"bad.urdf", "--format", "yaml"}, 1, "--format");
}

}  // namespace
}  // namespace nearmiss
