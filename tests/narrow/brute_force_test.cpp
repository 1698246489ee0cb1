// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <array>
#include <vector>

#include "oracle/solid.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::Random;

std::vector<Polyhedron> polyhedra(const std::vector<TriangleMesh>& meshes) {
  std::vector<Polyhedron> made;
  for (const TriangleMesh& mesh : meshes) made.emplace_back(mesh);
  return made;
}

BodyState body(const std::vector<Polyhedron>& shapes, std::uint32_t shape, const Vec3& position,
               const Quat& rotation = glm::identity<Quat>()) {
  return test::bodyOf(shape, shape, shapes[shape], {position, rotation});
}

const Polyhedron& shapeOf(const std::vector<Polyhedron>& shapes, const BodyState& b) {
  return shapes[b.shape.index()];
}

TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& p : mesh.positions) p = transformed(pose, p);
  return mesh;
}

Refinement answerOf(NarrowPhase& phase, const std::array<BodyState, 2>& bodies) {
  const std::array pairs{BodyPair{0, 1}};
  phase.begin(bodies, pairs);
  EXPECT_TRUE(phase.refine(0, TimeBudget::unlimited()));
  return phase.result(0);
}

/// Cubes of edge 2 and their verdict by the closed form.
struct Placement {
  const char* name;
  Vec3 position;
  Verdict expected;
};

class TwoCubes : public testing::TestWithParam<Placement> {};

TEST_P(TwoCubes, AnswerAsTheClosedForm) {
  const auto shapes = polyhedra({test::cube(), test::cube()});
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  const std::array bodies{body(shapes, 0, {16, 32, 64}),
                          body(shapes, 1, Vec3{16, 32, 64} + GetParam().position)};
  EXPECT_EQ(answerOf(*phase, bodies).verdict, GetParam().expected);
  EXPECT_EQ(answerOf(*phase, {bodies[1], bodies[0]}).verdict, GetParam().expected);
}

constexpr Real hair = 0x1p-40;
INSTANTIATE_TEST_SUITE_P(
    ClosedForms, TwoCubes,
    testing::Values(Placement{"FaceToFace", {2, 0, 0}, Verdict::Contact},
                    Placement{"FaceJustApart", {2 + hair, 0, 0}, Verdict::Separate},
                    Placement{"FaceShifted", {0, 2, 1.5}, Verdict::Contact},
                    Placement{"EdgeToEdge", {2, 2, 0}, Verdict::Contact},
                    Placement{"EdgeJustApart", {2, 2 + hair, 0}, Verdict::Separate},
                    Placement{"CornerToCorner", {2, 2, 2}, Verdict::Contact},
                    Placement{"CornerJustApart", {2, 2, 2 + hair}, Verdict::Separate},
                    Placement{"Overlapping", {1, 1, 1}, Verdict::Contact},
                    Placement{"TheSame", {0, 0, 0}, Verdict::Contact}),
    [](const auto& placement) { return placement.param.name; });

TEST(BruteForce, CornerOnFace) {
  // A pyramid that stands on its tip, over the middle of a cube's face
  const TriangleMesh tip{{{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}},
                         {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}};
  const auto shapes = polyhedra({test::cube(), tip});
  ASSERT_TRUE(shapes[1].report().solid());
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  const auto at = [&](Real height) {
    return answerOf(*phase, {body(shapes, 0, {0, 0, 0}), body(shapes, 1, {0.25, 0.125, height})});
  };
  EXPECT_EQ(at(1.0).verdict, Verdict::Contact);
  EXPECT_EQ(at(1.0 + hair).verdict, Verdict::Separate);
  EXPECT_EQ(at(1.0 - hair).verdict, Verdict::Contact);
}

TEST(BruteForce, NestedSolidsAreInContact) {
  const auto shapes = polyhedra({test::cube(2.0), test::cube(0.5)});
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  const BodyState outer = body(shapes, 0, {0, 0, 0}), inner = body(shapes, 1, {0.5, 0.5, 0});
  const Refinement answer = answerOf(*phase, {outer, inner});
  EXPECT_EQ(answer.verdict, Verdict::Contact);
  EXPECT_EQ(answer.triangleA, Refinement::noTriangle);
  EXPECT_EQ(answerOf(*phase, {inner, outer}).verdict, Verdict::Contact);
}

TEST(BruteForce, KeepsTheContract) {
  const auto shapes = polyhedra({test::cube(), test::cube()});
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  EXPECT_EQ(phase->name(), "brute-force");
  const std::array bodies{body(shapes, 0, {0, 0, 0}), body(shapes, 1, {1.5, 0, 0}),
                          body(shapes, 1, {9, 0, 0})};
  const std::array pairs{BodyPair{0, 1}, BodyPair{1, 2}};
  phase->begin(bodies, pairs);
  EXPECT_EQ(phase->result(0).level, 0);
  EXPECT_EQ(phase->result(0).verdict, Verdict::Possible);
  EXPECT_TRUE(phase->result(0).canRefine);
  EXPECT_EQ(phase->work().boundTests, 0u);

  // A budget that is spent already neither cuts the one step short nor goes uncharged
  WorkClock clock;
  const TimeBudget budget(clock, Clock::Duration{0});
  ASSERT_TRUE(phase->refine(0, budget));
  const WorkCount work = phase->work();
  EXPECT_GT(work.triangleTests, 0u);
  EXPECT_EQ(clock.now(), WorkClock::boundTestPrice * work.boundTests +
                             WorkClock::triangleTestPrice * work.triangleTests);
  ASSERT_TRUE(phase->refine(1, budget));

  const Refinement contact = phase->result(0);
  EXPECT_EQ(contact.verdict, Verdict::Contact);
  EXPECT_FALSE(contact.canRefine);
  EXPECT_EQ(contact.stage, Stage::Exact);
  EXPECT_EQ(contact.separationBound, 0.0);
  EXPECT_EQ(contact.deepest.a.centre, Vec3(0.0));
  EXPECT_EQ(contact.deepest.b.centre, Vec3(1.5, 0, 0));
  EXPECT_EQ(contact.deepest.b.radius, bodies[1].shape.radius());
  ASSERT_LT(contact.triangleA, 12u);
  ASSERT_LT(contact.triangleB, 12u);
  Triangle other = shapes[1].mesh().corners(contact.triangleB);
  for (Vec3& p : other) p.x += 1.5;
  EXPECT_TRUE(trianglesMeet(shapes[0].mesh().corners(contact.triangleA), other));

  const Refinement apart = phase->result(1);
  EXPECT_EQ(apart.verdict, Verdict::Separate);
  EXPECT_FALSE(apart.canRefine);
  std::vector<ContactSpheres> spheres;
  phase->contacts(0, 9, spheres);
  EXPECT_EQ(spheres.size(), 1u);
  phase->contacts(1, 9, spheres);
  EXPECT_TRUE(spheres.empty());
}

/// Half-turns about an axis and multiples of 1/8 are exact, so that the truth is the same in the
/// frame of either body.
TEST(BruteForce, LatticePlacementsAgreeWithIntegersInEitherOrder) {
  Random random(11);
  const auto shapes =
      polyhedra({test::cube(0.5), test::comb(2, 0.5), test::tetrahedron(), test::comb(3, 0.25)});
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  const std::array<Quat, 4> halfTurns{Quat(1, 0, 0, 0), Quat(0, 1, 0, 0), Quat(0, 0, 1, 0),
                                      Quat(0, 0, 0, 1)};
  int contacts = 0;
  const int count = test::cases(400);
  for (int i = 0; i < count; ++i) {
    std::array<BodyState, 2> bodies;
    for (auto& b : bodies) {
      const auto shape = static_cast<std::uint32_t>(random.whole(0, 3));
      const Vec3 position = random.onLattice(8) * 0.125;
      b = body(shapes, shape, position, halfTurns[static_cast<std::size_t>(random.whole(0, 3))]);
    }
    const TriangleMesh a = moved(shapeOf(shapes, bodies[0]).mesh(), bodies[0].pose);
    const TriangleMesh b = moved(shapeOf(shapes, bodies[1]).mesh(), bodies[1].pose);
    ASSERT_EQ(a.positions, test::snapped(a).positions);
    const Verdict expected = test::solidsMeet(a, b) ? Verdict::Contact : Verdict::Separate;
    ASSERT_EQ(answerOf(*phase, bodies).verdict, expected) << i;
    ASSERT_EQ(answerOf(*phase, {bodies[1], bodies[0]}).verdict, expected) << i << ", exchanged";
    contacts += expected == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
}

/// Turned at random and slid to within a hair of touching; the true verdict is that of the moved
/// doubles.
TEST(BruteForce, GrazingPairsAgreeWithRationals) {
  Random random(12);
  const auto shapes = polyhedra({test::cube(), test::tetrahedron(), test::comb(2)});
  const auto phase = makeBruteForceNarrowPhase(test::borrowed(shapes));
  const auto meet = [&](const BodyState& a, const BodyState& b) {
    return answerOf(*phase, {a, b}).verdict == Verdict::Contact;
  };
  int contacts = 0;
  const int count = test::cases(60);
  for (int i = 0; i < count; ++i) {
    const auto pair = test::randomGrazingPair(random, shapes, meet);
    const TriangleMesh& a = shapeOf(shapes, pair[0]).mesh();
    const TriangleMesh b =
        moved(shapeOf(shapes, pair[1]).mesh(), relativePose(pair[0].pose, pair[1].pose));
    bool expected = false;
    for (std::size_t s = 0; s < a.triangles.size() && !expected; ++s)
      for (std::size_t t = 0; t < b.triangles.size() && !expected; ++t)
        expected = test::meetExactly(a.corners(s), b.corners(t));
    ASSERT_EQ(meet(pair[0], pair[1]), expected) << i;
    contacts += expected;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
}

}  // namespace
}  // namespace nearmiss
