// SPDX-License-Identifier: MIT
/// Settings that no builder can work with are refused in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <string>

#include "support/meshes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

TEST(SettingsCheck, SaysTheSettingItsValueAndItsRange) {
  const auto refusal = [](std::string_view builder, const SphereTreeSettings& settings) {
    const auto sound = checkSettings(builder, settings);
    return sound ? std::string() : sound.error().message;
  };
  EXPECT_EQ(refusal("octree", {}), "");
  EXPECT_EQ(refusal("octree", {.levels = 11}),
            "the octree builder expects levels of 1 to 10, not 11");
  EXPECT_EQ(refusal("variational", {.variational = {.branching = 16}}),
            "the variational builder expects a branching of 2 to 8, not 16");
  EXPECT_EQ(refusal("dag", {.levels = 1, .dag = {.maxSpheres = 600}}),
            "the dag builder expects a number of spheres of 0 to 512, not 600");
  EXPECT_EQ(refusal("medial", {.hausdorffTolerance = 0.0}),
            "the medial builder expects a tolerance of H above 0, up to 1, not 0");
  EXPECT_EQ(refusal("medial", {.nodeBoxRatio = 1.0, .medial = {.coverage = Coverage::Paper}}),
            "the medial builder expects guaranteed coverage where there are boxes");
  EXPECT_EQ(refusal("annealed", {.annealed = {.objective = static_cast<SphereObjective>(9)}}),
            "the annealed builder expects an objective that there is, not number 9");
  EXPECT_EQ(refusal("oak", {}), "there is no sphere-tree builder \"oak\"");
}

TEST(SettingsCheck, ABuilderThatIsNoneIsRefused) {
  const SphereTreeBuilderEntry none{};
  EXPECT_EQ(buildSphereTree(none, Polyhedron(test::cube())).error().code, ErrorCode::Unsupported);
}

TEST(SettingsCheck, BspTreesTakeAtLeastOneOfEach) {
  const Polyhedron polyhedron(test::cube());
  for (const BspSettings& settings :
       {BspSettings{0, 1u << 24}, {-5, 1u << 24}, {65537, 1u << 24}, {16, 0}}) {
    const auto tree = buildBspTree(polyhedron, settings);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(tree.error().message, HasSubstr("1 to 65536 candidates"));
  }
  EXPECT_TRUE(buildBspTree(polyhedron, {1, 1u << 24}));
}

}  // namespace
}  // namespace nearmiss
