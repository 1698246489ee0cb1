// SPDX-License-Identifier: MIT
/// The comparison by BSP trees, where it is most likely to go wrong.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

class BspNarrowPhase : public testing::Test {
 protected:
  Verdict tried(const TwoBodies& bodies) { return test::finalVerdict(*bsp_, bodies); }
  Verdict judged(const TwoBodies& bodies) { return test::finalVerdict(*reference_, bodies); }

  /// Of `count` drawn pairs, of which such shares are contacts, the verdicts must be equal.
  void checkPairs(int count, double least, double most, const auto& draw) {
    test::expectAgreement(cases(count), least, most, draw, *bsp_, *reference_);
  }

  /// Two shapes, the second at a pose in the frame of the first.
  TwoBodies placed(std::uint32_t a, std::uint32_t b, const Vec3& at,
                   const Quat& turned = glm::identity<Quat>()) const {
    return {test::bodyOf(1, a, kit_.polyhedra[a], {}),
            test::bodyOf(2, b, kit_.polyhedra[b], {at, turned})};
  }

  test::ShapeKit kit_{test::solidAndOpenMeshes(), 0};
  std::unique_ptr<NarrowPhase> bsp_ =
      makeBspNarrowPhase(test::borrowed(kit_.polyhedra, {}, kit_.bspTrees));
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(kit_.polyhedra));
};

TEST_F(BspNarrowPhase, AgreesWithTheJudgeOnRandomPoses) {
  Random random(21);
  checkPairs(3000, 0.1, 0.9, [&] { return test::randomNearMissPair(random, kit_.polyhedra); });
}

TEST_F(BspNarrowPhase, AgreesWithTheJudgeAHairApart) {
  Random random(22);
  checkPairs(150, 0.2, 0.8, [&] {
    // 3e-8, where the filter gives up, down to 1e-16
    return test::grazingPair(random, kit_.polyhedra, *reference_, 22, 54);
  });
}

TEST_F(BspNarrowPhase, AgreesWithTheJudgeOnTheLattice) {
  Random random(23);
  checkPairs(3000, 0.1, 0.9, [&] { return test::exactPair(random, kit_.polyhedra); });
}

/// A millimetre against a kilometre, and meshes far from the origin of their own frame, where
/// rounding moves more than a hair.
TEST_F(BspNarrowPhase, AgreesWithTheJudgeAcrossScales) {
  std::vector<TriangleMesh> meshes;
  for (const Real scale : {1e-3, 1.0, 1e3})
    for (TriangleMesh mesh : {test::cube(), test::torus(12, 6), test::spikyStar(3, 7, 9)}) {
      for (Vec3& p : mesh.positions) p = scale * p + Vec3(0.0, scale > 1.0 ? 0.0 : 50.0, 0.0);
      meshes.push_back(std::move(mesh));
    }
  const test::ShapeKit kit(std::move(meshes), 0);
  auto bsp = makeBspNarrowPhase(test::borrowed(kit.polyhedra, {}, kit.bspTrees));
  auto reference = makeBruteForceNarrowPhase(test::borrowed(kit.polyhedra));

  Random random(26);
  const auto draw = [&]() -> TwoBodies {
    // A vertex of one near a vertex of the other
    const auto a = static_cast<std::uint32_t>(random.whole(0, 8));
    const auto b = static_cast<std::uint32_t>(random.whole(0, 8));
    const auto vertexOf = [&](std::uint32_t shape) {
      const auto& positions = kit.polyhedra[shape].mesh().positions;
      return positions[static_cast<std::size_t>(
          random.whole(0, static_cast<int>(positions.size()) - 1))];
    };
    const Real small = std::min(glm::length(kit.polyhedra[a].bounds().extent()),
                                glm::length(kit.polyhedra[b].bounds().extent()));
    const Pose poseA = test::randomPose(random, 1e5);
    Pose poseB{Vec3(0.0), random.rotation()};
    poseB.position = transformed(poseA, vertexOf(a)) - poseB.rotation * vertexOf(b) +
                     0.3 * small * random.inCube(1.0);
    return {test::bodyOf(1, a, kit.polyhedra[a], poseA),
            test::bodyOf(2, b, kit.polyhedra[b], poseB)};
  };
  test::expectAgreement(cases(1500), 0.1, 0.9, draw, *bsp, *reference);
}

/// Cubes of edge 2 that touch by a face, an edge or a corner are in contact; a step of the last
/// digit away they are not.
TEST_F(BspNarrowPhase, CountsTouchingCubesAsContact) {
  constexpr std::uint32_t cube = 0;
  for (const Vec3& at : {Vec3(2, 0, 0), Vec3(0, 2, 1), Vec3(2, 2, 0), Vec3(2, 2, 2),
                         Vec3(-2, 2, -2), Vec3(0, 0, 0), Vec3(1, 1, 1)}) {
    EXPECT_EQ(tried(placed(cube, cube, at)), Verdict::Contact);
    EXPECT_EQ(tried(placed(cube, cube, -at)), Verdict::Contact);
  }
  constexpr Real hair = 0x1p-51;
  for (const Vec3& at :
       {Vec3(2 + hair, 0, 0), Vec3(0, 2 + hair, 1), Vec3(2, 2 + hair, 0), Vec3(2, 2, -2 - hair)})
    EXPECT_EQ(tried(placed(cube, cube, at)), Verdict::Separate);
}

TEST_F(BspNarrowPhase, FindsOneSolidInsideTheOther) {
  constexpr std::uint32_t cube = 0, hollow = 7, two = 8, small = 9;
  for (const auto& [a, b] : {std::pair(cube, small), std::pair(small, cube)}) {
    EXPECT_EQ(tried(placed(a, b, Vec3(0.25, 0, 0))), Verdict::Contact);
    EXPECT_EQ(tried(placed(a, b, Vec3(0.3, 0.1, 0.2), Quat(0.5, 0.5, 0.5, 0.5))), Verdict::Contact);
    EXPECT_EQ(tried(placed(a, b, Vec3(1.25, 0, 0))), Verdict::Separate);
  }
  // One part of two inside
  EXPECT_EQ(tried(placed(cube, two, Vec3(1.5, 0, 0))), Verdict::Contact);
  EXPECT_EQ(tried(placed(two, cube, Vec3(-1.5, 0, 0))), Verdict::Contact);
  // In the hollow of a cube there is room
  EXPECT_EQ(tried(placed(hollow, small, Vec3(0.25, 0, 0))), Verdict::Separate);
  EXPECT_EQ(tried(placed(small, hollow, Vec3(0.25, 0, 0))), Verdict::Separate);
  EXPECT_EQ(tried(placed(hollow, small, Vec3(0.75, 0, 0))), Verdict::Contact);
  EXPECT_EQ(tried(placed(small, hollow, Vec3(0.75, 0, 0))), Verdict::Contact);
}

TEST_F(BspNarrowPhase, AnswersInOneStep) {
  const TwoBodies bodies = placed(0, 1, Vec3(0.5, 0.0, 0.0));
  const auto levels = test::allLevels(*bsp_, bodies);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].verdict, Verdict::Possible);
  EXPECT_EQ(levels[0].level, 0);
  EXPECT_EQ(levels[1].verdict, Verdict::Contact);
  EXPECT_EQ(levels[1].stage, Stage::Exact);
  EXPECT_EQ(levels[1].separationBound, 0.0);
  EXPECT_EQ(levels[1].deepest.a.centre, bodies[0].pose.position);
  EXPECT_EQ(levels[1].deepest.b.radius, bodies[1].shape.radius());
  std::vector<ContactSpheres> contacts;
  bsp_->contacts(0, 8, contacts);
  EXPECT_EQ(contacts.size(), 1u);
  bsp_->contacts(0, 0, contacts);
  EXPECT_TRUE(contacts.empty());
}

TEST_F(BspNarrowPhase, ChargesItsWork) {
  const TwoBodies bodies = placed(3, 5, Vec3(0.5, 0.0, 0.0));
  const std::array pairs{BodyPair{0, 1}};
  WorkClock clock;
  bsp_->begin(bodies, pairs);
  EXPECT_TRUE(bsp_->refine(0, TimeBudget(clock, Clock::Duration{0}))) << "it cannot be stopped";
  const WorkCount work = bsp_->work();
  EXPECT_GT(work.boundTests, 100u);
  EXPECT_EQ(clock.now(), WorkClock::boundTestPrice * work.boundTests +
                             WorkClock::triangleTestPrice * work.triangleTests);
  bsp_->begin(bodies, pairs);
  EXPECT_EQ(bsp_->work().boundTests, 0u);
}

/// As published each polygon is filtered: the same answers, the same triangles, more work.
TEST_F(BspNarrowPhase, FiltersEachPolygonAsPublished) {
  Random random(27);
  const auto all =
      makeBspNarrowPhase(test::borrowed(kit_.polyhedra, {}, kit_.bspTrees), BspPolygons::All);
  EXPECT_EQ(all->name(), "bsp-all");
  EXPECT_EQ(all->another()->name(), "bsp-all");
  int contacts = 0, more = 0;
  const int count = cases(1000);
  for (int i = 0; i < count; ++i) {
    const auto bodies = test::randomNearMissPair(random, kit_.polyhedra);
    const Refinement near = test::allLevels(*bsp_, bodies).back();
    const Refinement whole = test::allLevels(*all, bodies).back();
    ASSERT_EQ(whole.verdict, near.verdict) << "pose " << i;
    ASSERT_EQ(whole.triangleA, near.triangleA) << "pose " << i;
    ASSERT_EQ(whole.triangleB, near.triangleB) << "pose " << i;
    ASSERT_GE(all->work().boundTests, bsp_->work().boundTests) << "pose " << i;
    const std::size_t polygons = kit_.polyhedra[bodies[1].shape.index()].mesh().triangles.size();
    ASSERT_GE(all->work().boundTests, 2 * polygons) << "each polygon meets the root's plane";
    more += all->work().boundTests > bsp_->work().boundTests;
    contacts += near.verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 10);
  EXPECT_LT(contacts, count * 9 / 10);
  EXPECT_GT(more, count / 2);
}

/// A tree that calls everything inside cannot make a contact of what is apart.
TEST_F(BspNarrowPhase, LetsExactArithmeticConfirmAContact) {
  for (BspTree& tree : kit_.bspTrees) {
    BspTree::Data data = tree.data();
    for (BspNode& node : data.nodes)
      for (std::uint32_t* child : {&node.front, &node.back})
        if (*child == BspNode::out) *child = BspNode::in;
    tree = BspTree(std::move(data));
  }
  Random random(25);
  int separate = 0;
  for (int i = 0; i < 500; ++i) {
    const auto bodies = test::randomNearMissPair(random, kit_.polyhedra);
    const Verdict reference = judged(bodies);
    separate += reference == Verdict::Separate;
    ASSERT_EQ(tried(bodies), reference) << "pose " << i;
  }
  EXPECT_GT(separate, 100);
}

/// The filter must decide nearly all by itself, or it would be no baseline.
TEST_F(BspNarrowPhase, RarelyComparesTriangles) {
  Random random(24);
  const test::ShapeKit solids(test::solidMeshes(), 0);
  auto bsp = makeBspNarrowPhase(test::borrowed(solids.polyhedra, {}, solids.bspTrees));
  std::uint64_t planes = 0, triangles = 0;
  for (int i = 0; i < 500; ++i) {
    const auto bodies = test::randomNearMissPair(random, solids.polyhedra);
    const Verdict verdict = test::finalVerdict(*bsp, bodies);
    planes += bsp->work().boundTests;
    if (verdict == Verdict::Separate) triangles += bsp->work().triangleTests;
  }
  EXPECT_GT(planes, 10000u);
  EXPECT_LT(triangles, planes / 1000);
}

/// The prism from z = 0 to 1 over a polygon, which is cut into `caps`.
TriangleMesh extruded(const std::vector<Vec3>& outline,
                      const std::vector<std::array<std::uint32_t, 3>>& caps) {
  TriangleMesh mesh{outline, {}};
  const auto count = static_cast<std::uint32_t>(outline.size());
  for (const Vec3& p : outline) mesh.positions.push_back(p + Vec3(0.0, 0.0, 1.0));
  for (const auto& [p, q, r] : caps) {
    mesh.triangles.push_back({p, r, q});
    mesh.triangles.push_back({p + count, q + count, r + count});
  }
  // Each triangle of a side begins where its two long edges meet
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t next = (i + 1) % count;
    mesh.triangles.push_back({next + count, i, next});
    mesh.triangles.push_back({i, next + count, i + count});
  }
  return mesh;
}

/// Blocks of 2 by 1 by 1, each a step up and aside: the top of one lies on a plane with the
/// underside of the next.
TriangleMesh flightOfSteps(std::uint32_t steps) {
  std::vector<Vec3> outline{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  for (std::uint32_t k = 0; k < steps; ++k)
    for (const std::uint32_t right : {k + 2, k + 3})
      if (right < steps + 2) outline.push_back({right, k + 1, 0});
  outline.push_back({steps, steps, 0});
  for (std::uint32_t k = steps; k-- > 0;)
    for (const std::uint32_t top : {k + 1, k})
      if (k + top > 0) outline.push_back({k, top, 0});
  const auto at = [&outline](std::uint32_t x, std::uint32_t y) {
    const auto found = std::find(outline.begin(), outline.end(), Vec3(x, y, 0));
    return static_cast<std::uint32_t>(found - outline.begin());
  };
  std::vector<std::array<std::uint32_t, 3>> caps;
  for (std::uint32_t k = 0; k < steps; ++k)
    for (const std::uint32_t x : {k, k + 1}) {
      caps.push_back({at(x, k), at(x + 1, k), at(x + 1, k + 1)});
      caps.push_back({at(x, k), at(x + 1, k + 1), at(x, k + 1)});
    }
  return extruded(outline, caps);
}

TEST(BspSteps, FacesThatLieApartOnOnePlaneAreNotCompared) {
  const test::ShapeKit kit({flightOfSteps(9), test::cube(0.4)}, 0);
  ASSERT_TRUE(kit.polyhedra[0].report().solid());
  const auto bsp = makeBspNarrowPhase(test::borrowed(kit.polyhedra, {}, kit.bspTrees));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(kit.polyhedra));
  Random random(29);
  std::uint64_t planes = 0, triangles = 0;
  for (int i = 0; i < cases(1000); ++i) {
    const Pose pose{Vec3(5.0, 4.5, 0.5) + 5.0 * random.inCube(1.0), random.rotation()};
    const TwoBodies bodies{test::bodyOf(1, 0, kit.polyhedra[0], {}),
                           test::bodyOf(2, 1, kit.polyhedra[1], pose)};
    const Verdict verdict = test::finalVerdict(*bsp, bodies);
    ASSERT_EQ(verdict, test::finalVerdict(*reference, bodies)) << i;
    planes += bsp->work().boundTests;
    if (verdict == Verdict::Separate) triangles += bsp->work().triangleTests;
  }
  EXPECT_GT(planes, 10000u);
  EXPECT_LT(triangles, planes / 1000);
}

TriangleMesh pointed(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& tip) {
  TriangleMesh mesh{{p, q, r, tip}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  repairWinding(mesh);
  return mesh;
}

/// Final verdicts of two meshes that touch, either first, by their BSP trees.
void expectContact(TriangleMesh a, TriangleMesh b) {
  std::vector<TriangleMesh> meshes;
  meshes.push_back(std::move(a));
  meshes.push_back(std::move(b));
  const test::ShapeKit kit(std::move(meshes), 0);
  const auto bsp = makeBspNarrowPhase(test::borrowed(kit.polyhedra, {}, kit.bspTrees));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(kit.polyhedra));
  for (const std::uint32_t first : {0u, 1u}) {
    const TwoBodies bodies{test::bodyOf(1, first, kit.polyhedra[first], {}),
                           test::bodyOf(2, 1 - first, kit.polyhedra[1 - first], {})};
    ASSERT_EQ(test::finalVerdict(*reference, bodies), Verdict::Contact);
    EXPECT_EQ(test::finalVerdict(*bsp, bodies), Verdict::Contact);
  }
}

/// Ten micrometres wide on a metre, where the products of long edges lose the plane of a triangle.
TEST(BspThinParts, FilletOfAConcaveEdgeIsMet) {
  Random random(28);
  for (int i = 0; i < cases(40); ++i) {
    const Real width = random.between(2e-6, 2e-5), middle = 0.5 + 0.3 * width;
    TriangleMesh solid = extruded({{0, 0, 0},
                                   {1, 0, 0},
                                   {1, 0.5, 0},
                                   {0.5 + width, 0.5, 0},
                                   {0.5, 0.5 + width, 0},
                                   {0.5, 1, 0},
                                   {0, 1, 0}},
                                  {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 6}});
    // Its tip is within the fillet, away from both faces
    TriangleMesh other =
        pointed({0.9, 0.9, 0.6}, {0.9, 0.8, 0.51}, {0.8, 0.9, 0.49}, {middle, middle, 0.5});
    const Quat turn = random.rotation();
    for (TriangleMesh* mesh : {&solid, &other})
      for (Vec3& p : mesh->positions) p = turn * (p - Vec3(0.5));
    ASSERT_NO_FATAL_FAILURE(expectContact(std::move(solid), std::move(other))) << "case " << i;
  }
}

/// Both sides of the foil lie on one plane of the tree, and beyond each there is an outside.
TEST(BspThinParts, FoilThinnerThanRoundingIsMet) {
  for (const Real thickness : {2e-12, 1e-13, 0x1p-51}) {
    const TriangleMesh comb = extruded({{0, -1, 0},
                                        {2, -1, 0},
                                        {2, -0.5, 0},
                                        {1, -0.5, 0},
                                        {1, 0, 0},
                                        {2, 0, 0},
                                        {2, thickness, 0},
                                        {1, thickness, 0},
                                        {1, 0.5, 0},
                                        {2, 0.5, 0},
                                        {2, 1, 0},
                                        {0, 1, 0}},
                                       {{0, 1, 2},
                                        {0, 2, 3},
                                        {8, 9, 10},
                                        {8, 10, 11},
                                        {0, 3, 4},
                                        {0, 4, 11},
                                        {4, 7, 11},
                                        {7, 8, 11},
                                        {4, 5, 6},
                                        {4, 6, 7}});
    expectContact(comb,
                  pointed({1.5, 0.3, 0.5}, {1.6, -0.3, 0.5}, {1.5, -0.3, 0.6}, {1.45, -0.3, 0.45}));
  }
}

/// All sides of a hair are needles, of which a solid tree has none.
TEST(BspThinParts, HairOfASolidIsMet) {
  TriangleMesh solid = test::cube();
  test::append(solid, pointed({1.5, 0, 0}, {1.5, 1e-13, 0}, {1.5, 0, 1e-13}, {2, 0, 0}));
  expectContact(std::move(solid),
                {{{1.7, -0.5, -0.4}, {1.7, 0.5, -0.4}, {1.7, 0.0, 0.5}}, {{0, 1, 2}}});
}

/// A triangle crosses a plane of the tree by less than rounding: the part in front is left out, and
/// another plane parts what is behind from the one that meets it.
TEST(BspThinParts, PartThatIsLeftOutIsMet) {
  const TriangleMesh open{{{-2, 0, 0},
                           {-3, 0, 0},
                           {-2, 1, 0},
                           {-2, 3, 0},
                           {-3, 3, 0},
                           {-2, 4, 0},
                           {7e-4, -1, -1},
                           {7e-4, 2, -1},
                           {7e-4, 0.5, -2},
                           {0, 0, 0.9e-12},
                           {0, 1, 0.9e-12},
                           {1, 0.5, -1e-9}},
                          {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 11, 10}}};
  expectContact(open, {{{5e-4, 0.5, 0.5}, {4e-4, 0.5, -0.5}, {6e-4, 0.5, -0.5}}, {{0, 1, 2}}});
}

}  // namespace
}  // namespace nearmiss
