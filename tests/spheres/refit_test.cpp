// SPDX-License-Identifier: MIT
/// Refitted trees against the checker of coverage and bounds, and against brute force.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "spheres/built_shapes.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::builtShapes;
using testing::HasSubstr;

/// A shake of every vertex, a wave, a twist, or a scale and a shift of all.
std::vector<Vec3> deformed(const Shape& shape, int kind, test::Random& random) {
  std::vector<Vec3> positions = shape.polyhedron().mesh().positions;
  const Real size = shape.radius();
  const Vec3 way = random.direction(), wave = 3.0 / size * random.direction();
  const Real strength = random.between(0.002, 0.1), scale = random.between(0.3, 3.0);
  const Vec3 shift = size * random.direction();
  for (Vec3& p : positions) {
    if (kind == 0) p += 0.2 * strength * size * random.direction();
    if (kind == 1) p += strength * size * std::sin(glm::dot(wave, p)) * way;
    if (kind == 2) p = glm::angleAxis(4.0 * strength * p.z / size, Vec3(0.0, 0.0, 1.0)) * p;
    if (kind == 3) p = scale * p + shift;
  }
  return positions;
}

TEST(Refit, KeepsEveryChainAndEveryBound) {
  test::Random random(71);
  int grown = 0, pays = 0, refits = 0;
  for (const Shape& shape : builtShapes()) {
    if (shape.sphereTree()->coverage() != Coverage::Guaranteed) continue;
    for (int i = 0; i < test::cases(2); ++i) {
      SCOPED_TRACE(shape.treeOrigin().builder + " " + std::to_string(i));
      // All kinds in turn, over all shapes
      const int kind = refits % 4;
      const auto moved = refit(shape, deformed(shape, kind, random));
      ASSERT_TRUE(moved) << moved.error().message;
      const SphereTreeCertificate proof =
          checkSphereTree(*moved->shape.sphereTree(), moved->shape.polyhedron());
      ASSERT_TRUE(proof.covers) << proof.complaint;
      ASSERT_TRUE(proof.bounds) << proof.complaint;
      if (kind == 3) {
        EXPECT_NEAR(moved->growth, 1.0, 1e-3);
      }
      ++refits;
      grown += moved->growth > 1.1;
      pays += moved->rebuildPays;
    }
  }
  EXPECT_GE(refits, 9 * test::cases(2));
  EXPECT_GT(grown, refits / 4);
  EXPECT_GT(pays, 0);
  EXPECT_LT(pays, refits * 3 / 4);
}

TEST(Refit, OfTheSamePositionsHasTheSameSpheres) {
  for (const Shape& shape : builtShapes()) {
    if (shape.sphereTree()->coverage() != Coverage::Guaranteed) continue;
    const auto same = refit(shape, shape.polyhedron().mesh().positions);
    ASSERT_TRUE(same);
    EXPECT_LE(same->growth, 1.00001);
    EXPECT_FALSE(same->rebuildPays);
    EXPECT_EQ(same->shape.polyhedron().hash(), shape.polyhedron().hash());
  }
}

TEST(Refit, OfAShiftedAndScaledBodyDoesNotGrow) {
  test::Random random(75);
  for (const Shape& shape : builtShapes()) {
    if (shape.sphereTree()->coverage() != Coverage::Guaranteed) continue;
    for (const Real shift : {0.0, 1.0, 30.0, 1e3}) {
      const Real scale = random.between(0.3, 3.0);
      const Vec3 to = scale * shift * shape.radius() * random.direction();
      std::vector<Vec3> positions = shape.polyhedron().mesh().positions;
      for (Vec3& p : positions) p = scale * p + to;
      const auto moved = refit(shape, positions);
      ASSERT_TRUE(moved) << moved.error().message;
      EXPECT_NEAR(moved->growth, 1.0, 1e-3) << shift;
      EXPECT_FALSE(moved->rebuildPays);
    }
  }
}

TEST(Refit, AnswersAsBruteForceDoes) {
  test::Random random(72);
  int contacts = 0, apart = 0;
  for (int i = 0; i < test::cases(120); ++i) {
    const Shape& a = builtShapes()[static_cast<std::size_t>(random.whole(0, 2))];
    const Shape& b = builtShapes()[static_cast<std::size_t>(random.whole(0, 2))];
    const auto movedA = refit(a, deformed(a, i % 3, random));
    const auto movedB = refit(b, deformed(b, (i + 1) % 3, random));
    ASSERT_TRUE(movedA && movedB);
    const Shape &one = movedA->shape, &two = movedB->shape;
    const Pose here = test::randomPose(random, 0.9), there = test::randomPose(random, 0.9);
    const bool touch =
        distanceBetween(one.polyhedron(), two.polyhedron(), relativePose(here, there)) == 0.0;
    CollisionQuery query;
    query.begin(one, here, two, there);
    // Every level of spheres on the way is conservative
    for (int level = 0; level < 4; ++level) {
      const Refinement part = query.refineTo(level);
      ASSERT_NE(part.verdict, touch ? Verdict::Separate : Verdict::Contact) << level;
    }
    const Refinement known = query.refine();
    ASSERT_EQ(known.verdict == Verdict::Contact, touch);
    ++(touch ? contacts : apart);
  }
  EXPECT_GT(contacts, test::cases(120) / 6);
  EXPECT_GT(apart, test::cases(120) / 6);
}

/// A speck far from its origin, and a rod thinner than a depth is known.
TEST(Refit, KeepsBoundsThatRoundingDecides) {
  for (const auto& [half, at] :
       {std::pair{Vec3(1e-8), Vec3(1e6)}, {Vec3(1, 1e-9, 1e-9), Vec3(0)}}) {
    TriangleMesh mesh = test::cube(1.0);
    for (Vec3& p : mesh.positions) p = p * half + at;
    const Polyhedron polyhedron(mesh);
    const auto tree = buildSphereDag(polyhedron, {.levels = 2});
    ASSERT_TRUE(tree);
    const auto shape = Shape::of(Polyhedron(mesh)).with(SphereTree(*tree));
    ASSERT_TRUE(shape);
    const auto moved = refit(*shape, mesh.positions);
    ASSERT_TRUE(moved);
    const SphereTreeCertificate sound = checkSphereTree(*moved->shape.sphereTree(), polyhedron);
    EXPECT_TRUE(sound.covers && sound.bounds) << sound.complaint;
  }
}

/// A needle that becomes a face keeps its size, whatever its area was.
TEST(Refit, OfANeedleStaysNearTheBody) {
  for (const Real height : {1e-20, 1e-56}) {
    const TriangleMesh needle{{{0.1, 0, 0}, {1.1, 0, 0}, {0.6, height, 0}}, {{0, 1, 2}}};
    const auto shape = Shape::of(Polyhedron(needle))
                           .with(*buildOctreeSphereTree(Polyhedron(needle), {.levels = 2}));
    ASSERT_TRUE(shape) << shape.error().message;
    const auto moved = refit(*shape, std::vector<Vec3>{{0.1, 0, 0}, {1.1, 0, 0}, {0.6, 1, 0}});
    ASSERT_TRUE(moved) << height << ": " << moved.error().message;
    EXPECT_LT(moved->shape.sphereTree()->reach(), 4.0) << height;
    const SphereTreeCertificate proof =
        checkSphereTree(*moved->shape.sphereTree(), moved->shape.polyhedron());
    EXPECT_TRUE(proof.covers && proof.bounds) << height << ": " << proof.complaint;
  }
}

/// Far from its origin a speck has spheres of the rounding there.
TEST(Refit, SaysThatSpheresAreOutOfRange) {
  TriangleMesh speck = test::cube(1e-6);
  for (Vec3& p : speck.positions) p += Vec3(1e9 + 29.0);
  const auto shape =
      Shape::of(Polyhedron(speck)).with(*buildOctreeSphereTree(Polyhedron(speck), {.levels = 1}));
  ASSERT_TRUE(shape) << shape.error().message;
  std::vector<Vec3> large = test::cube(1e13).positions;
  const auto moved = refit(*shape, large);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(moved.error().message, HasSubstr("of its sphere tree, a number of a sphere"));
}

TEST(Refit, RefusesWhatDoesNotFit) {
  const Shape& shape = builtShapes()[0];
  std::vector<Vec3> positions = shape.polyhedron().mesh().positions;
  const auto sentence = [&](const Shape& of) {
    const auto none = refit(of, positions);
    EXPECT_FALSE(none);
    return none ? std::string() : none.error().message;
  };
  positions.pop_back();
  EXPECT_THAT(sentence(shape), HasSubstr("159 positions for the 160 vertices"));
  positions.push_back({0.0, std::numeric_limits<Real>::quiet_NaN(), 0.0});
  EXPECT_THAT(sentence(shape), HasSubstr("vertex 159: y is nan"));
  positions.back() = {1e300, 0.0, 0.0};
  EXPECT_NE(sentence(shape), "");
  positions.clear();
  EXPECT_NE(sentence(shape), "");
  positions = shape.polyhedron().mesh().positions;
}

}  // namespace
}  // namespace nearmiss
