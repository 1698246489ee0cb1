// SPDX-License-Identifier: MIT
/// The pairs of triangles that two trees of boxes lead to, against all there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "geometry/polyhedron_pair.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

/// A triangle of b is known by the sum of its moved corners.
using NamedPair = std::tuple<std::uint32_t, Real, Real, Real>;
NamedPair named(std::uint32_t a, const Triangle& b) {
  const Vec3 sum = b[0] + b[1] + b[2];
  return {a, sum.x, sum.y, sum.z};
}

TEST(TrianglePairs, AreAllThatMeetAndOnlyThoseWhoseBoxesDo) {
  std::vector<Polyhedron> polyhedra;
  for (TriangleMesh& mesh : test::solidAndOpenMeshes()) polyhedra.emplace_back(std::move(mesh));
  test::Random random(11);
  int some = 0, none = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    const Polyhedron& a = polyhedra[random.bits() % polyhedra.size()];
    const Polyhedron& b = polyhedra[random.bits() % polyhedra.size()];
    Pose bToA = test::randomPose(random, 1.2);
    // Faces in common planes, which rounding moves past each other
    if (i % 8 == 0) bToA.rotation = glm::identity<Quat>();
    if (i % 16 == 0) bToA.position = Vec3(a.bounds().high.x - b.bounds().low.x, 0.0, 0.0);

    std::set<NamedPair> meeting, boxes, found;
    for (std::size_t tb = 0; tb < b.mesh().triangles.size(); ++tb) {
      Triangle moved = b.mesh().corners(tb);
      for (Vec3& corner : moved) corner = transformed(bToA, corner);
      for (std::uint32_t ta = 0; ta < a.mesh().triangles.size(); ++ta) {
        const Triangle own = a.mesh().corners(ta);
        if (!overlap(boxOf(own), boxOf(moved))) continue;
        boxes.insert(named(ta, moved));
        if (trianglesMeet(own, moved)) meeting.insert(named(ta, moved));
      }
    }
    TrianglePairs(a, b, bToA).forEach([&](std::uint32_t ta, const Triangle& triangleB) {
      EXPECT_TRUE(found.insert(named(ta, triangleB)).second) << "twice, case " << i;
    });
    EXPECT_TRUE(std::ranges::includes(found, meeting)) << i;
    EXPECT_TRUE(std::ranges::includes(boxes, found)) << i;
    ++(meeting.empty() ? none : some);
  }
  EXPECT_GT(some, test::cases(100));
  EXPECT_GT(none, test::cases(20));
}

}  // namespace
}  // namespace nearmiss
