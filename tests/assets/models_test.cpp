// SPDX-License-Identifier: MIT
#include <engine/model/articulated_model.h>
#include <engine/model/model_loader.h>
#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <set>
#include <string>
#include <tuple>

namespace nearmiss::engine {
namespace {

const std::filesystem::path folder = NEARMISS_SOURCE_DIR "/assets/models";

struct Model {
  const char* name;
  std::size_t triangles;
};

class EveryModel : public testing::TestWithParam<Model> {};

/// What sphere trees, BSP trees and the tables of results take for granted.
TEST_P(EveryModel, IsOneSolidOfTheStatedSize) {
  const auto loaded = loadModel(folder / (std::string(GetParam().name) + ".glb"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), GetParam().triangles);
  const MeshReport report = checkMesh(loaded->mesh);
  EXPECT_EQ(report.boundaryEdges, 0u);
  EXPECT_EQ(report.nonManifoldEdges, 0u);
  EXPECT_EQ(report.misorientedEdges, 0u);
  EXPECT_EQ(report.nonManifoldVertices, 0u);
  EXPECT_EQ(report.selfIntersections, 0u);
  EXPECT_EQ(report.components, 1u);
  EXPECT_GT(report.volume, 0.0);
  EXPECT_TRUE(report.solid());
  for (const std::string& warning : loaded->warnings) ADD_FAILURE() << warning;
}

TEST_P(EveryModel, SurvivesWithoutWeldingToo) {
  // As stored, in single precision: no vertex doubled, no face a line
  const auto loaded = loadModel(folder / (std::string(GetParam().name) + ".glb"),
                                {.targetRadius = 0.0, .weldDistance = 0.0});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), GetParam().triangles);
  EXPECT_TRUE(loaded->report.solid());
}

/// In its own unit, and small.
TEST(Shot, IsASolidOfTwentyCentimetres) {
  const auto loaded = loadModel(folder / "shot.obj", {.targetRadius = 0.0});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mesh.triangles.size(), 20u);
  EXPECT_TRUE(loaded->report.solid());
  EXPECT_EQ(loaded->cleaning.turnedTriangles, 0u);
  for (const Vec3& corner : loaded->mesh.positions) EXPECT_NEAR(glm::length(corner), 0.2, 1e-5);
  for (const std::string& warning : loaded->warnings) ADD_FAILURE() << warning;
}

/// Rocks and the station, in their own size: closed, facing outwards, and concave.
TEST(Scenery, IsSolidAndConcave) {
  for (const auto& [name, triangles, radius] : {std::tuple{"asteroid_1", 720u, 3.0},
                                                {"asteroid_2", 720u, 3.0},
                                                {"asteroid_3", 720u, 5.0},
                                                {"station", 832u, 6.0}}) {
    const auto loaded = loadModel(folder / (std::string(name) + ".obj"), {.targetRadius = 0.0});
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->mesh.triangles.size(), triangles) << name;
    EXPECT_TRUE(loaded->report.solid()) << name;
    EXPECT_EQ(loaded->cleaning.turnedTriangles, 0u) << name;
    for (const std::string& warning : loaded->warnings) ADD_FAILURE() << warning;
    // A face with corners of the body on both of its sides
    std::size_t dents = 0;
    for (std::uint32_t t = 0; t < loaded->mesh.triangles.size(); ++t) {
      const auto corners = loaded->mesh.corners(t);
      const Vec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
      std::size_t outside = 0;
      for (const Vec3& point : loaded->mesh.positions)
        outside += glm::dot(point - corners[0], normal) > 0.05 * glm::length(normal);
      dents += outside > 10;
    }
    EXPECT_GT(dents, loaded->mesh.triangles.size() / 5) << name;
    double farthest = 0.0;
    for (const Vec3& point : loaded->mesh.positions)
      farthest = std::max(farthest, glm::length(point));
    EXPECT_GT(farthest, 0.4 * radius) << name;
    EXPECT_LT(farthest, radius) << name;
  }
}

constexpr Model models[] = {{"lamp", 626},
                            {"faucet", 1288},
                            {"rocket", 1420},
                            {"truck", 10172},
                            {"jointed_lamp_stand", 142},
                            {"jointed_lamp_lower", 132},
                            {"jointed_lamp_upper", 92},
                            {"jointed_lamp_head", 230},
                            {"truck_crane_mast", 448},
                            {"truck_crane_boom", 996},
                            {"truck_crane_hook", 252},
                            {"shuttle", 528},
                            {"torus", 400},
                            {"antenna_hub", 30},
                            {"antenna_rib0", 30},
                            {"antenna_rib1", 30},
                            {"antenna_rib2", 30},
                            {"antenna_rib3", 30},
                            {"antenna_rib4", 30},
                            {"antenna_rib5", 30},
                            {"antenna_rib6", 30}};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models),
                         [](const auto& model) { return std::string(model.param.name); });

/// [H96 §3]: 50 objects with joints and 1,500 faces.
TEST(Antenna, HasTheCountsOfThePaper) {
  const auto antenna = readArticulatedModel(folder / "antenna.toml");
  ASSERT_TRUE(antenna) << antenna.error().message;
  EXPECT_EQ(antenna->links.size(), 50u);
  std::size_t triangles = 0;
  for (const ModelLink& link : antenna->links)
    triangles += loadModel(link.file, {.targetRadius = 0.0})->mesh.triangles.size();
  EXPECT_EQ(triangles, 1500u);
}

/// [H96 §3]: eight interlocked tori that bounce against each other. Their contacts hold the chain.
TEST(Tori, StayInTheirChain) {
  const auto scene = readScene(NEARMISS_SOURCE_DIR "/assets/scenes/tori.toml");
  ASSERT_TRUE(scene) << scene.error().message;
  ShapeOptions options;
  options.treeBuilder = scene->tree;
  const auto files = modelFilesOf(*scene);
  ASSERT_TRUE(files);
  const auto shapes = buildShapeSet(*files, options);
  ASSERT_TRUE(shapes) << shapes.error().message;
  WorkClock clock;
  const auto simulation = makeSimulation(*scene, **shapes, clock);
  ASSERT_TRUE(simulation) << simulation.error().message;
  FrameInput input;
  input.dt = frameStep(*scene);
  input.detectStep = scene->detectStep;
  input.response = scene->response;
  std::size_t responses = 0;
  for (int frame = 0; frame < 1200; ++frame)
    responses += (*simulation)->advance(input).profile.responses;
  EXPECT_GT(responses, 100u);
  const auto bodies = (*simulation)->world().states();
  ASSERT_EQ(bodies.size(), 9u);
  for (std::size_t i = 1; i < 8; ++i)
    EXPECT_LT(glm::distance(bodies[i].pose.position, bodies[i + 1].pose.position), 1.7) << i;
}

TEST(Models, AreAllTested) {
  std::set<std::string> tested, present;
  for (const Model& model : models) tested.insert(model.name);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".glb") present.insert(entry.path().stem());
  EXPECT_EQ(tested, present);
}

}  // namespace
}  // namespace nearmiss::engine
