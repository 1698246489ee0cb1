// SPDX-License-Identifier: MIT
/// Scaled shapes against the checker of coverage and bounds, against brute force, and against
/// themselves where nothing is rounded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
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

const Shape& anyShape(test::Random& random) {
  const int last = static_cast<int>(builtShapes().size()) - 1;
  return builtShapes()[static_cast<std::size_t>(random.whole(0, last))];
}

Pose scaledPose(const Pose& pose, Real factor) { return {factor * pose.position, pose.rotation}; }

TEST(Scaled, ByAPowerOfTwoAnswersAlike) {
  test::Random random(81);
  int contacts = 0, apart = 0, bySpheres = 0;
  for (int i = 0; i < test::cases(100); ++i) {
    const Shape &a = anyShape(random), &b = anyShape(random);
    const Real factor = std::ldexp(1.0, random.whole(-12, 12));
    const auto largeA = scaled(a, factor), largeB = scaled(b, factor);
    ASSERT_TRUE(largeA && largeB);
    const Pose here = test::randomPose(random, 0.8), there = test::randomPose(random, 0.8);
    const Refinement given = collide(a, here, b, there);
    const Refinement large =
        collide(*largeA, scaledPose(here, factor), *largeB, scaledPose(there, factor));
    ASSERT_EQ(large.verdict, given.verdict);
    ASSERT_EQ(large.level, given.level);
    ASSERT_EQ(large.stage, given.stage);
    ASSERT_EQ(large.triangleA, given.triangleA);
    ASSERT_EQ(large.byInnerSpheres, given.byInnerSpheres);
    contacts += given.verdict == Verdict::Contact;
    apart += given.verdict == Verdict::Separate;
    bySpheres += given.byInnerSpheres;
  }
  EXPECT_GT(contacts, test::cases(100) / 6);
  EXPECT_GT(apart, test::cases(100) / 6);
  EXPECT_GT(bySpheres, 0);
}

TEST(Scaled, ByAnyFactorCoversAndBounds) {
  test::Random random(82);
  for (const Shape& shape : builtShapes())
    for (int i = 0; i < test::cases(3); ++i) {
      const Real factor = std::exp(random.between(-7.0, 7.0));
      SCOPED_TRACE(shape.treeOrigin().builder + " by " + std::to_string(factor));
      const auto made = scaled(shape, factor);
      ASSERT_TRUE(made) << made.error().message;
      // Back and forth, so that rounding adds up
      const auto back = scaled(*made, 1.0 / factor);
      ASSERT_TRUE(back);
      for (const Shape& each : {*made, *back}) {
        const auto proof = checkSphereTree(*each.sphereTree(), each.polyhedron());
        ASSERT_EQ(proof.covers, shape.sphereTree()->coverage() == Coverage::Guaranteed)
            << proof.complaint;
        ASSERT_TRUE(proof.bounds) << proof.complaint;
        const SphereTree::Data& data = each.sphereTree()->data();
        ASSERT_EQ(data.inner.empty(), shape.sphereTree()->data().inner.empty());
        ASSERT_EQ(data.boxes.boxes.size(), shape.sphereTree()->data().boxes.boxes.size());
        for (int level = 0; level < data.inner.levelCount(); ++level)
          for (const Sphere& inner : data.inner.spheresOf(level)) {
            ASSERT_TRUE(each.polyhedron().contains(inner.centre));
            ASSERT_LE(inner.radius, each.polyhedron().nearest(inner.centre).distance);
          }
      }
      EXPECT_NEAR(made->sphereTree()->sphere(0).radius,
                  factor * shape.sphereTree()->sphere(0).radius, 1e-5 * factor * shape.radius());
    }
}

TEST(Scaled, AnswersAsBruteForceDoes) {
  test::Random random(83);
  int contacts = 0, apart = 0;
  for (int i = 0; i < test::cases(100); ++i) {
    const Real size = std::exp(random.between(-3.0, 3.0));
    const auto a = scaled(anyShape(random), size * random.between(0.3, 1.5));
    const auto b = scaled(anyShape(random), size * random.between(0.3, 1.5));
    ASSERT_TRUE(a && b);
    const Pose here = scaledPose(test::randomPose(random, 0.8), size);
    const Pose there = scaledPose(test::randomPose(random, 0.8), size);
    const bool touch =
        distanceBetween(a->polyhedron(), b->polyhedron(), relativePose(here, there)) == 0.0;
    CollisionQuery query;
    query.begin(*a, here, *b, there);
    for (int level = 0; level < 4; ++level) {
      const Refinement part = query.refineTo(level);
      ASSERT_NE(part.verdict, touch ? Verdict::Separate : Verdict::Contact) << level;
    }
    ASSERT_EQ(query.refine().verdict == Verdict::Contact, touch);
    ++(touch ? contacts : apart);
  }
  EXPECT_GT(contacts, test::cases(100) / 6);
  EXPECT_GT(apart, test::cases(100) / 6);
}

TEST(Scaled, KeepsBspTrees) {
  test::Random random(84);
  int inside = 0;
  for (const Shape& shape : builtShapes()) {
    const Real factor = std::exp(random.between(-3.0, 3.0));
    const auto made = scaled(shape, factor);
    ASSERT_TRUE(made && made->bspTree());
    for (int i = 0; i < test::cases(100); ++i) {
      const Vec3 point = shape.radius() * random.between(0.0, 1.0) * random.direction();
      if (shape.polyhedron().nearest(point).distance < 1e-9) continue;
      const bool in = shape.polyhedron().contains(point);
      ASSERT_EQ(made->bspTree()->inside(factor * point), in);
      inside += in;
    }
  }
  EXPECT_GT(inside, test::cases(100));
}

/// Two cubes a rounding apart, which a factor joins: what meets itself has no outside.
TEST(Scaled, KeepsNoDistancesOutsideOfWhatIsNoSolidAnyMore) {
  TriangleMesh mesh = test::cube(0.5);
  const TriangleMesh other = mesh;
  const Real gap = std::nextafter(1.9, 2.0);
  for (Vec3& p : mesh.positions) p.x = p.x < 0.0 ? 1.0 : 1.9;
  for (const Vec3& p : other.positions) mesh.positions.push_back({p.x < 0.0 ? gap : 3.0, p.y, p.z});
  for (const auto& [a, b, c] : other.triangles) {
    const auto first = static_cast<std::uint32_t>(other.positions.size());
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
  const Polyhedron polyhedron(mesh);
  ASSERT_TRUE(polyhedron.report().solid());
  const auto tree = buildOctreeSphereTree(polyhedron, {.levels = 2});
  ASSERT_TRUE(tree);
  SphereTree::Data data = tree->data();
  data.outside.resize(data.packs.size() * SpherePack::width, 0.0f);
  for (SphereId id = 0; id < data.outside.size(); ++id)
    data.outside[id] = data.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
  const auto shape = Shape::of(Polyhedron(mesh)).with(SphereTree(std::move(data)));
  ASSERT_TRUE(shape);
  int joined = 0;
  for (const Real factor : {0.51, 0.53, 0.55, 0.57}) {
    const auto made = scaled(*shape, factor);
    ASSERT_TRUE(made);
    const bool isSolid = made->polyhedron().report().solid();
    EXPECT_EQ(made->sphereTree()->boundsSolid(), isSolid) << factor;
    joined += !isSolid;
  }
  EXPECT_GT(joined, 0);
}

TEST(Scaled, RefusesWhatHasNoSize) {
  const Shape& shape = builtShapes()[0];
  for (const Real factor :
       {0.0, -1.0, std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    const auto none = scaled(shape, factor);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("the factor must be above 0"));
  }
  EXPECT_FALSE(scaled(shape, 1e300));
  EXPECT_FALSE(scaled(shape, 1e-300));
  const std::atomic<bool> cancelled{true};
  const auto none = scaled(shape, 2.0, &cancelled);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("was cancelled"));
  // A mesh alone has no trees to scale
  const auto bare = scaled(Shape::of(*makePolyhedron(test::cube(1.0))), 3.0);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->sphereTree(), nullptr);
  EXPECT_NEAR(bare->radius(), 3.0 * std::sqrt(3.0), 1e-9);
}

}  // namespace
}  // namespace nearmiss
