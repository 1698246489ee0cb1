// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/load_mesh.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::writeText;
using testing::HasSubstr;

class LoadMesh : public testing::Test {
 protected:
  Result<TriangleMesh> load(const std::string& name, const std::string& text,
                            const MeshFileLimits& limits = {}) const {
    // A file that is written over may have to be on the disk first
    std::filesystem::remove(folder_ / name);
    return loadMesh(writeText(folder_ / name, text), limits);
  }
  test::TemporaryFolder folder_;
};

TEST_F(LoadMesh, KeepsFrameAndUnitAndClosesWhatIsClosed) {
  TriangleMesh torus = test::torus(12, 6);
  for (Vec3& p : torus.positions) p = 25.0 * p + Vec3(100.0, -40.0, 7.0);
  const struct {
    const char* name;
    std::string text;
  } written[] = {{"x.obj", test::asObj(torus)},
                 {"x.ply", test::asPly(torus)},
                 {"X.STL", test::asAsciiStl(torus)},
                 {"x.stl", test::asBinaryStl(torus)}};
  for (const auto& [name, text] : written) {
    const auto mesh = load(name, text);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->triangles.size(), torus.triangles.size()) << name;
    EXPECT_EQ(mesh->positions.size(), torus.positions.size()) << name;
    EXPECT_TRUE(checkMesh(*mesh).solid()) << name;
    // STL has floats
    const Box box = boundingBox(*mesh), own = boundingBox(torus);
    EXPECT_LT(glm::distance(box.centre(), own.centre()), 1e-4) << name;
  }
}

TEST_F(LoadMesh, TriangulatesPolygons) {
  const auto mesh = load("x.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->triangles.size(), 2u);
}

TEST_F(LoadMesh, SaysInOneSentenceWhyThereIsNone) {
  const auto errorOf = [&](const std::string& name, const std::string& text,
                           const MeshFileLimits& limits = {}) {
    const auto mesh = load(name, text, limits);
    EXPECT_FALSE(mesh) << name;
    return mesh ? Error{} : mesh.error();
  };
  EXPECT_EQ(loadMesh(folder_ / "none.obj").error().code, ErrorCode::NotFound);
  EXPECT_THAT(loadMesh(folder_ / "none.obj").error().message, HasSubstr("(No such file)"));
  EXPECT_EQ(loadMesh(folder_.path()).error().code, ErrorCode::Unreadable);
  EXPECT_THAT(loadMesh("/dev/zero").error().message, HasSubstr("(Not a regular file)"));
  EXPECT_EQ(errorOf("x.glb", "glTF").code, ErrorCode::Unsupported);
  EXPECT_THAT(errorOf("x.glb", "glTF").message, HasSubstr("only OBJ, OFF, PLY and STL"));
  EXPECT_THAT(errorOf("x.obj", "").message, HasSubstr("the file is empty"));
  EXPECT_EQ(errorOf("x.obj", "v 0 0 0\n").code, ErrorCode::EmptyMesh);
  EXPECT_EQ(errorOf("x.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").code, ErrorCode::EmptyMesh);
  EXPECT_THAT(errorOf("x.obj", "v 0 0 0\nv 1,5 0 0\n").message,
              HasSubstr("x.obj\": line 2: \"1,5\" is no number: decimals follow a point"));
  EXPECT_THAT(errorOf("x.obj", "v 0 0 1e16\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").message,
              HasSubstr("beyond 1e15"));
  EXPECT_THAT(errorOf("x.ply", "ply\nformat ascii 1.0\nelement vertex 9\nend_header\n").message,
              HasSubstr("it announces 9 of \"vertex\""));
  EXPECT_EQ(errorOf("x.obj", test::asObj(test::torus()), {.maxTriangles = 10}).code,
            ErrorCode::TooLarge);
  EXPECT_EQ(errorOf("x.obj", test::asObj(test::torus()), {.maxFileBytes = 10}).code,
            ErrorCode::TooLarge);
}

TEST_F(LoadMesh, QuotesNoBytesThatCannotBePrinted) {
  const auto mesh = load("x.obj", "v 0 0 \x01\xff" + std::string(1000, 'z') + "\n");
  ASSERT_FALSE(mesh);
  EXPECT_THAT(mesh.error().message, testing::MatchesRegex("\"[ -~]+: [ -~]+"));
}

TEST_F(LoadMesh, SurvivesEveryTruncation) {
  const TriangleMesh cube = test::cube();
  for (const auto& [name, whole] :
       {std::pair{"x.obj", test::asObj(cube)}, std::pair{"x.stl", test::asBinaryStl(cube)},
        std::pair{"x.ply", test::asPly(cube)}, std::pair{"x.stl", test::asAsciiStl(cube)}}) {
    std::size_t refused = 0;
    for (std::size_t length = 0; length < whole.size(); ++length)
      refused += !load(name, whole.substr(0, length));
    EXPECT_GT(refused, whole.size() / 4) << name;
  }
}

TEST(MeshFiles, AreKnownByTheirExtension) {
  for (const char* file : {"a.obj", "a.OFF", "b/c.Ply", "x.y.stl"}) EXPECT_TRUE(isMeshFile(file));
  for (const char* file : {"obj", "a.glb", "a.obj.gz", ""}) EXPECT_FALSE(isMeshFile(file));
}

}  // namespace
}  // namespace nearmiss
