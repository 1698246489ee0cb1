// SPDX-License-Identifier: MIT
/// Settings that no builder can work with are refused in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/bsp_tree.h>
#include <nearmiss/sphere_tree_builder.h>

#include <string>

#include "support/meshes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

TEST(SettingsCheck, BuildersRefuseChoicesThatThereAreNot) {
  const Polyhedron polyhedron(test::cube());
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    SphereTreeSettings plain;
    plain.levels = 1;
    ASSERT_TRUE(builder.build(polyhedron, plain, nullptr)) << builder.name;
    const auto refuse = [&](const char* what, const auto& spoil) {
      SphereTreeSettings settings = plain;
      spoil(settings);
      const auto tree = builder.build(polyhedron, settings, nullptr);
      ASSERT_FALSE(tree) << builder.name << ", " << what;
      EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
      EXPECT_THAT(tree.error().message, HasSubstr(std::string(what) + " that there"));
    };
    refuse("coverage", [](auto& s) { s.coverage = static_cast<Coverage>(99); });
    refuse("guarantee", [](auto& s) { s.guarantee = static_cast<CoverageGuarantee>(7); });
    refuse("objective", [](auto& s) { s.objective = static_cast<SphereObjective>(4); });
    refuse("seeds", [](auto& s) { s.seeds = static_cast<SphereSeeds>(255); });
    refuse("adjacency", [](auto& s) { s.adjacency = static_cast<MedialAdjacency>(2); });
  }
  const SphereTreeBuilderEntry none{};
  EXPECT_EQ(buildSphereTree(none, polyhedron).error().code, ErrorCode::Unsupported);
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
