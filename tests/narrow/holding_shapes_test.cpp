// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstdint>

#include "narrow/holding_shapes.h"
#include "narrow/pair_search_work.h"
#include "shape/search_tree.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

/// Two shapes of a table, and the pose of the second as seen from the first.
struct PosedPair {
  std::uint32_t a, b;
  Pose bToA;
};

Vec3 vertexOf(const Shape& shape) {
  return shape.polyhedron().mesh().positions[shape.polyhedron().components()[0].vertex];
}

/// Near each other, near the origin or far from it; some with rotations that are hardly units, some
/// with the vertex that is looked at in a face of the other's box.
PosedPair drawPair(test::Random& random, const Shapes& shapes, int i) {
  const int last = static_cast<int>(shapes.size()) - 1;
  PosedPair pair{static_cast<std::uint32_t>(random.whole(0, last)),
                 static_cast<std::uint32_t>(random.whole(0, last)),
                 {}};
  const Shape &a = shapes[pair.a], &b = shapes[pair.b];
  const Pose poseA{random.inCube(1.0) + Vec3(i % 3 == 0 ? 1000.0 : 0.0), random.rotation()};
  const Real reach = (i % 2 == 0 ? 1.0 : 0.3) * (a.radius() + b.radius());
  Pose poseB{poseA.position + random.direction() * random.between(0.0, reach),
             i % 7 == 0 ? poseA.rotation : random.rotation()};
  if (i % 5 == 0) poseB.rotation = poseB.rotation * (1.0 + random.between(-1e-10, 1e-10));
  pair.bToA = relativePose(poseA, poseB);
  if (i % 4 == 0) {
    const int axis = random.whole(0, 2);
    const Vec3 vertex = transformed(pair.bToA, vertexOf(b));
    pair.bToA.position[axis] += a.polyhedron().bounds().high[axis] - vertex[axis];
  }
  return pair;
}

TEST(HoldingShapes, DenyNoPairOfWhichOneHoldsTheOther) {
  const test::ShapeKit kit(test::solidAndOpenMeshes(), 1);
  const Shapes shapes = kit.tables();
  const HoldingShapes holding(shapes);
  test::Random random(5);
  Search search;
  int held = 0, denied = 0, deniedBySize = 0;
  for (int i = 0; i < 100000; ++i) {
    const PosedPair pair = drawPair(random, shapes, i);
    const Shape &a = shapes[pair.a], &b = shapes[pair.b];
    const PackMotion motion(pair.bToA, searchTreeOf(a).reach(), searchTreeOf(b).reach());
    setMotion(search, motion);
    const bool may = holding.either(pair.a, pair.b, search);
    const bool is = oneInsideOther(a.polyhedron(), b.polyhedron(), pair.bToA);
    ASSERT_TRUE(may || !is) << "pair " << i;
    held += is;
    denied += !may;
    deniedBySize +=
        !mayHold(a.polyhedron(), b.polyhedron()) && !mayHold(b.polyhedron(), a.polyhedron());
  }
  EXPECT_GT(held, 2000);
  EXPECT_GT(denied - deniedBySize, 10000) << "that the vertex alone denies";
}

}  // namespace
}  // namespace nearmiss
