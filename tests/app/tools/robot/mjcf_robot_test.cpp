// SPDX-License-Identifier: MIT
/// `robot` with MJCF from outside: the spheres against the surfaces where MuJoCo 3.3 has them, and
/// the file that is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/tools/robot/robot_program.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using nlohmann::json;
using test::joined;
using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

class MjcfRobot : public test::RobotProgram {
 protected:
  json fitted(const char* file, const char* count = "3") const {
    const Outcome outcome = run({file, "-o", "out.json", "--format", "json", "--count", count});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return json::parse(readText(home() / "out.json"));
  }
  /// The file with spheres, without what names its links.
  std::string written(const std::string& text, const Words& more = {}) const {
    writeText(home() / "m.xml", text);
    const Outcome outcome = run(joined({"m.xml", "-o", "out.xml", "--count", "2"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return readText(home() / "out.xml");
  }
};

TEST_F(MjcfRobot, GeomsThatCollideByPairsAloneAreNamed) {
  const std::string text = R"(<mujoco><worldbody><body name="a"><geom name="ball" size="1"/>
<geom name="bare" size="1" contype="0" conaffinity="0"/><geom name="seen" size="1" contype="0"
conaffinity="0"/></body></worldbody>)";
  for (const char* contact : {"", "<contact><pair geom1=\"ball\" geom2=\"bare\"/></contact>"}) {
    writeText(home() / "m.xml", text + contact + "</mujoco>");
    const Outcome outcome = run({"m.xml", "-o", "out.xml", "--count", "1"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    const bool said = outcome.err.find("by a <pair> alone (1) are not covered") != outcome.err.npos;
    EXPECT_EQ(said, *contact != '\0') << outcome.err;
  }
}

bool isCovered(const json& spheres, const Vec3& point) {
  return std::any_of(spheres.begin(), spheres.end(), [&point](const json& each) {
    const Vec3 centre(each["center"][0], each["center"][1], each["center"][2]);
    return glm::distance(centre, point) <= each["radius"].get<double>();
  });
}

/// A point p of a geom's own frame in that of its body, by MuJoCo's position and matrix rows.
Vec3 placed(const Vec3& p, const Vec3& at, const std::array<Vec3, 3>& rows) {
  return at + Vec3(glm::dot(rows[0], p), glm::dot(rows[1], p), glm::dot(rows[2], p));
}

std::array<Vec3, 3> rowsOf(Real w, Real x, Real y, Real z) {
  return {Vec3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
          Vec3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
          Vec3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))};
}

const std::string arm = R"(<mujoco model="arm"><compiler eulerseq="zYx"/>
<default><default class="slab"><geom type="box" size="0.1 0.3 0.05" euler="30 0 0"/></default></default>
<asset><mesh name="moved" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
  refpos="1 2 3" refquat="1 0 0 2" scale="1 0.5 -1"/>
  <mesh file="part.obj" refpos="20 0 0" scale="0.01 0.01 0.01"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><body name="upper arm" pos="1 2 3" euler="9 8 7">
  <frame pos="1 0 0" euler="0 0 30" childclass="slab"><frame axisangle="1 0 0 20" pos="0 0 1"><geom pos="0 0.5 0"/></frame></frame>
  <body><geom type="mesh" mesh="moved"/>
    <body name="rod"><geom type="cylinder" fromto="0 0 0 0 0.4 0.3" size="0.1"/></body>
    <body name="part"><geom type="mesh" mesh="part"/></body></body></body>
<body name="tip"><geom size="0.02" pos="0 0 0.5"/></body></worldbody></mujoco>)";

TEST_F(MjcfRobot, SpheresCoverWhatMujocoHas) {
  writeText(home() / "arm.xml", arm);
  writeText(home() / "part.obj", test::asObj(test::box(Vec3(0.0), Vec3(20.0, 40.0, 60.0))));
  const json robot = fitted("arm.xml", "2");
  EXPECT_EQ(robot["robot"], "arm");
  const json& links = robot["links"];
  ASSERT_EQ(links.size(), 5u);
  const auto slab = rowsOf(0.875426098, 0.408217894, -0.109381655, 0.234569716);
  const auto rod = rowsOf(0.447213595, 0.894427191, 0.0, 0.0);
  for (int i = 0; i < 360; ++i) {
    const Real angle = i * 3.14159265358979 / 180.0;
    // Around the middle of the slab, and all its corners and edges
    const Real s = std::clamp(2.0 * std::cos(angle), -1.0, 1.0),
               c = std::clamp(2.0 * std::sin(angle), -1.0, 1.0);
    for (const Real side : {-1.0, 1.0}) {
      for (const Vec3& p :
           {Vec3(0.1 * s, 0.3 * c, 0.05 * side), Vec3(0.1 * side, 0.3 * s, 0.05 * c)})
        EXPECT_TRUE(
            isCovered(links[0]["spheres"], placed(p, Vec3(1.0, -0.178606195, 1.249047625), slab)))
            << i;
      const Vec3 rim(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.25 * side);
      EXPECT_TRUE(isCovered(links[2]["spheres"], placed(rim, Vec3(0.0, 0.2, 0.15), rod))) << i;
    }
  }
  EXPECT_EQ(links[1]["name"], "body2");
  for (const Vec3& vertex :
       {Vec3(-1.6, 0.6, 3.0), Vec3(-1.0, 1.0, 3.0), Vec3(-1.0, 1.0, 2.0), Vec3(-0.2, 0.7, 3.0)})
    for (const Vec3& other : {Vec3(-1.6, 0.6, 3.0), Vec3(-0.2, 0.7, 3.0), Vec3(-1.0, 1.0, 2.0)})
      for (const Real along : {0.0, 0.3, 0.6})
        EXPECT_TRUE(isCovered(links[1]["spheres"], vertex + along * (other - vertex)));
  // From -20 to 0 hundredths in x, for the reference comes off before the scale
  for (const Real x : {-0.2, -0.1, 0.0})
    for (const Real y : {0.0, 0.2, 0.4})
      for (const Real z : {0.0, 0.3, 0.6})
        EXPECT_TRUE(isCovered(links[3]["spheres"], Vec3(x, y, z))) << x << " " << y << " " << z;
  // And not much beside it
  EXPECT_FALSE(isCovered(links[3]["spheres"], Vec3(0.3, 0.2, 0.3)));
  EXPECT_FALSE(isCovered(links[1]["spheres"], Vec3(0.0, 0.0, 0.0)));
  EXPECT_FALSE(isCovered(links[2]["spheres"], Vec3(0.0, 0.4, 0.0)));
  // A sphere stays the sphere that it is
  EXPECT_EQ(links[4]["spheres"][0]["radius"], 0.02);
  EXPECT_EQ(links[4]["spheres"][0]["center"][2], 0.5);
}

TEST_F(MjcfRobot, TheSameArmInUrdfHasTheSameSpheres) {
  writeText(home() / "part.obj", test::asObj(test::box(Vec3(0.0), Vec3(20.0, 40.0, 60.0))));
  writeText(home() / "arm.urdf", R"(<robot name="arm">
<link name="a"><collision><origin xyz="0.1 0.2 0.3"/><geometry><box size="0.2 0.4 0.5"/></geometry></collision>
  <collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision></link>
<link name="b"><collision><origin xyz="0 0 1"/><geometry><mesh filename="part.obj" scale="0.5 0.5 -0.25"/></geometry></collision>
  <collision><geometry><capsule radius="2" length="8"/></geometry></collision></link></robot>)");
  writeText(home() / "arm.xml", R"(<mujoco model="arm">
<asset><mesh file="part.obj" scale="0.5 0.5 -0.25"/></asset><worldbody>
<body name="a"><geom type="box" size="0.1 0.2 0.25" pos="0.1 0.2 0.3"/><geom type="cylinder" size="0.1 0.25"/>
<body name="b"><geom type="mesh" mesh="part" pos="0 0 1"/><geom type="capsule" size="2 4"/></body></body></worldbody></mujoco>)");
  const json urdf = fitted("arm.urdf", "1");
  EXPECT_EQ(urdf["links"].size(), 2u);
  EXPECT_EQ(fitted("arm.xml", "1"), urdf);
}

TEST_F(MjcfRobot, WritesTheSameFileWithSpheres) {
  const std::string text = written(R"(<mujoco><!-- kept -->
<default><default class="hard"><geom friction="0.5"/></default><default class="seen"><geom contype="0" conaffinity="0"/></default></default>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="a" childclass="seen"><inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/><joint name="j"/>
  <geom name="look" type="box" size="1 1 1"/>
  <geom name="gone" class="hard" type="box" size="0.1 0.2 0.3" rgba="1 0 0 1" density="9" condim="4"/>
  <frame pos="0 0 1"><geom class="hard" type="box" size="0.1 0.2 0.3" contype="6"/></frame>
  <body name="b"><geom class="hard" size="1" contype="2"/></body></body></worldbody>
<sensor><jointpos joint="j"/></sensor></mujoco>)");
  for (const char* kept :
       {"<!-- kept -->", "name=\"floor\"", "name=\"look\"", "<joint name=\"j\"/>",
        "<jointpos joint=\"j\"/>", "<frame pos=\"0 0 1\"/>"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("gone")));
  EXPECT_EQ(test::countOf("type=\"box\"", text), 1u);
  // The class and contacts of what they replace, no weight, and nothing of its shape
  EXPECT_EQ(test::countOf("class=\"hard\" rgba=\"1 0 0 1\" condim=\"4\" contype=\"7\" mass=\"0\"/>",
                          text),
            2u);
  EXPECT_THAT(text, Not(HasSubstr("density")));

  // A body that has its weight from its geoms keeps them, without contacts
  EXPECT_THAT(text, HasSubstr(R"(<geom class="hard" size="1" contype="0" conaffinity="0"/>)"));
  EXPECT_THAT(
      text,
      HasSubstr(R"(<geom type="sphere" pos="0 0 0" size="1" class="hard" contype="2" mass="0"/>)"));
}

TEST_F(MjcfRobot, WrittenSpheresReadAsTheyWere) {
  writeText(home() / "arm.xml", R"(<mujoco><worldbody><body><frame pos="1 0 0" euler="10 20 30">
    <geom type="box" size="0.1 0.2 0.3"/></frame><body name="tip"><geom size="0.02" pos="0 0 0.5"/></body></body></worldbody></mujoco>)");
  const json before = fitted("arm.xml");
  ASSERT_EQ(run({"arm.xml", "-o", "spheres.xml", "--format", "mjcf", "--count", "3"}).exitCode, 0);
  json after = fitted("spheres.xml");
  ASSERT_EQ(after["links"].size(), 2u);
  EXPECT_EQ(after["links"][0]["name"], "body1");
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(after["links"][i]["spheres"], before["links"][i]["spheres"]);
}

TEST_F(MjcfRobot, GeomsThatOthersNameStay) {
  const std::string body =
      R"(<body><inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/><geom name="pad" size="1"/><geom name="rest" size="1"/></body>)";
  const std::string text =
      written("<mujoco><worldbody>" + body +
              R"(</worldbody><contact><pair geom1="pad" geom2="x"/></contact></mujoco>)");
  EXPECT_THAT(text, HasSubstr(R"(<geom name="pad" size="1" contype="0" conaffinity="0"/>)"));
  EXPECT_THAT(text, Not(HasSubstr("rest")));
  // Nor does a body's own <inertial> count where the compiler says so
  EXPECT_THAT(written(R"(<mujoco><compiler inertiafromgeom="true"/><worldbody>)" + body +
                      "</worldbody></mujoco>"),
              HasSubstr(R"(<geom name="rest" size="1" contype="0" conaffinity="0"/>)"));
}

TEST_F(MjcfRobot, EndsOfClassesStayWithGeomsAndAreNoneOfSpheres) {
  const std::string text = written(
      R"(<mujoco><default><default class="limb"><geom type="capsule" size="0.1" fromto="0 0 0 0 0 -0.6"/></default></default>
<worldbody><geom class="limb"/><body name="a" childclass="limb"><geom/><geom name="own" fromto="0 0 1 0 0 2"/></body></worldbody></mujoco>)");
  EXPECT_THAT(text, HasSubstr(R"(<geom class="limb" fromto="0 0 0 0 0 -0.6"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<geom name="own" fromto="0 0 1 0 0 2")"));
  EXPECT_THAT(text, HasSubstr(R"(<geom fromto="0 0 0 0 0 -0.6" contype="0")"));
  EXPECT_THAT(text, HasSubstr(R"(<geom type="capsule" size="0.1"/>)"));
  EXPECT_GT(test::countOf("type=\"sphere\"", text), 0u);
  EXPECT_EQ(fitted("out.xml", "1")["links"].size(), 1u) << "it can be read again";
}

TEST_F(MjcfRobot, MeshesOfClassesDoNotSizeSpheres) {
  const std::string text = written(
      R"(<mujoco><default><default class="c"><geom mesh="tet" type="mesh"/></default></default>
<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
<worldbody><body name="a" childclass="c"><inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/><geom/></body></worldbody></mujoco>)");
  EXPECT_EQ(test::countOf(R"( mesh="" mass="0"/>)", text), test::countOf("type=\"sphere\"", text));
  EXPECT_EQ(fitted("out.xml", "1")["links"].size(), 1u);
}

TEST_F(MjcfRobot, TellsOfMeshesThatFaceInwards) {
  for (const char* faces : {"0 2 1 0 1 3 0 3 2 1 2 3", "0 1 2 0 3 1 0 2 3 1 3 2"}) {
    writeText(
        home() / "m.xml",
        std::string("<mujoco><asset>\n<mesh name=\"room\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" "
                    "face=\"") +
            faces +
            R"("/></asset><worldbody><body><geom type="mesh" mesh="room"/></body></worldbody></mujoco>)");
    const Outcome outcome = run({"m.xml", "-o", "out.xml", "--count", "1"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    const bool told = outcome.err.find(
                          "\"m.xml\", line 2: <mesh> faces inwards: what it "
                          "encloses is taken as the solid") != std::string::npos;
    EXPECT_EQ(told, std::string(faces).starts_with("0 1 2")) << outcome.err;
  }
}

TEST_F(MjcfRobot, TakesWhatIsSeenIfAsked) {
  const std::string mjcf =
      R"(<mujoco><default><default class="seen"><geom contype="0" conaffinity="0" group="2"/></default></default>
<worldbody><body name="a" childclass="seen"><geom size="0.5"/><body name="b"><geom class="main" size="0.25"/><geom size="9"/></body></body></worldbody></mujoco>)";
  const std::string text = written(mjcf, {"--visual"});
  EXPECT_THAT(text, HasSubstr(R"(<geom size="0.5"/>)"));
  EXPECT_THAT(text,
              HasSubstr(R"(<geom type="sphere" pos="0 0 0" size="0.5" class="main" mass="0"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<geom size="9"/>)"));
  EXPECT_EQ(test::countOf("type=\"sphere\"", text), 2u);
  const std::string without = written(mjcf);
  EXPECT_EQ(test::countOf("type=\"sphere\"", without), 1u);
}

TEST_F(MjcfRobot, NamesMistakesAndWritesNothing) {
  const auto expectMistake = [this](const std::string& text, int exitCode, const char* sentence,
                                    const Words& more = {}) {
    writeText(home() / "bad.xml", text);
    const Outcome outcome = run(joined({"bad.xml", "-o", "o"}, more));
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(home() / "o"));
  };
  const std::string ball = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
  expectMistake(ball, 1, "\"bad.xml\" cannot be written as urdf", {"--format", "urdf"});
  expectMistake("<robot><link name='a'/></robot>", 1, "cannot be written as mjcf",
                {"--format", "mjcf"});
  expectMistake("<mujoco>\n<worldbody><body><geom/></body></worldbody></mujoco>", 3,
                "\"bad.xml\", line 2: size of a geom of type sphere is \"\", not a number above 0");
  expectMistake("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", 3,
                "no body of \"bad.xml\" has a geom that collides; --visual takes the others");
  expectMistake("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", 3,
                "(1) belong to no link");
  expectMistake("<mujoco><worldbody><body/></worldbody></mujoco>", 3,
                "no body of \"bad.xml\" has a geom\n", {"--visual"});
}

}  // namespace
}  // namespace nearmiss
