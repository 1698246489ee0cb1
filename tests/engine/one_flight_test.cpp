// SPDX-License-Identifier: MIT
/// One flight, whoever detects: with no budget every exact narrow phase, on the trees of every
/// builder and behind every broad phase, leads to the same states, bit for bit.
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/rivals/tree_builders.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/flying.h"

#include "support/borrowed.h"
#include "support/builders.h"

namespace nearmiss::engine {
namespace {

using test::Outcome;

Outcome flown(std::unique_ptr<Detector> detector, Response response = Response::Bounce,
              bool joints = false) {
  WorkClock clock;
  const test::Start start{.seed = 21, .drones = 14, .joints = joints};
  const auto simulation = test::subtractStolen(start, std::move(detector), clock);
  FrameInput input;
  input.response = response;
  return test::tallyOf(*simulation, 250, input);
}

std::unique_ptr<Detector> detectorOf(std::string_view broad, std::string_view narrow,
                                     const Shapes& tables) {
  return std::make_unique<Detector>(findBroadPhase(broad)->make(),
                                    findNarrowPhase(narrow)->make(tables));
}

constexpr SphereTreeSettings quickTree{.levels = 2, .hausdorffTolerance = 0.1};

/// The hangar's shapes with trees of one builder.
std::vector<SphereTree> treesBy(const SphereTreeBuilderEntry& builder) {
  std::vector<SphereTree> trees;
  for (const Polyhedron& polyhedron : test::hangar().polyhedra)
    trees.push_back(*buildSphereTree(builder, polyhedron, quickTree));
  return trees;
}

/// The same with spheres inside and boxes beside them.
std::vector<SphereTree> furnished(const SphereTreeBuilderEntry& builder,
                                  std::span<const SphereTree> trees) {
  SphereTreeSettings settings = quickTree;
  settings.nodeBoxRatio = 1.0;
  settings.innerSpheres = 60;
  std::vector<SphereTree> more;
  for (std::size_t i = 0; i < trees.size(); ++i)
    more.push_back(
        *nearmiss::test::withAdditions(builder, trees[i], test::hangar().polyhedra[i], settings));
  return more;
}

const Outcome& judged() {
  static const Outcome outcome =
      flown(detectorOf("all-pairs", "brute-force", test::hangar().tables()));
  return outcome;
}

TEST(OneFlight, IsWorthComparing) {
  EXPECT_GT(judged().collisions, 20u);
  EXPECT_GT(judged().responses, judged().collisions / 2);
  EXPECT_GT(judged().touching, 20u) << "touches that last";
  EXPECT_GT(judged().ended, 15u);
}

TEST(OneFlight, BehindEveryBroadPhase) {
  for (const BroadPhaseEntry& broad : broadPhaseCatalog())
    EXPECT_EQ(flown(detectorOf(broad.name, "sphere-tree", test::hangar().tables())), judged())
        << broad.name;
}

TEST(OneFlight, ByTheTreesOfEveryBuilder) {
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    const auto plain = treesBy(builder);
    for (const auto& trees : {plain, furnished(builder, plain)}) {
      const Shapes tables = nearmiss::test::borrowed(test::hangar().polyhedra, trees);
      EXPECT_EQ(flown(detectorOf("space-time-queue", "sphere-tree", tables)), judged())
          << builder.name << (trees[0].data().inner.empty() ? "" : " with boxes and inner spheres");
    }
  }
}

TEST(OneFlight, ByBspTrees) {
  std::vector<BspTree> trees;
  for (const Polyhedron& polyhedron : test::hangar().polyhedra)
    trees.push_back(*buildBspTree(polyhedron));
  const Shapes tables = nearmiss::test::borrowed(test::hangar().polyhedra, {}, trees);
  EXPECT_EQ(flown(detectorOf("space-time-grid", "bsp", tables)), judged());
}

/// The impulse acts where the exact geometry says, and the flight is one as well.
TEST(OneFlight, WhereShipsTumble) {
  const Shapes tables = test::hangar().tables();
  const auto tumbled = [&](std::string_view broad, std::string_view narrow) {
    return flown(detectorOf(broad, narrow, tables), Response::Tumble);
  };
  const Outcome expected = tumbled("all-pairs", "brute-force");
  EXPECT_GT(expected.collisions, 20u);
  EXPECT_GT(expected.responses, 20u);
  EXPECT_NE(expected.hash, judged().hash);
  for (const BroadPhaseEntry& broad : broadPhaseCatalog())
    EXPECT_EQ(tumbled(broad.name, "sphere-tree"), expected) << broad.name;
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog())
    if (!narrow.needsBspTrees) {
      EXPECT_EQ(tumbled("space-time-queue", narrow.name), expected) << narrow.name;
    }
}

/// Whichever links a method finds first, the flight is one as well.
TEST(OneFlight, WhereShipsHaveJoints) {
  std::vector<BspTree> planes;
  for (const Polyhedron& polyhedron : test::hangar().polyhedra)
    planes.push_back(*buildBspTree(polyhedron));
  const Shapes tables =
      nearmiss::test::borrowed(test::hangar().polyhedra, test::hangar().trees, planes);
  for (const Response response : {Response::Bounce, Response::Tumble}) {
    const auto jointed = [&](std::string_view broad, std::string_view narrow) {
      return flown(detectorOf(broad, narrow, tables), response, true);
    };
    const Outcome expected = jointed("all-pairs", "brute-force");
    EXPECT_GT(expected.collisions, 20u);
    EXPECT_GT(expected.responses, 20u);
    for (const BroadPhaseEntry& broad : broadPhaseCatalog())
      EXPECT_EQ(jointed(broad.name, "sphere-tree"), expected) << broad.name;
    for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog())
      EXPECT_EQ(jointed("space-time-queue", narrow.name), expected) << narrow.name;
  }
}

/// As published, each method answers by the spheres that it has: BSP trees by the ships' own.
TEST(OneFlight, IsNotOneAsPublished) {
  const auto published = [](std::string_view narrow) {
    return flown(detectorOf("all-pairs", narrow, test::hangar().tables()),
                 Response::PublishedBounce);
  };
  EXPECT_NE(published("sphere-tree").hash, published("brute-force").hash);
}

}  // namespace
}  // namespace nearmiss::engine
