// SPDX-License-Identifier: MIT
/// MJCF as it is read: poses and sizes against those that MuJoCo 3.3 gives the same files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <array>
#include <filesystem>
#include <glm/gtc/quaternion.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/files.h"
#include "support/untrapped.h"
#include "tools/robot/robot_file.h"

namespace nearmiss {
namespace {

using app::robot::LinkShape;
using app::robot::LinkShapeKind;
using app::robot::readRobot;
using app::robot::RobotFile;
using test::writeText;
using testing::HasSubstr;

struct Compiled {
  const char* xml;
  LinkShapeKind kind;
  Vec3 size, at;
  std::array<Real, 4> turn;  ///< w x y z
};

constexpr auto Ball = LinkShapeKind::Sphere, Cuboid = LinkShapeKind::Box,
               Ellipsoid = LinkShapeKind::Ellipsoid, Cylinder = LinkShapeKind::Cylinder,
               Capsule = LinkShapeKind::Capsule;

/// What MuJoCo compiles of these, below the classes of MjcfReading::file(). A length is whole here
/// and half there.
const std::vector<Compiled> compiled{
    {R"(<geom size="0.1" pos="1 2 3"/>)", Ball, {0.1, 0, 0}, {1, 2, 3}, {1, 0, 0, 0}},
    {R"(<geom type="box" size="0.1 0.2 0.3" euler="10 20 30"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0.943714364, 0.268535823, 0.189307857, 0.038134576}},
    {R"(<geom type="box" size="0.1 0.2 0.3" quat="2 1 0 1" pos="1 0 0"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {1, 0, 0},
     {0.816496581, 0.40824829, 0, 0.40824829}},
    {R"(<geom type="box" size="0.1 0.2 0.3" axisangle="1 2 0 40"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0.939692621, 0.152956058, 0.305912116, 0}},
    {R"(<geom type="box" size="0.1 0.2 0.3" xyaxes="1 1 0 0 1 0.5"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0.880476239, 0.279848142, 0.115916896, 0.3647052}},
    {R"(<geom type="box" size="0.1 0.2 0.3" zaxis="0.1 0.2 -0.3"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0.314814449, -0.848948462, 0.424474231, 0}},
    {R"(<geom type="box" size="0.1 0.2 0.3" zaxis="0 0 -2"/>)",
     Cuboid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0, 1, 0, 0}},
    {R"(<geom type="box" fromto="0 0 0 0.1 0.2 -0.3" size="0.05"/>)",
     Cuboid,
     {0.05, 0.05, 0.187082869},
     {0.05, 0.1, -0.15},
     {0.949153235, 0.281578603, -0.140789302, 0}},
    {R"(<geom type="ellipsoid" fromto="0.1 0 0 0.6 0 0" size="0.1"/>)",
     Ellipsoid,
     {0.1, 0.1, 0.25},
     {0.35, 0, 0},
     {0.707106781, 0, -0.707106781, 0}},
    {R"(<geom type="ellipsoid" size="0.1 0.2 0.3" euler="40 0 0"/>)",
     Ellipsoid,
     {0.1, 0.2, 0.3},
     {0, 0, 0},
     {0.939692621, 0, 0, 0.342020143}},
    {R"(<geom type="cylinder" fromto="0 0 0 0 0.4 0.3" size="0.1"/>)",
     Cylinder,
     {0.1, 0.5, 0},
     {0, 0.2, 0.15},
     {0.447213595, 0.894427191, 0, 0}},
    {R"(<geom type="cylinder" size="0.1 0.3" euler="0 50 0"/>)",
     Cylinder,
     {0.1, 0.6, 0},
     {0, 0, 0},
     {0.906307787, 0, 0.422618262, 0}},
    {R"(<geom type="capsule" size="0.1" pos="0 0.5 0"/>)",
     Capsule,
     {0.1, 0.4, 0},
     {0, 0.5, 0},
     {1, 0, 0, 0}},
    {R"(<geom type="capsule" fromto="0 0 0 0.3 0.3 0" size="0.1"/>)",
     Capsule,
     {0.1, 0.424264069, 0},
     {0.15, 0.15, 0},
     {0.707106781, 0.5, -0.5, 0}},
    // Sizes of the class stay where the geom gives fewer
    {R"(<geom class="slab" size="0.3"/>)",
     Cuboid,
     {0.3, 0.3, 0.05},
     {0, 0, 0},
     {0.965925826, 0, 0, 0.258819045}},
    // An euler of the class wins over a quat of the geom, not over its axisangle
    {R"(<geom class="slab" quat="1 0 0 0"/>)",
     Cuboid,
     {0.1, 0.3, 0.05},
     {0, 0, 0},
     {0.965925826, 0, 0, 0.258819045}},
    {R"(<geom class="slab" axisangle="0 1 0 90"/>)",
     Cuboid,
     {0.1, 0.3, 0.05},
     {0, 0, 0},
     {0.707106781, 0, 0.707106781, 0}},
    {R"(<geom class="board"/>)", Cuboid, {0.3, 0.05, 0.2}, {0, 0, 0}, {1, 0, 0, 0}},
    {R"(<frame pos="1 0 0" euler="0 0 30" childclass="slab"><frame axisangle="1 0 0 20" pos="0 0 1"><geom pos="0 0.5 0"/></frame></frame>)",
     Cuboid,
     {0.1, 0.3, 0.05},
     {1, -0.178606195, 1.249047625},
     {0.875426098, 0.408217894, -0.109381655, 0.234569716}},
};

class MjcfReading : public testing::Test {
 protected:
  MjcfReading() { std::filesystem::create_directories(home_ / "meshes"); }

  /// A file with classes, meshes and what is in its world.
  std::filesystem::path file(const std::string& world, const std::string& more = "") const {
    return writeText(home_ / "m.xml",
                     R"(<mujoco model="made"><compiler eulerseq="zYx" meshdir="meshes"/>
<default><geom size="0.2 0.2 0.2"/>
  <default class="slab"><geom type="box" size="0.1 0.3 0.05" euler="30 0 0"/></default>
  <default class="board"><geom type="box" size="0.3 0.05 0.2"/></default>
  <default class="big"><mesh scale="2 2 2"/></default></default>
<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
  <mesh name="moved" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
    refpos="1 2 3" refquat="1 0 0 2" scale="1 0.5 -1"/></asset>)" +
                         more + "<worldbody>" + world + "</worldbody></mujoco>");
  }
  RobotFile read(const std::string& world, const std::string& more = "",
                 bool visualToo = false) const {
    auto robot = readRobot(file(world, more), {visualToo, {}});
    if (!robot) throw std::runtime_error(robot.error().message);
    return *std::move(robot);
  }
  void expectFault(const std::string& world, const char* sentence, const std::string& more = "",
                   ErrorCode code = ErrorCode::BadFormat) const {
    const auto robot = readRobot(file(world, more), {});
    ASSERT_FALSE(robot) << world << more;
    EXPECT_THAT(robot.error().message, HasSubstr(sentence));
    EXPECT_THAT(robot.error().message, HasSubstr("m.xml\", line "));
    EXPECT_EQ(robot.error().code, code) << robot.error().message;
  }
  static std::string body(const std::string& inside) { return "<body>" + inside + "</body>"; }

  test::TemporaryFolder home_;
};

void expectSame(const Vec3& a, const Vec3& b, const std::string& what) {
  EXPECT_LT(glm::distance(a, b), 1e-7) << what;
}

TEST_F(MjcfReading, ShapesAreWhereMujocoHasThem) {
  for (const Compiled& each : compiled) {
    const RobotFile robot = read(body(each.xml));
    ASSERT_EQ(robot.links.size(), 1u) << each.xml;
    ASSERT_EQ(robot.links[0].shapes.size(), 1u) << each.xml;
    const LinkShape& shape = robot.links[0].shapes[0];
    EXPECT_EQ(shape.kind, each.kind) << each.xml;
    for (int i = 0; i < (each.kind == Ball                               ? 1
                         : each.kind == Cuboid || each.kind == Ellipsoid ? 3
                                                                         : 2);
         ++i)
      EXPECT_NEAR(shape.size[i], each.size[i], 1e-9) << each.xml << " " << i;
    expectSame(shape.at, each.at, each.xml);
    const Quat turn(each.turn[0], each.turn[1], each.turn[2], each.turn[3]);
    for (const Vec3& axis : {Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)})
      expectSame(shape.turn * axis, turn * axis, each.xml);
  }
}

TEST_F(MjcfReading, PosesOfBodiesDoNotMoveTheirShapes) {
  const RobotFile robot = read(
      R"(<body name="a" pos="1 2 3" euler="1 2 3"><geom pos="0 0 1"/><body pos="4 5 6"><geom/></body></body>)");
  expectSame(robot.links[0].shapes[0].at, Vec3(0.0, 0.0, 1.0), "a");
  expectSame(robot.links[1].shapes[0].at, Vec3(0.0), "b");
}

TEST_F(MjcfReading, AnglesAreRadiansWhereTheCompilerSaysSo) {
  const RobotFile robot = read(body(R"(<geom type="box" euler="0 0 1.5707963267948966"/>)"),
                               R"(<compiler angle="radian"/><compiler eulerseq="XYZ"/>)");
  // About z alone, by a quarter: the last sequence wins, and angle stays
  expectSame(robot.links[0].shapes[0].turn * Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), "x");
}

TEST_F(MjcfReading, GeomsShareTheMeshOfAnAsset) {
  const RobotFile robot =
      read(body(R"(<geom type="mesh" mesh="tet"/><geom type="mesh" mesh="tet" pos="1 0 0"/>)"));
  const auto& shapes = robot.links[0].shapes;
  ASSERT_EQ(shapes.size(), 2u);
  ASSERT_TRUE(shapes[0].mesh);
  EXPECT_EQ(shapes[0].mesh, shapes[1].mesh);
}

TEST_F(MjcfReading, ReferencesOfMeshesComeBeforeTheirScale) {
  const RobotFile robot = read(body(R"(<geom type="mesh" mesh="moved"/>)"));
  const LinkShape& shape = robot.links[0].shapes[0];
  ASSERT_TRUE(shape.mesh);
  EXPECT_EQ(shape.mesh->triangles.size(), 4u);
  expectSame(shape.originAt, Vec3(1.0, 2.0, 3.0), "at");
  expectSame(shape.scale, Vec3(1.0, 0.5, -1.0), "scale");
  // Where MuJoCo has the first vertex
  const Vec3 first = shape.scale * (glm::conjugate(shape.originTurn) * -shape.originAt);
  expectSame(first, Vec3(-1.0, 1.0, 3.0), "first");
}

TEST_F(MjcfReading, FindsMeshFiles) {
  for (const char* name : {"a.stl", "b.OBJ", "c.obj"}) writeText(home_ / "meshes" / name, "");
  const std::string assets =
      R"(<asset><mesh file="sub/../a.stl" class="big"/><mesh name="other" file="b.OBJ"/>
      <mesh file=")" +
      (home_ / "meshes" / "c.obj").string() + R"("/></asset>)";
  const RobotFile robot =
      read(body(R"(<geom type="mesh" mesh="a"/><geom type="mesh" mesh="other"/>
      <geom type="mesh" mesh="c"/>)"),
           (std::filesystem::create_directories(home_ / "meshes" / "sub"), assets));
  const auto& shapes = robot.links[0].shapes;
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0].file, home_ / "meshes" / "sub/../a.stl");
  EXPECT_EQ(shapes[0].scale, Vec3(2.0));
  EXPECT_EQ(shapes[1].file, home_ / "meshes" / "b.OBJ");
  EXPECT_EQ(shapes[1].scale, Vec3(1.0));
  EXPECT_EQ(shapes[2].file, home_ / "meshes" / "c.obj");

  const RobotFile stripped =
      read(body(R"(<geom type="mesh" mesh="a"/>)"),
           R"(<compiler strippath="true"/><asset><mesh file="/far/away/a.stl"/></asset>)");
  EXPECT_EQ(stripped.links[0].shapes[0].file, home_ / "meshes" / "a.stl");
  // meshdir wins over assetdir, wherever they stand
  const RobotFile folders =
      read(body(R"(<geom type="mesh" mesh="a"/>)"),
           R"(<compiler assetdir="gone"/><asset><mesh file="a.stl"/></asset>)");
  EXPECT_EQ(folders.links[0].shapes[0].file, home_ / "meshes" / "a.stl");
}

TEST_F(MjcfReading, BodiesAreLinksInMujocosOrder) {
  const RobotFile robot = read(
      R"(<geom type="plane"/><geom contype="0" conaffinity="0"/><body name="a"><geom/><body/><frame><body name="body5"/></frame></body>
      <frame><geom type="hfield"/><body name="b"/></frame><body/>)");
  std::vector<std::string> names;
  for (const auto& link : robot.links) names.push_back(link.name);
  EXPECT_THAT(names, testing::ElementsAre("a", "body2", "body5", "b", "body5_"));
  EXPECT_EQ(robot.name, "made");
  EXPECT_EQ(robot.format, app::robot::RobotFormat::Mjcf);
  ASSERT_EQ(robot.remarks.size(), 1u);
  EXPECT_THAT(robot.remarks[0], HasSubstr("geoms of the world that collide (2) belong to no link"));
}

TEST_F(MjcfReading, TakesWhatCollides) {
  const std::string world =
      R"(<body name="a"><geom name="0" contype="0"/><geom contype="0" conaffinity="0"/>
      <geom class="seen"/><geom class="seen" conaffinity="2" group="5"/></body>
      <body name="b" childclass="seen"><geom/><geom type="box"/><frame childclass="board"><geom/></frame></body>
      <body name="c" childclass="seen"><geom/><geom type="box"/></body>)";
  const std::string more =
      R"(<default><default class="seen"><geom contype="0" conaffinity="0"/></default></default>)";
  const RobotFile robot = read(world, more);
  EXPECT_EQ(robot.links[0].shapes.size(), 2u);
  ASSERT_EQ(robot.links[1].shapes.size(), 1u);
  EXPECT_EQ(robot.links[1].shapes[0].kind, Cuboid);
  EXPECT_TRUE(robot.links[2].shapes.empty());
  EXPECT_TRUE(robot.remarks.empty());
  const RobotFile seen = read(world, more, true);
  EXPECT_EQ(seen.links[0].shapes.size(), 2u);
  EXPECT_EQ(seen.links[1].shapes.size(), 1u);
  EXPECT_EQ(seen.links[2].shapes.size(), 2u);
}

TEST_F(MjcfReading, ClassesHaveWhatIsAroundThemWhereverItStands) {
  const RobotFile robot = read(
      R"(<body childclass="inner"><geom/><body><geom class="outer"/></body><geom class="main"/></body>)",
      R"(<default class="main"><default class="outer"><default class="inner"><geom pos="1 0 0"/></default>
      <geom type="ellipsoid" size="0.4"/><geom pos="3 0 0"/></default><geom pos="2 0 0"/></default>)");
  const auto& shapes = robot.links[0].shapes;
  EXPECT_EQ(shapes[0].kind, Ellipsoid);
  expectSame(shapes[0].size, Vec3(0.4, 0.2, 0.2), "inner");
  expectSame(shapes[0].at, Vec3(1.0, 0.0, 0.0), "inner");
  expectSame(robot.links[1].shapes[0].at, Vec3(3.0, 0.0, 0.0), "outer");
  EXPECT_EQ(shapes[1].kind, Ball);
  expectSame(shapes[1].at, Vec3(2.0, 0.0, 0.0), "main");
}

TEST_F(MjcfReading, IncludesFilesBesideTheFirst) {
  std::filesystem::create_directories(home_ / "parts");
  writeText(home_ / "parts" / "arm.xml",
            R"(<mujocoinclude><body name="arm"><include file="parts/hand.xml"/></body>
            <body name="last"/></mujocoinclude>)");
  writeText(home_ / "parts" / "hand.xml", R"(<x><geom size="0.7"/><geom size="0.8"/></x>)");
  const std::string world =
      R"(<body name="first"/><include file="parts/arm.xml"/><body name="after"/>)";
  const RobotFile robot = read(world);
  std::vector<std::string> names;
  for (const auto& link : robot.links) names.push_back(link.name);
  EXPECT_THAT(names, testing::ElementsAre("first", "arm", "last", "after"));
  ASSERT_EQ(robot.links[1].shapes.size(), 2u);
  EXPECT_EQ(robot.links[1].shapes[1].size.x, 0.8);
  // A fault is where it was written
  writeText(home_ / "parts" / "hand.xml", "<x>\n\n<geom size=\"-1\"/></x>");
  const auto faulty = readRobot(file(world), {});
  ASSERT_FALSE(faulty);
  EXPECT_THAT(faulty.error().message,
              HasSubstr("hand.xml\", line 3: size of a geom of type sphere"));
  expectFault(R"(<include file="m.xml"/>)", "\"m.xml\" is included once more");
  expectFault(R"(<include file="gone.xml"/>)", "there is no file", "", ErrorCode::NotFound);
  expectFault("<include/>", "<include> names no file");
}

TEST_F(MjcfReading, NamesFaults) {
  const nearmiss::test::Untrapped endsOfTheRange;
  const auto geom = [&](const std::string& attributes, const char* sentence,
                        ErrorCode code = ErrorCode::BadFormat) {
    expectFault(body("<geom " + attributes + "/>"), sentence, "", code);
  };
  geom(R"(pos="1,2,3")", "pos of <geom> is \"1,2,3\", not 3 numbers");
  geom(R"(pos="1 2")", "not 3 numbers");
  geom(R"(size="1 2 3 4")", "not 1 to 3 numbers");
  geom(R"(size="nan")", "size of <geom>");
  geom(R"(size="1,5")", "size of <geom> is \"1,5\", not 1 to 3 numbers");
  geom(R"(type="capsule" size="1 -1")",
       "size of a geom of type capsule is \"1 -1\", not 2 numbers above 0");
  geom(R"(type="cone")", "\"cone\" is not a geom type");
  geom(R"(quat="0 0 0 0")", "quat of <geom> is not an orientation");
  geom(R"(quat="1e200 1e200 0 0")", "quat of <geom> is not an orientation");
  geom(R"(size="1" pos="1e200 0 0")", "lies too far away");
  geom(R"(zaxis="1e200 0 1e200")", "zaxis of <geom> names no direction");
  geom(R"(zaxis="0 0 0")", "zaxis of <geom> names no direction");
  geom(R"(xyaxes="1 0 0 2 0 0")", "xyaxes of <geom> names no direction");
  geom(R"(quat="1 0 0 0" euler="0 0 0")", "more than one orientation");
  geom(R"(fromto="0 0 0 1 1 1")", "a sphere has no fromto");
  geom(R"(type="capsule" fromto="1 1 1 1 1 1")", "the same point twice");
  geom(R"(contype="0.5")", "contype is \"0.5\", not a whole number");
  geom(R"(class="none")", "there is no default class \"none\"");
  geom(R"(type="mesh")", "names no mesh");
  geom(R"(type="mesh" mesh="none")", "no asset is the mesh \"none\"");
  geom(R"(type="box" mesh="tet")", "a geom of type box fitted to the mesh \"tet\"",
       ErrorCode::Unsupported);
  geom(R"(type="plane" size="1 1 1")", "no spheres cover a geom of type plane",
       ErrorCode::Unsupported);
  expectFault(R"(<body name="a"/><body name="a"/>)", "the body \"a\" is there twice");
  for (const char* maker : {"replicate", "attach", "composite", "flexcomp"})
    expectFault(body("<" + std::string(maker) + "/>"), "is not read", "", ErrorCode::Unsupported);
}

TEST_F(MjcfReading, NamesFaultsOfSections) {
  const std::string mesh = body(R"(<geom type="mesh" mesh="a"/>)");
  expectFault("", "only local", R"(<compiler coordinate="global"/>)", ErrorCode::Unsupported);
  expectFault("", "angle is \"turns\", not degree or radian", R"(<compiler angle="turns"/>)");
  expectFault("", "not three of xyzXYZ", R"(<compiler eulerseq="xyzx"/>)");
  expectFault("", "has no class", "<default><default/></default>");
  expectFault("", "\"slab\" is there twice", R"(<default><default class="slab"/></default>)");
  expectFault("", "both at the top", R"(<default class="a"/><default class="b"/>)");
  expectFault("", "refpos is not an attribute that a default class",
              R"(<default><mesh refpos="0 0 0"/></default>)");
  expectFault(mesh, "\"a\" is there twice",
              R"(<asset><mesh file="a.stl"/><mesh name="a"/></asset>)");
  expectFault(mesh, "there is no file", R"(<asset><mesh file="a.stl"/></asset>)",
              ErrorCode::NotFound);
  expectFault(mesh, "is MSH", R"(<asset><mesh file="a.msh"/></asset>)", ErrorCode::Unsupported);
  expectFault(mesh, "has neither file nor vertex", R"(<asset><mesh name="a"/></asset>)",
              ErrorCode::Unsupported);
  const auto inlined = [&](const std::string& attributes, const char* sentence,
                           ErrorCode code = ErrorCode::BadFormat) {
    expectFault(mesh, sentence, "<asset><mesh name=\"a\" " + attributes + "/></asset>", code);
  };
  inlined(R"(vertex="0 0 0")", "all points lie in one plane", ErrorCode::EmptyMesh);
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0 1 1 0")", "all points lie in one plane",
          ErrorCode::EmptyMesh);
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1e30")", "vertex 3: z is 1e+30");
  inlined(R"(vertex="")", "all points lie in one plane", ErrorCode::EmptyMesh);
  inlined(R"(vertex="0 0 0 1" face="0 0 0")", "three numbers each");
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 3")", "names the vertex 3, of 3");
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 -1")", "names the vertex -1, of 3");
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 0.5")", "names the vertex 0.5, of 3");
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 1")", "triangle", ErrorCode::EmptyMesh);
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" scale="1 0 1")", "scale of <mesh> is 0");
  inlined(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" class="none")", "no default class \"none\"");
}

}  // namespace
}  // namespace nearmiss
