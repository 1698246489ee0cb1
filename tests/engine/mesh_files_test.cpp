// SPDX-License-Identifier: MIT
/// The formats in which most meshes come: nothing of them is lost, and no number is changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

#include "engine/model_loading.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::appendBytes;
using nearmiss::test::writeText;
using testing::Contains;
using testing::HasSubstr;

constexpr LoadOptions asItIs{.targetRadius = 0.0, .weldDistance = 0.0};

/// A mesh with coordinates of all 17 digits, written with them.
TriangleMesh longNumbers() {
  TriangleMesh mesh = test::sphere();
  for (Vec3& p : mesh.positions) p = p / 3.0 + Vec3(1e7 / 7.0, -0.1, 1e-5 / 3.0);
  return mesh;
}

std::string digits(const Vec3& p) {
  char text[100];
  std::snprintf(text, sizeof text, "%.17g %.17g %.17g", p.x, p.y, p.z);
  return text;
}

std::string objText(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& p : mesh.positions) text += "v " + digits(p) + "\n";
  for (const auto& [a, b, c] : mesh.triangles)
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " +
            std::to_string(c + 1) + "\n";
  return text;
}

std::string faces(const TriangleMesh& mesh) {
  std::string text;
  for (const auto& [a, b, c] : mesh.triangles)
    text += "3 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
  return text;
}

std::string offText(const TriangleMesh& mesh) {
  std::string text = "OFF " + std::to_string(mesh.positions.size()) + " " +
                     std::to_string(mesh.triangles.size()) + " 0\n";
  for (const Vec3& p : mesh.positions) text += digits(p) + "\n";
  return text + faces(mesh);
}

std::string plyHead(const TriangleMesh& mesh, const std::string& format) {
  return "ply\r\nformat " + format + " 1.0\r\ncomment a face\r\nelement vertex " +
         std::to_string(mesh.positions.size()) +
         "\r\nproperty double x\r\nproperty double y\r\nproperty double z\r\nelement face " +
         std::to_string(mesh.triangles.size()) +
         "\r\nproperty list uchar int vertex_indices\r\nend_header\r\n";
}

std::string plyText(const TriangleMesh& mesh) {
  std::string text = plyHead(mesh, "ascii");
  for (const Vec3& p : mesh.positions) text += digits(p) + "\n";
  return text + faces(mesh);
}

template <class Number>
void appendReversed(std::string& bytes, Number number) {
  std::string own;
  appendBytes(own, number);
  bytes.append(own.rbegin(), own.rend());
}

std::string plyBigEndian(const TriangleMesh& mesh) {
  std::string bytes = plyHead(mesh, "binary_big_endian");
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) appendReversed(bytes, p[axis]);
  for (const auto& t : mesh.triangles) {
    bytes += '\3';
    for (const std::uint32_t v : t) appendReversed(bytes, v);
  }
  return bytes;
}

std::string stlText(const TriangleMesh& mesh) {
  std::string text = "solid facet 1 # 2\n";
  for (const auto& t : mesh.triangles) {
    text += " FACET NORMAL nan 0 -\n  outer loop\n";
    for (const std::uint32_t v : t) text += "   vertex " + digits(mesh.positions[v]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid facet 1\n";
}

class EveryMeshFile : public Loading, public testing::WithParamInterface<Format> {};

TEST_P(EveryMeshFile, KeepsEveryDigit) {
  const TriangleMesh mesh = longNumbers();
  const auto loaded =
      load(std::string("x.") + GetParam().extension, GetParam().write(mesh), asItIs);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->mesh.triangles.size(), mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    EXPECT_EQ(loaded->mesh.corners(t), mesh.corners(t));
  EXPECT_EQ(loaded->rounding, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryMeshFile,
                         testing::Values(Format{"obj", objText}, Format{"off", offText},
                                         Format{"ply", plyText}, Format{"PLY", plyBigEndian},
                                         Format{"stl", stlText}),
                         [](const auto& format) { return std::string(format.param.extension); });

struct Refused {
  const char* label;
  const char* name;
  std::string text;
  std::string sentence;
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.label; }

class EveryRefusal : public Loading, public testing::WithParamInterface<Refused> {};

TEST_P(EveryRefusal, NamesTheFault) {
  const auto loaded = load(GetParam().name, GetParam().text, asItIs);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr(GetParam().sentence));
}

const std::string plyStart =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
    "property float y\nproperty float z\n";
const std::string threePoints = "0 0 0\n1 0 0\n0 1 0\n";

INSTANTIATE_TEST_SUITE_P(
    Formats, EveryRefusal,
    testing::Values(
        Refused{"obj_comma", "x.obj", "v 0,5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                "line 1: \"0,5\" is no number: decimals follow a point"},
        Refused{"obj_short", "x.obj", "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n",
                "line 2: a number is missing"},
        Refused{"obj_zero", "x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
                "line 4: index out of range: vertex 0, where there are 3"},
        Refused{"obj_back", "x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n",
                "line 4: index out of range: vertex -4, where there are 3"},
        Refused{"obj_normal", "x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n",
                "normal 1, where there are 0"},
        Refused{"obj_curved", "x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nsurf 0 1 0 1 1 2 3\n",
                "line 5: \"surf\" is a curved surface"},
        Refused{"off_comma", "x.off", "OFF\n3 1 0\n0 0 0\n1,0 0 0\n0 1 0\n3 0 1 2\n",
                "line 4: \"1,0\" is no number: decimals follow a point"},
        Refused{"off_index", "x.off", "OFF\n3 1 0\n" + threePoints + "3 0 1 3\n",
                "line 6: index out of range: vertex 3, where there are 3"},
        Refused{"off_negative", "x.off", "OFF\n3 1 0\n" + threePoints + "3 0 1 -1\n",
                "index out of range"},
        Refused{"off_few", "x.off", "OFF\n3 2 0\n" + threePoints + "3 0 1 2\n",
                "it announces 2 faces but ends after 1"},
        Refused{"off_binary", "x.off", "OFF BINARY\n", "only text is read"},
        Refused{"off_four", "x.off", "4OFF\n3 1 0\n" + threePoints + "3 0 1 2\n",
                "four dimensions"},
        Refused{"ply_comma", "x.ply",
                plyStart + "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0\n1 0,5 0\n0 1 0\n3 0 1 2\n",
                "vertex 1 of 3: \"0,5\" is no number: decimals follow a point"},
        Refused{"ply_index", "x.ply",
                plyStart + "element face 1\nproperty list uchar int vertex_index\nend_header\n" +
                    threePoints + "3 0 1 7\n",
                "face 0 of 1: index out of range: vertex 7"},
        Refused{"ply_fraction", "x.ply",
                plyStart + "element face 1\nproperty list uchar float vertex_index\nend_header\n" +
                    threePoints + "3 0 1 1.5\n",
                "index out of range"},
        Refused{"ply_few", "x.ply",
                plyStart + "element face 2\nproperty list uchar int vertex_index\nend_header\n" +
                    threePoints + "3 0 1 2\n3 0 1\n",
                "face 1 of 2: the file ends within it"},
        Refused{"ply_type", "x.ply",
                "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n"
                "end_header\n0\n",
                "\"real\" is no type"},
        Refused{"ply_format", "x.ply", "ply\nelement vertex 1\nproperty float x\nend_header\n0\n",
                "names no format"},
        Refused{"stl_comma", "x.stl",
                "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1,5 0 0\n",
                "line 5: \"1,5\" is no number: decimals follow a point"},
        Refused{"stl_cut", "x.stl",
                "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n",
                "the STL ends within a facet"},
        Refused{"stl_two", "x.stl",
                "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                "fewer than three corners"},
        Refused{"stl_word", "x.stl", "solid\nfacette normal 0 0 1\n",
                "\"facette\" in an STL file"}),
    [](const auto& refused) { return std::string(refused.param.label); });

TEST_F(Loading, ReadsNumbersInEveryWayOfWritingThem) {
  const auto loaded = load("x.obj",
                           "v .5 +.5 -.5\nv 1. 1e0 +1E-2 0.1 0.2 0.3\nv 0\\\n 1\\\r\n 0\n"
                           "f 1 2 \\\n 3 # the only one\n",
                           asItIs);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->mesh.triangles.size(), 1u);
  EXPECT_EQ(loaded->mesh.corners(0),
            (std::array{Vec3(0.5, 0.5, -0.5), Vec3(1, 1, 0.01), Vec3(0, 1, 0)}));
}

TEST_F(Loading, CountsObjIndicesFromBothEnds) {
  const auto loaded =
      load("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3/1 -2/1 -1/1\nv 0 0 1\nf 1 -1 2\n", asItIs);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->mesh.triangles.size(), 2u);
  EXPECT_EQ(loaded->mesh.corners(0), (std::array{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}));
  EXPECT_EQ(loaded->mesh.corners(1), (std::array{Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)}));
}

TEST_F(Loading, TellsOfLinesOfNoFormat) {
  const auto loaded = load("x.obj", "v 0 0 0\nv 1 0 0\nw 7\nv 0 1 0\nvertex 1\nf 1 2 3\n", asItIs);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("2 lines are not of this format")));
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("line 3")));
}

/// A tetrahedron as one strip, and one more as two strips with a break and a stitch between them.
TEST_F(Loading, ReadsStripsOfTriangles) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
      "property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n0 0 1\n5 0 0\n6 0 0\n5 1 0\n5 0 1\n";
  const auto loaded = load("x.ply", head + "18 2 1 0 3 2 1 -1 6 5 4 7 -1 4 4 4 7 6 5\n", asItIs);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 8u);
  EXPECT_EQ(loaded->report.components, 2u);
  EXPECT_TRUE(loaded->report.solid());
  EXPECT_EQ(loaded->report.misorientedEdges, 0u);
  EXPECT_THAT(loaded->warnings, testing::Not(Contains(HasSubstr("reversed"))));
}

TEST_F(Loading, CountsTheTrianglesOfStripsAndFansInGltf) {
  // Five corners of a flat pentagon, as a fan and as a strip in zigzag
  for (const auto& [mode, order] :
       {std::pair{6, std::array{0, 1, 2, 3, 4}}, std::pair{5, std::array{0, 1, 4, 2, 3}}}) {
    std::string buffer;
    for (const Vec3& p :
         {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(3, 2, 0), Vec3(1, 3, 0), Vec3(-1, 2, 0)})
      for (int axis = 0; axis < 3; ++axis) appendBytes(buffer, static_cast<float>(p[axis]));
    for (const int v : order) appendBytes(buffer, static_cast<std::uint16_t>(v));
    appendBytes(buffer, std::uint16_t{0});
    writeText(folder_ / "x.bin", buffer);
    const auto loaded = load("x.gltf",
                             R"({"asset":{"version":"2.0"},"scene":0,
      "scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":)" +
                                 std::to_string(mode) + R"(}]}],
      "accessors":[{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3",
                    "min":[-1,0,0],"max":[3,3,0]},
                   {"bufferView":1,"componentType":5123,"count":5,"type":"SCALAR"}],
      "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":60},
                     {"buffer":0,"byteOffset":60,"byteLength":10}],
      "buffers":[{"uri":"x.bin","byteLength":72}]})",
                             asItIs);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->mesh.triangles.size(), 3u);
    Real area = 0.0;
    for (std::size_t t = 0; t < 3; ++t) {
      const auto [a, b, c] = loaded->mesh.corners(t);
      area += glm::length(glm::cross(b - a, c - a)) / 2.0;
    }
    EXPECT_DOUBLE_EQ(area, 8.0);
  }
}

TEST_F(Loading, TakesBinaryStlThatBeginsAsText) {
  std::string bytes = test::asBinaryStl(test::cube());
  bytes.replace(0, 5, "solid");
  const auto loaded = load("x.stl", bytes + "");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 12u);
  bytes.replace(0, 5, "SOLID");
  EXPECT_TRUE(load("x.stl", bytes));
  const auto longer = load("x.stl", bytes + "\n");
  ASSERT_TRUE(longer) << longer.error().message;
  EXPECT_EQ(longer->mesh.triangles.size(), 12u);
  EXPECT_THAT(longer->warnings, Contains(HasSubstr("1 bytes after its 12 triangles")));
}

TEST_F(Loading, TellsOfWhatFollowsTheTriangles) {
  const auto stl = load("x.stl", test::asBinaryStl(test::cube()) + "more");
  ASSERT_TRUE(stl) << stl.error().message;
  EXPECT_THAT(stl->warnings, Contains(HasSubstr("4 bytes after its 12 triangles")));
  const std::string solid = test::asAsciiStl(test::cube());
  const auto text = load("x.stl", solid + "made by hand\nsolid\n");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->mesh.triangles.size(), 12u);
  EXPECT_THAT(text->warnings, Contains(HasSubstr("what follows its last solid, from line 8")));
  EXPECT_FALSE(load("x.stl", solid.substr(0, solid.rfind("endsolid")) + "made\n"));
  const auto off = load("x.off", test::asOff(test::cube()) + "\n3 0 1 2\n");
  ASSERT_TRUE(off) << off.error().message;
  EXPECT_THAT(off->warnings, Contains(HasSubstr("what follows its 12 faces")));
}

TEST_F(Loading, SaysHowMuchSinglePrecisionLoses) {
  const auto still = load("x.glb", test::asGlb(test::cube()), asItIs);
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_EQ(still->rounding, 0.0);

  // A node that moves the mesh makes every coordinate a rounded sum
  const auto moved =
      load("y.glb", test::asGlbAt(test::cube(), R"(,"translation":[1000.1,0,0])"), asItIs);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_GT(moved->rounding, 1e-5);
  EXPECT_LT(moved->rounding, 1e-1);
  EXPECT_THAT(moved->warnings, Contains(HasSubstr("read in single precision")));
  for (const Vec3& p : moved->mesh.positions)
    EXPECT_LE(std::min(std::abs(p.x - 999.1), std::abs(p.x - 1001.1)), moved->rounding);
}

TEST_F(Loading, KeepsSpikesAndTinyPartsThatWeldingWouldLose) {
  // A needle whose foot is narrower than what is welded, and a far speck smaller than that
  TriangleMesh mesh = test::cube();
  TriangleMesh needle{{{0, 0, 1}, {1e-7, 0, 1}, {0, 1e-7, 1}, {0, 0, 3}},
                      {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  test::append(mesh, needle, {0, 0, 0});
  TriangleMesh speck = test::tetrahedron();
  for (Vec3& p : speck.positions) p = p * 1e-8;
  test::append(mesh, speck, {0, -2, 0});
  const auto loaded = load("x.obj", objText(mesh), {.targetRadius = 0.0});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 12u + 4u + 4u);
  EXPECT_EQ(loaded->report.components, 3u);
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("stayed apart")));
}

}  // namespace
}  // namespace nearmiss::engine
