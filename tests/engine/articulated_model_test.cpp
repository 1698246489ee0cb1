// SPDX-License-Identifier: MIT
/// Articulated models from files, and scenes that fly them.
#include <engine/model/articulated_model.h>
#include <engine/scene/scene.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;

constexpr std::string_view arm = R"(
version = 1
[[links]]
name = "base"
model = "base.obj"
[[links]]
name = "arm"
model = "arm.obj"
parent = "base"
pivot = [0.0, 0.5, 0.0]
axis = [0.0, 0.0, 2.0]
range = [-90, 45.0]
period = 2.0
)";

std::string withLine(std::string text, std::string_view line, std::string_view instead) {
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), instead);
}

TEST(ArticulatedModel, IsReadAsWritten) {
  const auto model = parseArticulatedModel(arm, "some/where/arm.toml");
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ(model->links.size(), 2u);
  const ModelLink& link = model->links[1];
  EXPECT_EQ(link.file, std::filesystem::path("some/where/arm.obj"));
  EXPECT_EQ(link.parent, 0u);
  EXPECT_EQ(link.joint.pivot, Vec3(0.0, 0.5, 0.0));
  EXPECT_DOUBLE_EQ(link.joint.low, -std::acos(0.0));
  EXPECT_DOUBLE_EQ(link.joint.high, std::acos(0.0) / 2.0);
  EXPECT_EQ(link.joint.period, 2.0);
}

TEST(ArticulatedModel, SaysWhatIsWrongAndWhere) {
  const auto faultOf = [](const std::string& text) {
    const auto model = parseArticulatedModel(text, "arm.toml");
    return model ? std::string("none") : model.error().message;
  };
  const std::string good(arm);
  EXPECT_EQ(faultOf(good), "none");
  EXPECT_THAT(faultOf("version = 1"), HasSubstr("needs [[links]]"));
  EXPECT_THAT(faultOf("links = 3"), HasSubstr("needs [[links]]"));
  EXPECT_THAT(faultOf(withLine(good, "parent = \"base\"", "parent = \"bade\"")),
              HasSubstr("arm.toml:6: link \"arm\": there is no link \"bade\" before it. Did you "
                        "mean \"base\"?"));
  EXPECT_THAT(faultOf(withLine(good, "parent = \"base\"", "parent = \"arm\"")),
              HasSubstr("no link \"arm\" before it"));
  EXPECT_THAT(faultOf(withLine(good, "parent = \"base\"", "")), HasSubstr("needs a parent"));
  EXPECT_THAT(faultOf(withLine(good, "model = \"base.obj\"", "")),
              HasSubstr("needs a name and a model"));
  EXPECT_THAT(faultOf(withLine(good, "name = \"arm\"", "name = \"base\"")),
              HasSubstr("two links \"base\""));
  EXPECT_THAT(faultOf(withLine(good, "range = [-90, 45.0]", "range = [-90, 200]")),
              HasSubstr("link \"arm\": its range"));
  EXPECT_THAT(faultOf(withLine(good, "range = [-90, 45.0]", "range = [1]")),
              HasSubstr("range must be 2 numbers"));
  EXPECT_THAT(faultOf(withLine(good, "pivot = [0.0, 0.5, 0.0]", "pivot = [0.0, \"x\", 0.0]")),
              HasSubstr("pivot must be 3 numbers"));
  EXPECT_THAT(faultOf(withLine(good, "axis = [0.0, 0.0, 2.0]", "axis = [0, 0, 0]")),
              HasSubstr("axis has length 0"));
  EXPECT_THAT(faultOf(withLine(good, "period = 2.0", "perio = 2.0")),
              HasSubstr("Did you mean \"period\"?"));
  EXPECT_THAT(faultOf("a = = 3"), HasSubstr("arm.toml:1:"));
}

/// Before names are looked for among thousands of others.
TEST(ArticulatedModel, RefusesManyLinksAtOnce) {
  std::string text = "version = 1\n";
  for (int i = 0; i < 65; ++i)
    text += "[[links]]\nname = \"link " + std::to_string(i) +
            "\"\nmodel = \"a.obj\"\nparent = \"nobody\"\n";
  const auto model = parseArticulatedModel(text, "arm.toml");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::BadFormat);
  EXPECT_EQ(model.error().message, "arm.toml: 65 links are too many: at most 64");
}

/// A scene of such ships starts, each link in its own frame and unit.
TEST(ArticulatedModel, FliesInAScene) {
  const TemporaryFolder folder;
  const auto boxed = [&](std::string_view name, const Vec3& low, const Vec3& high) {
    writeText(folder / name, nearmiss::test::asObj(nearmiss::test::box(low, high)));
  };
  boxed("base.obj", {-0.3, -0.5, -0.3}, {0.3, 0.5, 0.3});
  boxed("arm.obj", {-0.1, 0.0, -0.1}, {0.1, 0.8, 0.1});
  const auto file = writeText(folder / "arm.toml", std::string(arm));
  Scene scene;
  scene.playerModel = file.string();
  scene.drones = {DroneGroup{.model = file.string(), .count = 3}};
  const auto files = modelFilesOf(scene);
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 2u) << "shared by all ships";
  ShapeOptions options;
  options.cacheFolder = folder / "cache";
  options.treeBuilder = "octree";
  options.tree.levels = 2;
  const auto shapes = buildShapeSet(*files, options);
  ASSERT_TRUE(shapes) << shapes.error().message;
  EXPECT_NEAR((*shapes)->polyhedron(1).radius(), std::sqrt(0.66), 1e-6);

  SteadyClock clock;
  const auto simulation = makeSimulation(scene, **shapes, clock);
  ASSERT_TRUE(simulation) << simulation.error().message;
  for (int frame = 0; frame < 100; ++frame) {
    FrameInput input;
    input.dt = 0.05;
    const FrameOutput& output = (*simulation)->advance(input);
    ASSERT_EQ(output.bodies.size(), 4u);
    for (const BodyState& body : output.bodies) {
      ASSERT_EQ(body.links.size(), 2u);
      EXPECT_EQ(body.links[1].pose.position, Vec3(0.0, 0.5, 0.0));
    }
  }
  const auto bodies = (*simulation)->world().states();
  EXPECT_NE(bodies[0].links[1].pose.rotation, bodies[1].links[1].pose.rotation)
      << "each moves by itself";

  std::filesystem::remove(folder / "arm.obj");
  const auto gone = buildShapeSet(*modelFilesOf(scene), options);
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr("arm.obj"));
  scene.playerModel = "nowhere.toml";
  EXPECT_THAT(modelFilesOf(scene).error().message, HasSubstr("nowhere.toml"));
}

TEST(ArticulatedModel, ComesWithTheProgram) {
  for (const std::string& name : builtInArticulatedModels()) {
    const auto model = readArticulatedModel(*findArticulatedModel(name));
    ASSERT_TRUE(model) << model.error().message;
    // Rocks and the station have one link, which keeps their size
    const bool ship = name == "jointed-lamp" || name == "crane-truck";
    EXPECT_EQ(model->links.size(), name == "antenna" ? 50u : ship ? 4u : 1u) << name;
    for (const ModelLink& link : model->links)
      EXPECT_TRUE(std::filesystem::exists(link.file)) << link.file;
  }
  EXPECT_FALSE(findArticulatedModel("lamp"));
  // Where one model is wanted, it says what the name stands for
  const auto alone = findModel("crane-truck");
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message, HasSubstr("a ship with joints"));
  EXPECT_THAT(findModel("crane-trukc").error().message, HasSubstr("Did you mean \"crane-truck\"?"));
}

}  // namespace
}  // namespace nearmiss::engine
