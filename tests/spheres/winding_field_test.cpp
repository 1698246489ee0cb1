// SPDX-License-Identifier: MIT
/// Which side of a mesh a point lies on, by its winding number.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include "spheres/winding_field.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(WindingField, AgreesWithTheExactTest) {
  Random random(3);
  for (TriangleMesh& mesh : test::variousMeshes()) {
    const WindingField winding(mesh);
    TriangleMesh reversed = mesh;
    test::flip(reversed);
    const WindingField inverse(reversed);
    const TriangleMesh copy = mesh;
    const Polyhedron polyhedron(copy);
    int inside = 0;
    for (int i = 0; i < test::cases(1000); ++i) {
      const Vec3 p = random.inCube(1.0);
      // Right at the surface rounding decides
      if (polyhedron.nearest(p).distance < 1e-6) continue;
      const bool truth = polyhedron.contains(p);
      EXPECT_EQ(winding.inside(p), truth);
      EXPECT_EQ(inverse.inside(p), truth);
      EXPECT_NEAR(winding.winding(p), truth ? 1.0 : 0.0, 0.05);
      inside += truth;
    }
    EXPECT_GT(inside, 10);
  }
}

TEST(WindingField, KnowsTheInsideOfAnOpenBox) {
  TriangleMesh mesh = test::cube();
  mesh.triangles.pop_back();
  const WindingField winding(mesh);
  EXPECT_TRUE(winding.inside({0, 0, 0}));
  EXPECT_FALSE(winding.inside({2, 0, 0}));
  EXPECT_FALSE(winding.inside({0, 0, 3}));
}

}  // namespace
}  // namespace nearmiss
