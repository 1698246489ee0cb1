// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "support/comma_locale.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"

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

TEST_F(LoadMesh, ReadsTheSameNumbersInEveryLanguage) {
  const test::CommaLocale comma;
  if (!comma.isThere()) GTEST_SKIP() << "no language with a decimal comma can be made";
  const std::string rest = "v 1.5 0 0\nv 0 1.5 0\nv 0 0 1.5\nf 1 2 3\nf 1 2 4\n";
  const auto usual = load("x.obj", "v -0.25 1.5e-400 -3e-99999999999999999999\n" + rest);
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_EQ(usual->positions[0], Vec3(-0.25, 0.0, 0.0));
  EXPECT_EQ(usual->positions[1].x, 1.5);
  for (const char* tooLarge : {"1.5e400", "-0.00015e400", "1.5e99999999999999999999"}) {
    const auto refused = load("x.obj", std::string("v 0 0 ") + tooLarge + "\n" + rest);
    ASSERT_FALSE(refused) << tooLarge;
    EXPECT_THAT(refused.error().message, HasSubstr("not a finite number"));
  }
}

/// It would hide the first word: in OBJ that is a vertex, and every index means another one.
TEST_F(LoadMesh, PassesOverTheMarkOfUtf8) {
  const std::string mark = "\xef\xbb\xbf";
  const TriangleMesh cube = test::cube();
  const std::string off = test::asOff(cube);
  for (const auto& [name, text] :
       {std::pair{"x.obj", test::asObj(cube)}, std::pair{"x.off", off},
        std::pair{"x.off", off.substr(off.find('\n') + 1)}, std::pair{"x.ply", test::asPly(cube)},
        std::pair{"x.ply", test::asBinaryPly(cube)}, std::pair{"x.stl", test::asAsciiStl(cube)}}) {
    const auto without = load(name, text), with = load(name, mark + text);
    ASSERT_TRUE(without && with) << name << " " << (with ? "" : with.error().message);
    EXPECT_EQ(with->positions, without->positions) << name;
    EXPECT_EQ(with->triangles, without->triangles) << name;
  }
  // The head of a binary STL may begin with any bytes
  std::string stl = test::asBinaryStl(cube);
  const auto plain = load("x.stl", stl);
  stl.replace(0, mark.size(), mark);
  const auto marked = load("x.stl", stl);
  ASSERT_TRUE(plain && marked);
  EXPECT_EQ(marked->positions, plain->positions);
}

/// Words of a text STL may be parted by any spaces: a facet behind another one is none the less.
TEST_F(LoadMesh, ReadsFacetsThatShareALine) {
  const TriangleMesh cube = test::cube();
  const std::string lines = test::asAsciiStl(cube);
  const std::size_t begin = lines.find("facet"), end = lines.rfind("endsolid");
  std::string facets = lines.substr(begin, end - begin);
  std::ranges::replace(facets, '\n', ' ');
  const auto usual = load("x.stl", lines);
  for (const std::string& last : {std::string("\nendsolid"), std::string("endsolid a facet")}) {
    const auto one = load("x.stl", "solid a\n" + facets + last + "\n");
    ASSERT_TRUE(usual && one) << (one ? "" : one.error().message);
    EXPECT_EQ(one->triangles, usual->triangles);
    EXPECT_EQ(one->positions, usual->positions);
  }
  const auto lost = load("x.stl", "solid a " + facets + "\n" + facets + "\nendsolid\n");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, HasSubstr("line 1: a facet in the line of a solid's name"));
}

/// The format has no comments: `#` is a letter of a name, and what some writers put behind it is
/// left out only where it says nothing.
TEST_F(LoadMesh, LosesNoFacetBehindANumberSign) {
  const std::string lines = test::asAsciiStl(test::cube());
  const std::string facets = lines.substr(lines.find("facet"));
  const auto usual = load("x.stl", lines);
  for (const std::string head : {"solid a # 2\n", "solid a\n# by hand\n", "solid\n#\n"}) {
    const auto same = load("x.stl", head + facets);
    ASSERT_TRUE(usual && same) << head << (same ? "" : same.error().message);
    EXPECT_EQ(same->positions, usual->positions);
  }
  // Words may be parted by any spaces: a whole facet may stand in the line
  std::string one = facets.substr(0, facets.find("endfacet")) + "endfacet\n";
  std::replace(one.begin(), one.end() - 1, '\n', ' ');
  for (const std::string head : {"solid a # ", "solid a #1 ", "solid a\n# "})
    EXPECT_FALSE(load("x.stl", head + one + facets)) << head;
}

/// A corner is a vertex of its own for each normal that its position is used with.
TEST_F(LoadMesh, KeepsAVertexForEachPositionWithANormal) {
  std::string text = test::asObj(test::tetrahedron());
  text = text.substr(0, text.find('f')) + "vn 1 0 0\nvn 0 1 0\nvn 0 0 1\n";
  for (int round = 0; round < 2; ++round)
    text += "f 1//1 2//1 3//1\nf 1//2 2//2 3//2\nf 1//3 2//3 3//3\nf 1 2 3\nf 1//1 2//2 4\n";
  const auto read = readMeshFile(writeText(folder_ / "x.obj", text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mesh.positions.size(), 13u);
  ASSERT_EQ(read->mesh.triangles.size(), 10u);
  EXPECT_EQ(read->normals[read->mesh.triangles[4][1]], Vec3(0, 1, 0));
  for (std::size_t t = 0; t < 5; ++t)
    EXPECT_EQ(read->mesh.triangles[t], read->mesh.triangles[t + 5]);
}

TEST_F(LoadMesh, TakesNoByteOfAVertexForTheEndOfALine) {
  std::string lines = test::asBinaryPly(test::cube());
  const std::string last = "end_header\n";
  const std::size_t head = lines.find(last) + last.size();
  lines[head] = '\n';
  std::string lone = lines;
  std::replace(lone.begin(), lone.begin() + static_cast<std::ptrdiff_t>(head), '\n', '\r');
  const auto usual = load("x.ply", lines), read = load("x.ply", lone);
  ASSERT_TRUE(usual && read) << (read ? "" : read.error().message);
  EXPECT_EQ(read->positions, usual->positions);
}

/// Names that are looked for one by one would take minutes.
TEST_F(LoadMesh, TakesAnyNumberOfMaterials) {
  std::string text = test::asObj(test::tetrahedron());
  for (int i = 0; i < 400'000; ++i)
    text += "usemtl material " + std::to_string(i) + (i % 100'000 == 0 ? "\nf 1 2 3\n" : "\n");
  const auto file = writeText(folder_ / "many.obj", text);
  const auto read = readMeshFile(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->materials.size(), 400'000u);
  EXPECT_EQ(read->materialOf.back(), 300'001u);
  EXPECT_EQ(read->materials[300'000], "material 300000");
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
  for (const char* length : {"2.5", "-1", "nan"})
    EXPECT_THAT(
        errorOf("x.ply",
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                "end_header\n0 0 0\n1 0 0\n0 1 0\n" +
                    std::string(length) + " 0 1 2 0 1\n")
            .message,
        HasSubstr(std::string("a list of length ") + length));
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
