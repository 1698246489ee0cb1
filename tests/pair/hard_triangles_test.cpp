// SPDX-License-Identifier: MIT
/// Small triangles across the surfaces of hard ones: needles, long triangles in trees with boxes,
/// and triangles as large as meshes may be. Answers by trees against those without.
#include <gtest/gtest.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <cstdint>
#include <string_view>

#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

Shape shapeOf(const TriangleMesh& mesh, std::string_view builder, int levels) {
  ShapeSettings settings;
  settings.otherBuilder = findSphereTreeBuilder(builder);
  settings.tree.levels = levels;
  settings.tree.nodeBoxRatio = usualNodeBoxRatio;
  settings.tree.innerSpheres = usualInnerSpheres;
  return *makeShape(mesh, settings);
}

ShapeSettings oneLevel() {
  ShapeSettings settings;
  settings.tree.levels = 1;
  return settings;
}

TriangleMesh oneTriangle(const Triangle& corners) {
  return {{corners[0], corners[1], corners[2]}, {{0, 1, 2}}};
}

/// About its frame's origin, in the plane of x and y.
TriangleMesh smallTriangle(Real size) {
  return oneTriangle({size * Vec3(-1, -0.6, 0), size * Vec3(1, -0.6, 0), size * Vec3(0, 1.2, 0)});
}

/// The turn that makes z `direction`.
Quat turnedTo(const Vec3& direction) {
  const Vec3 side = glm::normalize(
      glm::cross(direction, std::abs(direction.x) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0)));
  return glm::quat_cast(glm::dmat3(side, glm::cross(direction, side), direction));
}

Verdict verdictOf(const Shape& a, const Shape& b, const Pose& pose) {
  return collide(a, Pose{}, b, pose).verdict;
}

TEST(HardTriangles, NeedlesAreMet) {
  Random random(5);
  const TriangleMesh small = smallTriangle(1e-3);
  const Shape probe = shapeOf(small, defaultSphereTreeBuilder, 1);
  int met = 0;
  for (int needle = 0; needle < test::cases(12); ++needle) {
    const Vec3 far(random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0));
    const TriangleMesh mesh = oneTriangle({Vec3(0.0), far, random.between(0.3, 0.7) * far});
    const auto made = makeShape(mesh, oneLevel());
    // All corners on a line are no triangle
    if (!made) continue;
    ShapeSettings without;
    without.quality = TreeQuality::None;
    const Shape bare = *makeShape(mesh, without);
    for (int i = 0; i < 20; ++i) {
      const Pose pose{random.between(0.05, 0.95) * far, turnedTo(glm::normalize(far))};
      ASSERT_EQ(verdictOf(*made, probe, pose), verdictOf(bare, probe, pose)) << needle;
      met += verdictOf(*made, probe, pose) == Verdict::Contact;
    }
  }
  EXPECT_GT(met, test::cases(12) * 10);
}

TEST(HardTriangles, PiecesOutsideOfBoxesAreMet) {
  Random random(6);
  const Shape probe = shapeOf(smallTriangle(1e-3), defaultSphereTreeBuilder, 1);
  for (const std::string_view builder : {"octree", "variational"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const TriangleMesh mesh = test::soup(seed, 6, 1.5);
      const Shape made = shapeOf(mesh, builder, builder == "octree" ? 4 : 2);
      ASSERT_FALSE(made.sphereTree()->data().boxes.empty());
      for (int i = 0; i < test::cases(600); ++i) {
        const auto t = static_cast<std::size_t>(random.whole(0, 5));
        const Triangle corners = mesh.corners(t);
        Real u = random.unit(), v = random.unit();
        if (u + v > 1.0) {
          u = 1.0 - u;
          v = 1.0 - v;
        }
        const Vec3 along = corners[1] - corners[0], other = corners[2] - corners[0];
        // Its plane holds the normal: it crosses the surface
        const Pose pose{corners[0] + u * along + v * other, turnedTo(glm::normalize(along))};
        ASSERT_EQ(verdictOf(made, probe, pose), Verdict::Contact)
            << builder << ", seed " << seed << ", triangle " << t;
      }
    }
}

TEST(HardTriangles, OfAnySizeAnswerAlike) {
  const Triangle corners{Vec3(-0.9, -0.3, 0.2), Vec3(0.8, -0.5, -0.4), Vec3(0.1, 0.9, 0.3)};
  const Shape usual = *makeShape(oneTriangle(corners), oneLevel());
  for (const int exponent : {30, 34, 38, 41, 43, 45, 48}) {
    Random random(7);
    const Real scale = std::ldexp(1.0, exponent);
    const Shape large = *makeShape(
        oneTriangle({scale * corners[0], scale * corners[1], scale * corners[2]}), oneLevel());
    int met = 0;
    for (int i = 0; i < test::cases(200); ++i) {
      const Pose pose{random.inCube(0.3), random.rotation()};
      const Verdict verdict = verdictOf(usual, usual, pose);
      met += verdict == Verdict::Contact;
      ASSERT_EQ(verdictOf(large, large, {scale * pose.position, pose.rotation}), verdict)
          << "2^" << exponent << ", pose " << i;
    }
    EXPECT_GT(met, test::cases(200) / 2);
  }
}

}  // namespace
}  // namespace nearmiss
