// SPDX-License-Identifier: MIT
/// What MJCF leaves out: ends that a default class gives, faces that a convex hull has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <tinyxml2.h>

#include <string>
#include <utility>

#include "support/files.h"
#include "tools/robot/robot_file.h"

namespace nearmiss {
namespace {

using app::robot::readRobot;
using app::robot::RobotFile;
using testing::HasSubstr;

class MjcfClasses : public testing::Test {
 protected:
  Result<RobotFile> read(const std::string& geoms, const std::string& sections) const {
    return readRobot(test::writeText(home_ / "m.xml", "<mujoco>" + sections + "<worldbody><body>" +
                                                          geoms + "</body></worldbody></mujoco>"),
                     {});
  }
  static void expectNear(const Vec3& a, const Vec3& b, const char* what) {
    EXPECT_LT(glm::distance(a, b), 1e-12) << what;
  }
  test::TemporaryFolder home_;
};

TEST_F(MjcfClasses, EndsMayComeFromTheClass) {
  const std::string limbs = R"(<default><default class="limb"><geom type="capsule" size="0.1"
  fromto="0 0 0 0 0 -0.6"/><default class="arm"><geom fromto="1 0 0 1 0.4 0"/></default></default></default>)";
  const auto robot = read(
      R"(<geom class="limb"/><geom class="arm"/><geom class="limb" fromto="0 0 1 0 0 2" size="0.2"/>)",
      limbs);
  ASSERT_TRUE(robot) << robot.error().message;
  const auto& shapes = robot->links[0].shapes;
  ASSERT_EQ(shapes.size(), 3u);
  expectNear(shapes[0].at, Vec3(0.0, 0.0, -0.3), "of the class");
  expectNear(shapes[0].size, Vec3(0.1, 0.6, 0.0), "of the class");
  expectNear(shapes[1].at, Vec3(1.0, 0.2, 0.0), "of a class in it");
  expectNear(shapes[1].size, Vec3(0.1, 0.4, 0.0), "of a class in it");
  expectNear(shapes[1].turn * Vec3(0.0, 0.0, 1.0), Vec3(0.0, -1.0, 0.0), "of a class in it");
  expectNear(shapes[2].at, Vec3(0.0, 0.0, 1.5), "its own");
  expectNear(shapes[2].size, Vec3(0.2, 1.0, 0.0), "its own");
  const auto sphere = read(R"(<geom class="limb" type="sphere"/>)", limbs);
  ASSERT_FALSE(sphere);
  EXPECT_THAT(sphere.error().message, HasSubstr("a sphere has no fromto"));
}

/// Each geom walks through all elements of its classes.
TEST_F(MjcfClasses, HoldNoMoreElementsThanGeomsCanWalkThrough) {
  const auto classes = [](int above, int inside) {
    std::string text = "<default>";
    for (int i = 0; i < above; ++i) text += "<geom size=\"1\"/><mesh/>";
    text += "</default><default><default class=\"in\">";
    for (int i = 0; i < inside; ++i) text += "<geom size=\"2\"/>";
    return text + "</default></default>";
  };
  const std::string geoms = R"(<geom/><geom class="in"/>)";
  const auto robot = read(geoms, classes(60, 40));
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->links[0].shapes[0].size.x, 1.0);
  EXPECT_EQ(robot->links[0].shapes[1].size.x, 2.0);
  for (const auto& [above, inside] : {std::pair(101, 0), std::pair(60, 41)}) {
    const auto refused = read(geoms, classes(above, inside));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::TooLarge);
    EXPECT_THAT(refused.error().message, HasSubstr("has more than 100 <geom> or <mesh>"));
  }
}

TEST_F(MjcfClasses, VerticesAloneAreTheirConvexHull) {
  // A cube of eight corners, and points inside of it, on a face and on an edge
  std::string corners;
  for (int i = 0; i < 8; ++i)
    corners += std::string(i & 1 ? "1 " : "-1 ") + (i & 2 ? "2 " : "-2 ") + (i & 4 ? "3 " : "-3 ");
  const auto robot =
      read(R"(<geom type="mesh" mesh="cloud"/>)",
           R"(<asset><mesh name="cloud" vertex=")" + corners + R"(0 0 0 1 0 0 1 2 0.5"/></asset>)");
  ASSERT_TRUE(robot) << robot.error().message;
  const auto& mesh = robot->links[0].shapes[0].mesh;
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->positions.size(), 8u);
  EXPECT_EQ(mesh->triangles.size(), 12u);
  const MeshReport report = checkMesh(*mesh);
  EXPECT_TRUE(report.solid());
  EXPECT_NEAR(report.volume, 48.0, 1e-12);
}

}  // namespace
}  // namespace nearmiss
