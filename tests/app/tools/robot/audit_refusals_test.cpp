// SPDX-License-Identifier: MIT
/// `spheres check` where a file does not say what it seems to: nothing unproven is called covered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

class AuditRefusals : public testing::Test {
 protected:
  AuditRefusals() {
    write("one.urdf", "<robot name=\"r\">" + cube("a") + "</robot>");
    write("two.urdf", "<robot name=\"r\">" + cube("a") + cube("b") + "</robot>");
  }
  static std::string cube(const std::string& name) {
    return "<link name=\"" + name +
           "\"><collision><geometry><box size=\"1 1 1\"/></geometry></collision></link>";
  }
  void write(const std::string& name, const std::string& text) const {
    writeText(program_.home() / name, text);
  }
  Outcome check(const std::string& robot, const std::string& name, const std::string& text) const {
    write(name, text);
    return program_.run({"spheres", "check", robot, name});
  }
  void expectRefusal(const std::string& robot, const std::string& name, const std::string& text,
                     const std::string& sentence) const {
    const Outcome outcome = check(robot, name, text);
    EXPECT_EQ(outcome.exitCode, 3) << text << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << text;
    EXPECT_THAT(outcome.out, Not(HasSubstr("covered"))) << text;
  }

  test::Program program_{NEARMISS_PROGRAM};
};

/// Reading Collada may have moved points far from the origin by more than the sphere is larger than
/// they need: neither covered nor bare is proven.
TEST_F(AuditRefusals, NothingIsCalledBareThatReadingMayHaveMoved) {
  TriangleMesh ball = test::sphere(36, 48);
  for (Vec3& p : ball.positions) p.x += 100.0;
  write("ball.dae",
        test::asCollada(ball, R"(<unit name="meter" meter="1"/><up_axis>Z_UP</up_axis>)"));
  write("ball.urdf", R"(<robot name="r"><link name="a"><collision><geometry>
    <mesh filename="ball.dae"/></geometry></collision></link></robot>)");
  const auto figures = [this](const char* radius, int exitCode) {
    write("s.csv", std::string("link,x,y,z,radius\na,100,0,0,") + radius + "\n");
    const Outcome outcome =
        program_.run({"spheres", "check", "ball.urdf", "s.csv", "-o", "figures.json"});
    EXPECT_EQ(outcome.exitCode, exitCode) << radius << outcome.out << outcome.err;
    const auto json =
        nlohmann::json::parse(test::readText(program_.home() / "figures.json"), nullptr, false);
    return json["links"][0];
  };
  const auto unproven = figures("1.0001", 4);
  EXPECT_EQ(unproven["verdict"], "unproven");
  EXPECT_EQ(unproven["farthest"][0], 0.0);
  EXPECT_EQ(unproven["outside_share"][0], 0.0);
  EXPECT_GT(unproven["outside_share"][1], 0.01);
  EXPECT_EQ(figures("1.01", 0)["verdict"], "covered");
  EXPECT_GT(figures("0.99", 4)["outside_share"][0], 0.9);
}

TEST_F(AuditRefusals, TheMarkOfUtf8HidesNoColumn) {
  const std::string mark = "\xef\xbb\xbf", head = mark + "link,x,y,z,radius\n";
  const Outcome half = check("two.urdf", "s.csv", head + "b,0,0,0,2\nb,0,0,0,1\n");
  EXPECT_EQ(half.exitCode, 4) << half.out;
  EXPECT_THAT(half.out, HasSubstr("1 of 2 links are covered"));
  EXPECT_EQ(check("two.urdf", "s.csv", head + "b,0,0,0,2\na,0,0,0,1\n").exitCode, 0);
  EXPECT_EQ(check("one.urdf", "s.csv", head + "b,0,0,0,2\n").exitCode, 4);
  EXPECT_EQ(check("one.urdf", "s.json", mark + R"({"a": [[0, 0, 0, 1]]})").exitCode, 0);
  EXPECT_EQ(check("one.urdf", "s.yml", mark + "a: [[0, 0, 0, 1]]\n").exitCode, 0);
}

TEST_F(AuditRefusals, FilesThatTheSpheresNameAreNeitherLostNorReplaced) {
  write("part.xml", R"(<mujoco><worldbody><body name="a"><geom type="sphere" size="2"/></body>
</worldbody></mujoco>)");
  write("s.xml", R"(<mujoco><include file="part.xml"/></mujoco>)");
  const std::string kept = test::readText(program_.home() / "part.xml");
  const Outcome over = program_.run({"spheres", "check", "one.urdf", "s.xml", "-o", "part.xml"});
  EXPECT_EQ(over.exitCode, 1) << over.out;
  EXPECT_THAT(over.err, HasSubstr("would replace the input"));
  EXPECT_EQ(test::readText(program_.home() / "part.xml"), kept);

  std::filesystem::create_directories(program_.home() / "packages" / "pkg");
  write("packages/pkg/x.obj", test::asObj(test::tetrahedron()));
  write("s.urdf", R"(<robot name="s"><link name="a">
<collision><geometry><mesh filename="package://pkg/x.obj"/></geometry></collision>
<collision><geometry><sphere radius="2"/></geometry></collision></link></robot>)");
  const Outcome found =
      program_.run({"spheres", "check", "one.urdf", "s.urdf", "--packages", "packages"});
  EXPECT_EQ(found.exitCode, 0) << found.err;
}

TEST_F(AuditRefusals, RowsHaveTheCellsOfTheirHeading) {
  // Read by place, the second is a sphere of radius 2 about (0, 1, 0)
  for (const char* row : {"a,0,1,0,2,0,3,5,0", "a,0,1,0,2,5", "a,0,0,2"})
    expectRefusal("one.urdf", "s.csv", std::string("link,x,y,z,radius\na,0,0,0,0.1\n") + row + "\n",
                  "in line 3, where its heading has 5");
}

TEST_F(AuditRefusals, SpheresOfOtherLinksAreNobodys) {
  for (const auto& [name, text] :
       {std::pair{"s.csv", "link,x,y,z,radius\nother,0,0,0,2\n"},
        std::pair{"s.yml", "collision_spheres:\n  other: [{center: [0, 0, 0], radius: 2}]\n"},
        std::pair{"s.json", R"({"other": [[0, 0, 0, 2]]})"},
        std::pair{"s.csv", "link,x,y,z,radius\nother,0,0,0,2\n,0,0,0,2\n"}}) {
    const Outcome outcome = check("one.urdf", name, text);
    EXPECT_EQ(outcome.exitCode, 4) << text << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("has no spheres"));
    EXPECT_THAT(outcome.err, HasSubstr("the robot has no link \"other\", which has spheres"));
  }
  EXPECT_EQ(check("one.urdf", "s.csv", "x,y,z,radius\n0,0,0,2\n").exitCode, 0);
  EXPECT_EQ(check("two.urdf", "s.csv", "x,y,z,radius\n0,0,0,2\n").exitCode, 4);
  // The name of a mesh is that of its file, whatever its spheres are called
  write("part.obj", test::asObj(test::cube()));
  EXPECT_EQ(check("part.obj", "s.yml", "other: [[0, 0, 0, 9]]\n").exitCode, 0);
}

TEST_F(AuditRefusals, BuffersAreNumbers) {
  const auto with = [](const std::string& radius, const std::string& buffer) {
    return "collision_spheres:\n  a: [{center: [0, 0, 0], radius: " + radius +
           "}]\ncollision_sphere_buffer: " + buffer + "\n";
  };
  for (const char* buffer : {"\"5\"", "[5]", "inf", "nan", "true", "1e999"})
    expectRefusal("one.urdf", "s.yml", with("0.001", buffer),
                  "has a collision_sphere_buffer that is neither a number nor a map of links");
  for (const char* buffer : {"{a: \"5\"}", "{a: {b: 5}}", "{a: inf}"})
    expectRefusal("one.urdf", "s.yml", with("0.001", buffer),
                  "has a collision_sphere_buffer of \"a\" that is not a number");
  expectRefusal("one.urdf", "s.yml", with("1e308", "1.7e308"), "that is not finite");
  expectRefusal("one.urdf", "s.yml", with("2e15", "0"), "has a number above 1e15");
  expectRefusal("one.urdf", "s.yml", with("9e14", "9e14"), "has a number above 1e15");
  expectRefusal("one.urdf", "s.yml", with("inf", "0"), "without a centre of three numbers");
  // Less than nothing is no sphere, not one of the size without its sign
  const Outcome off = check("one.urdf", "s.yml", with("0.001", "-5"));
  EXPECT_EQ(off.exitCode, 4) << off.out;
  EXPECT_THAT(off.err, HasSubstr("1 spheres of a radius of 0 or less are off"));
  EXPECT_EQ(check("one.urdf", "s.yml", with("0.5", "0.5")).exitCode, 0);
  EXPECT_EQ(check("one.urdf", "s.yml", with("0.5", "{b: 1, a: 0.5}")).exitCode, 0);
  // Nothing is none
  for (const char* none : {"null", "~", "{a: null}"})
    EXPECT_EQ(check("one.urdf", "s.yml", with("1", none)).exitCode, 0) << none;
}

TEST_F(AuditRefusals, MacrosAreExpandedFirst) {
  const std::string spaced = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">";
  const std::string end = "</robot>", sentence = "it is a xacro file: expand it first with `xacro ";
  const std::string covering = "link,x,y,z,radius\na,0,0,0,2\n";
  for (const std::string& macros :
       {std::string("<xacro:include filename=\"arm.xacro\"/>"),
        "<xacro:if value=\"1\">" + cube("c") + "</xacro:if>", cube("${p}b"), cube("$(arg p)b")}) {
    write("r.urdf.xacro", spaced + cube("a") + macros + end);
    expectRefusal("r.urdf.xacro", "s.csv", covering, sentence + "r.urdf.xacro > file.urdf`");
    expectRefusal("one.urdf", "s.urdf", spaced + cube("a") + macros + end, sentence);
    const Outcome robot = program_.run({"robot", "r.urdf.xacro", "-o", "o.urdf"});
    EXPECT_EQ(robot.exitCode, 3);
    EXPECT_THAT(robot.err, HasSubstr(sentence));
  }
  expectRefusal("one.urdf", "s.srdf",
                spaced +
                    "<link_sphere_approximation link=\"a\"><sphere center=\"0 0 0\" radius=\"2\"/>"
                    "</link_sphere_approximation><xacro:m/>" +
                    end,
                sentence);
  write("m.srdf", spaced + "<disable_collisions link1=\"${p}a\" link2=\"b\"/>" + end);
  const Outcome ignored =
      program_.run({"robot", "two.urdf", "-o", "o.srdf", "--format", "srdf", "--ignore", "m.srdf"});
  EXPECT_EQ(ignored.exitCode, 3);
  EXPECT_THAT(ignored.err, HasSubstr(sentence));
  // What xacro wrote still declares its namespace
  write("r.urdf", spaced + cube("a") + end);
  EXPECT_EQ(check("r.urdf", "s.csv", covering).exitCode, 0);
}

}  // namespace
}  // namespace nearmiss
