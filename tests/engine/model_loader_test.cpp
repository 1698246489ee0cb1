// SPDX-License-Identifier: MIT
/// Models as they are loaded: the solid, its drawing, and what is said of its flaws.
#include <engine/model/model_loader.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>

#include "engine/model_loading.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/model_files.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asAsciiStl;
using nearmiss::test::asBinaryStl;
using nearmiss::test::asObj;
using nearmiss::test::asPly;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class EveryFormat : public testing::TestWithParam<Format> {
 protected:
  std::filesystem::path file(const TriangleMesh& mesh) const {
    return writeText(folder_ / (std::string("model.") + GetParam().extension),
                     GetParam().write(mesh));
  }
  TemporaryFolder folder_;
};

TEST_P(EveryFormat, GivesTheSameWeldedSolid) {
  const TriangleMesh torus = test::torus();
  const auto loaded = loadModel(file(torus));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->name, "model");
  EXPECT_EQ(loaded->mesh.positions.size(), torus.positions.size());
  EXPECT_EQ(loaded->mesh.triangles.size(), torus.triangles.size());
  EXPECT_TRUE(loaded->report.solid());
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST_P(EveryFormat, IsCentredAndScaled) {
  TriangleMesh box = test::box({10, 20, 30}, {14, 22, 31});
  const auto loaded = loadModel(file(box), {.targetRadius = 2.5});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_NEAR(radiusAboutOrigin(loaded->mesh), 2.5, 1e-9);
  const Box bounds = boundingBox(loaded->mesh);
  EXPECT_NEAR(glm::length(bounds.centre()), 0.0, 1e-9);
  EXPECT_NEAR(bounds.extent().x / bounds.extent().z, 4.0, 1e-6);
}

TEST_P(EveryFormat, DrawsTheSurfaceThatItDetects) {
  const auto loaded = loadModel(file(test::sphere(24, 32)));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const DrawMesh& draw = loaded->draw;
  ASSERT_EQ(draw.indices.size(), 3 * loaded->mesh.triangles.size());
  ASSERT_FALSE(draw.materials.empty());
  for (const DrawVertex& vertex : draw.vertices) {
    const Vec3 position(vertex.position[0], vertex.position[1], vertex.position[2]);
    const Vec3 normal(vertex.normal[0], vertex.normal[1], vertex.normal[2]);
    EXPECT_NEAR(glm::length(normal), 1.0, 1e-5);
    // Normals of a fine ball are smooth, whatever the facets of the file say
    EXPECT_GT(glm::dot(normal, glm::normalize(position)), 0.99);
    EXPECT_LT(vertex.material, draw.materials.size());
  }
  for (const std::uint32_t index : draw.indices) EXPECT_LT(index, draw.vertices.size());
}

TEST_P(EveryFormat, TurnsInsideOutModelsAndSaysSo) {
  TriangleMesh mesh = test::sphere();
  test::flip(mesh);
  const auto loaded = loadModel(file(mesh));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->report.solid());
  EXPECT_GT(loaded->report.volume, 0.0);
  EXPECT_THAT(loaded->warnings,
              Contains(HasSubstr("inside out: its faces look at what they enclose")));
  EXPECT_TRUE(loaded->cleaning.facedInwards);
  const DrawVertex& vertex = loaded->draw.vertices.front();
  EXPECT_GT(vertex.position[0] * vertex.normal[0] + vertex.position[1] * vertex.normal[1] +
                vertex.position[2] * vertex.normal[2],
            0.0f);
}

TEST_P(EveryFormat, TellsOfHoles) {
  TriangleMesh mesh = test::sphere();
  mesh.triangles.pop_back();
  const auto loaded = loadModel(file(mesh));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings,
              Contains(HasSubstr("not closed (3 boundary edges): inside/outside is undefined; "
                                 "sphere-tree will cover the surface only")));
}

TEST_P(EveryFormat, TellsOfSelfIntersection) {
  TriangleMesh mesh = test::cube();
  test::append(mesh, test::cube(), {0.75, 0.5, 0.25});
  const auto loaded = loadModel(file(mesh));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("intersects itself")));
  EXPECT_FALSE(loaded->report.solid());
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat,
                         testing::Values(Format{"obj", asObj}, Format{"stl", asAsciiStl},
                                         Format{"STL", asBinaryStl}, Format{"ply", asPly}),
                         [](const auto& format) {
                           return std::string(format.index == 2 ? "binary_" : "") +
                                  format.param.extension;
                         });

TEST_F(Loading, KeepsTheFrameWhenAskedTo) {
  const auto loaded =
      load("box.obj", asObj(test::box({10, 20, 30}, {14, 22, 31})), {.targetRadius = 0.0});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(boundingBox(loaded->mesh).low, Vec3(10, 20, 30));
  EXPECT_EQ(boundingBox(loaded->mesh).high, Vec3(14, 22, 31));
}

TEST_F(Loading, BreaksNormalsAtEdges) {
  const auto loaded = load("cube.obj", asObj(test::cube()));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.positions.size(), 8u);
  EXPECT_EQ(loaded->draw.vertices.size(), 24u);  // each corner once for each of its faces
  for (const DrawVertex& vertex : loaded->draw.vertices) {
    const float* n = vertex.normal;
    EXPECT_FLOAT_EQ(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1.0f);
  }
}

TEST_F(Loading, KeepsTheNormalsOfTheFile) {
  const auto loaded = load("tilted.obj",
                           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0.6 0 0.8\n"
                           "f 1//1 3//1 2//1\nf 1//1 2//1 4//1\nf 1//1 4//1 3//1\nf 2//1 3//1 "
                           "4//1\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const DrawVertex& vertex : loaded->draw.vertices) EXPECT_NEAR(vertex.normal[2], 0.8f, 1e-6f);
}

TEST_F(Loading, ReadsMaterials) {
  writeText(folder_ / "two.mtl", "newmtl red\nKd 1 0 0\nKe 0.5 0.25 0\nnewmtl blue\nKd 0 0 1\n");
  std::string text = "mtllib two.mtl\n" + asObj(test::tetrahedron());
  text.insert(text.find("f "), "usemtl red\n");
  text.insert(text.rfind("f "), "usemtl blue\n");
  const auto loaded = load("two.obj", text);
  ASSERT_TRUE(loaded) << loaded.error().message;
  // Two materials split the drawing, never the solid
  EXPECT_TRUE(loaded->report.solid());
  std::size_t red = 0, blue = 0;
  for (std::size_t i = 0; i < loaded->draw.indices.size(); i += 3) {
    const DrawVertex& vertex = loaded->draw.vertices[loaded->draw.indices[i]];
    const DrawMaterial& material = loaded->draw.materials[vertex.material];
    if (material.baseColour == std::array{1.0f, 0.0f, 0.0f}) {
      ++red;
      EXPECT_FLOAT_EQ(material.emission[0], 0.5f);
    }
    blue += material.baseColour == std::array{0.0f, 0.0f, 1.0f};
  }
  EXPECT_EQ(red, 3u);
  EXPECT_EQ(blue, 1u);
}

/// Two cubes, one mirrored by its node: both must come out wound outwards.
TEST_F(Loading, FlattensNodesAndMirrors) {
  std::string buffer;
  const TriangleMesh cube = test::cube();
  for (const Vec3& p : cube.positions)
    for (int axis = 0; axis < 3; ++axis) test::appendBytes(buffer, static_cast<float>(p[axis]));
  for (const auto& t : cube.triangles)
    for (const std::uint32_t v : t) test::appendBytes(buffer, static_cast<std::uint16_t>(v));
  writeText(folder_ / "cube.bin", buffer);
  const auto loaded = load("nodes.gltf", R"({"asset":{"version":"2.0"},"scene":0,
    "scenes":[{"nodes":[0]}],
    "nodes":[{"scale":[2,2,2],"children":[1,2]},
             {"mesh":0,"translation":[3,0,0]},
             {"mesh":0,"translation":[-3,0,0],"scale":[-1,1,1]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],
    "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.25,0.5,0.75,1],
                  "metallicFactor":0.9,"roughnessFactor":0.3},"emissiveFactor":[0,1,0]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3",
                  "min":[-1,-1,-1],"max":[1,1,1]},
                 {"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},
                   {"buffer":0,"byteOffset":96,"byteLength":72}],
    "buffers":[{"uri":"cube.bin","byteLength":168}]})",
                           {.targetRadius = 0.0});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 24u);
  EXPECT_EQ(loaded->report.components, 2u);
  EXPECT_TRUE(loaded->report.solid());
  EXPECT_NEAR(loaded->report.volume, 2 * 64.0, 1e-9);
  EXPECT_NEAR(boundingBox(loaded->mesh).high.x, 8.0, 1e-6);
  const DrawMaterial& material = loaded->draw.materials[loaded->draw.vertices.front().material];
  EXPECT_FLOAT_EQ(material.baseColour[1], 0.5f);
  EXPECT_FLOAT_EQ(material.metallic, 0.9f);
  EXPECT_FLOAT_EQ(material.roughness, 0.3f);
  EXPECT_FLOAT_EQ(material.emission[1], 1.0f);
}

TEST_F(Loading, TellsWhatWasRemoved) {
  const auto loaded = load("dirty.obj", asObj(test::cube()) + "f 1 1 2\nf 1 5 7\nl 1 2\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 12u);
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("1 triangle without area removed")));
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("1 duplicate triangle removed")));
  EXPECT_THAT(loaded->warnings, Contains(HasSubstr("1 points and lines left out")));
  EXPECT_TRUE(loaded->report.solid());
}

TEST_F(Loading, SplitsPolygons) {
  const auto loaded = load("quads.obj",
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                           "v 0 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\n"
                           "f 4 1 5 8\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 12u);
  EXPECT_TRUE(loaded->report.solid());
}

TEST_F(Loading, StopsWhenItIsToldTo) {
  const std::atomic<bool> cancelled{true};
  const auto loaded = loadModel(writeText(folder_ / "x.obj", asObj(test::sphere())), {}, cancelled);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::Cancelled);
}

TEST(FindModel, TakesFilesAndSaysWhatElseThereIs) {
  const TemporaryFolder folder;
  const auto file = writeText(folder / "own.obj", "v 0 0 0\n");
  const auto found = findModel(file.string());
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, file);
  const auto missing = findModel("x.obj");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "cannot open \"x.obj\" (No such file). Built-in models: lamp, faucet, rocket, truck, "
            "shuttle, torus, jointed-lamp, crane-truck, antenna, asteroid-1, asteroid-2, "
            "asteroid-3, station");
  const auto mistyped = findModel("truk");
  ASSERT_FALSE(mistyped);
  EXPECT_THAT(mistyped.error().message, HasSubstr("Did you mean \"truck\"?"));
}

}  // namespace
}  // namespace nearmiss::engine
