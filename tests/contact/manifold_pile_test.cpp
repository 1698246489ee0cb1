// SPDX-License-Identifier: MIT
/// Solids that fall on a heap, held by their manifolds alone, come to rest and are never pushed
/// farther than they overlap.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/rigid_pile.h"
#include "support/bounded_penetration.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;
using test::RigidBody;
using test::RigidPile;

/// The points are no deeper than this many times the way that parts the bodies.
constexpr Real maxRatio = 3.0;

TEST(ManifoldPile, ComesToRestAndIsNeverPushedFartherThanItOverlaps) {
  const std::vector<Shape> shapes = test::edgedSolids();
  const Shape floor = test::treelessShape(test::box({-20, -1, -20}, {20, 0, 20}));
  Random random(51);
  int piles = 0, resting = 0, deep = 0;
  for (; piles < test::cases(2); ++piles) {
    SCOPED_TRACE(piles);
    RigidPile pile;
    pile.bodies.push_back({&floor, {}});
    for (int i = 0; i < 4; ++i) {
      const Vec3 at(random.between(-0.3, 0.3), 1.2 + 1.9 * i, random.between(-0.3, 0.3));
      const Quat turn = random.chance(0.5) ? random.rotation() : Quat(1, 0, 0, 0);
      pile.bodies.push_back(test::solidBody(random.anyOf(shapes), {at, turn}));
    }
    const auto see = [&](const RigidBody& a, const RigidBody& b, const ManifoldPoint& point) {
      if (point.depth <= 0.006) return;
      ++deep;
      const PenetrationBounds truth = test::boundedPenetration(*a.shape, a.pose, *b.shape, b.pose);
      ASSERT_LE(point.depth, maxRatio * truth.upper + 1e-4) << std::hex << point.id;
    };
    Real fastest = 0.0;
    constexpr int steps = 1440;
    for (int step = 0; step < steps; ++step) {
      pile.step(see);
      if (testing::Test::HasFatalFailure()) return;
      if (step < steps - 120) continue;
      for (const RigidBody& body : pile.bodies)
        fastest = std::max(fastest, body.energyOfMotion() * body.inverseMass);
    }
    resting += fastest < 1e-4;
    EXPECT_LT(std::ranges::max(test::overlapsIn(pile)), 0.05);
    for (const RigidBody& body : pile.bodies) EXPECT_GT(body.middle().y, -0.6) << "fell through";
  }
  EXPECT_GE(resting, piles / 2);
  EXPECT_GT(deep, piles);
}

struct RestingPair {
  std::size_t a, b;  ///< of test::edgedSolids()
  Pose poseA, poseB;
};

/// Each lay in such a pile: plates on each other within rounding, vertices on faces that they lean
/// out of by a hair, or close behind a side that their body only passes by.
TEST(ManifoldPile, IsNotPushedAsideWhereItRests) {
  const std::vector<Shape> shapes = test::edgedSolids();
  const std::vector<RestingPair> pairs{
      {5,
       5,
       {{-0.16914430781309225, 1.5687185868620093, -0.70350151627330426},
        {0.74076587439315478, -0.63400097536374744, 0.18043870364492892, 0.12942394214093222}},
       {{0.38877373520797831, 1.6304646919378551, -0.080970123641979114},
        {-0.28782825728734068, -0.2561353423739185, 0.70702145428380603, -0.59301791193549969}}},
      {4,
       1,
       {{0.44199994052256208, 0.80645676216626128, -0.56120522178027044},
        {0.83247144757946634, -0.15916058627663229, -0.34934468516173428, -0.39952157349794704}},
       {{0.25697804101233662, 2.7121241147845803, -0.066818451834889117},
        {0.86160896341159843, 0.28060526742260233, 0.014645767190053165, 0.42270105224247506}}},
      {2,
       5,
       {{0.3127731406775035, 0.61340172714703034, -0.31243141142861447},
        {-0.2158415661583416, 0.64953367496626058, 0.6844248304439533, 0.25115946104995557}},
       {{0.17028411715038813, 0.80075435767993042, 0.64036814878221071},
        {0.76193926015034841, -0.48144513715187648, 0.19576251165569838, 0.38644040004197683}}},
      {5,
       5,
       {{0.26536335205307054, 1.3002219422609522, -0.22463699185430436},
        {0.98126568229357647, -0.095196421317934501, 0.02411998364987316, 0.16575140575545763}},
       {{0.4067683835051642, 2.3952617258111921, -0.13312503608202483},
        {-0.11305588856326426, -0.42633440068794964, 0.75791349679027753, -0.48065005589758503}}},
      {1,
       5,
       {{1.5073125014513205, 0.57735002892504572, -1.1610777937093235},
        {-0.40641082192805028, -0.14026562089412448, -0.7896234937735267, -0.43777909668672127}},
       {{0.89216572187345056, 0.72940966564909215, 0.90224647302844962},
        {0.70314887948135607, -0.58092450445825072, 0.074703868740755464, -0.4031472502686993}}},
      {0,
       1,
       {{-0.076221559207698741, 0.5431783483368442, -0.32635988896121693},
        {0.99931585587413585, -0.0289027450723345, -0.016971688468052887, -0.015633723688563785}},
       {{0.96616103398678177, 1.3885059801953175, 0.022623536317224767},
        {-0.11654775582733873, -0.071308719235588014, 0.93799306571521146, -0.31859173850363764}}},
      {7,
       5,
       {{2.1269608414967842, 0.0079608739762521696, 0.69441901530715311},
        {0.33986617935467434, -0.64548288057498415, -0.619705407779644, 0.28949618060372151}},
       {{3.3291730179598189, 0.23736202603051823, 0.31612129713903309},
        {0.36925702638077917, 0.43971202955362371, 0.57993199285268804, -0.57791129353921389}}},
      {5,
       6,
       {{0.97146799964564867, 0.63262797897158185, 0.13726385295819318},
        {0.6941133158708559, 0.65419634806118887, -0.13508019617591202, -0.26830427412780128}},
       {{2.040426285478532, 0.28947868743988658, 0.96401603843719441},
        {0.93060217600359563, 0.0122502502956136, 0.22764462402982621, -0.2863694231851352}}},
  };
  int touching = 0;
  for (const RestingPair& pair : pairs) {
    SCOPED_TRACE(&pair - pairs.data());
    const Shape &a = shapes[pair.a], &b = shapes[pair.b];
    const PenetrationBounds truth = test::boundedPenetration(a, pair.poseA, b, pair.poseB);
    for (const Real margin : {0.0, 0.02}) {
      const ContactManifold found = contactManifold(a, pair.poseA, b, pair.poseB, {margin, 64});
      for (const ManifoldPoint& point : found.points)
        EXPECT_LE(point.depth, maxRatio * truth.upper + 1e-6);
      touching += found.points.size() >= 2;
    }
  }
  EXPECT_GE(touching, static_cast<int>(pairs.size()));
}

/// An edge of a tetrahedron cuts deep into a rod, of which two vertices are hardly inside: these
/// alone would let it sink in.
TEST(ManifoldPile, IsDeepWhereEdgesShareMuch) {
  const std::vector<Shape> shapes = test::edgedSolids();
  const Shape &rod = shapes[6], &tetrahedron = shapes[1];
  const Pose ofRod{
      {-0.085867367199741695, 1.9581173938041789, 0.19671303326166795},
      {-0.46899718025022374, 0.47697699838533691, -0.74290659743101561, -0.024987505320145868}};
  const Pose ofOther{
      {-0.36038634109199058, 2.592863823556788, -0.073108055386469403},
      {-0.21172937319240359, 0.94448363560098403, -0.071937469769739679, -0.24072045000919123}};
  const PenetrationBounds truth = test::boundedPenetration(rod, ofRod, tetrahedron, ofOther);
  ASSERT_GT(truth.lower, 0.09);
  const ContactManifold found = contactManifold(rod, ofRod, tetrahedron, ofOther);
  ASSERT_FALSE(found.points.empty());
  EXPECT_GT(found.points.front().depth, 0.6 * truth.lower);
  EXPECT_LT(found.points.front().depth, 1.1 * truth.upper);
  EXPECT_LT(found.points.back().depth, 0.01) << "a vertex hardly inside";
}

}  // namespace
}  // namespace nearmiss
