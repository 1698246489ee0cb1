// SPDX-License-Identifier: MIT
/// The pairs of triangles that two trees of boxes lead to, against all there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
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

/// Pairs that meet, by a descent in double precision that goes down first, of two boxes into the
/// larger.
std::vector<std::pair<std::uint32_t, std::uint32_t>> meetingPairs(const Polyhedron& a,
                                                                  const Polyhedron& b,
                                                                  const Pose& bToA) {
  const BoxTree treeA(a.mesh()), treeB(b.mesh());
  const BoxMotion toA(bToA), toB(inverseOf(bToA));
  const Real slack = slackOf(a, b, bToA);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, 0}}, found;
  while (!open.empty()) {
    const auto [na, nb] = open.back();
    open.pop_back();
    const BoxNode &nodeA = treeA.nodes[na], &nodeB = treeB.nodes[nb];
    if (!overlap(nodeA.box, toA(nodeB.box, slack)) || !overlap(nodeB.box, toB(nodeA.box, slack)))
      continue;
    if (nodeA.count != 0 && nodeB.count != 0) {
      for (const std::uint32_t tb : treeB.trianglesOf(nodeB))
        for (const std::uint32_t ta : treeA.trianglesOf(nodeA))
          if (trianglesMeet(a.mesh().corners(ta), moved(b.mesh(), tb, bToA)))
            found.emplace_back(ta, tb);
    } else if (nodeB.count != 0 || (nodeA.count == 0 && larger(nodeA.box, nodeB.box))) {
      open.emplace_back(nodeA.offset, nb);
      open.emplace_back(na + 1, nb);
    } else {
      open.emplace_back(na, nodeB.offset);
      open.emplace_back(na, nb + 1);
    }
  }
  return found;
}

/// Sums over the pairs depend on their order, to the last digit.
TEST(TrianglePairs, ComeInTheOrderOfADescentThatGoesDownFirst) {
  std::vector<Polyhedron> polyhedra;
  for (TriangleMesh& mesh : test::solidAndOpenMeshes()) polyhedra.emplace_back(std::move(mesh));
  test::Random random(12);
  std::size_t longest = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    const Polyhedron& a = polyhedra[random.bits() % polyhedra.size()];
    const Polyhedron& b = polyhedra[random.bits() % polyhedra.size()];
    const Pose bToA = test::randomPose(random, 1.0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    TrianglePairs(a, b, bToA)
        .forEach([&](std::uint32_t ta, std::uint32_t tb, const Triangle& triangleB) {
          if (trianglesMeet(a.mesh().corners(ta), triangleB)) found.emplace_back(ta, tb);
        });
    ASSERT_EQ(found, meetingPairs(a, b, bToA)) << i;
    longest = std::max(longest, found.size());
  }
  EXPECT_GT(longest, 20u);
}

Vec3 inBox(test::Random& random, const Box& box) {
  // As often on a face, an edge or a corner as inside
  const auto share = [&] {
    return random.chance(0.3) ? 1.0 : random.chance(0.4) ? 0.0 : random.unit();
  };
  const Real x = share(), y = share(), z = share();
  return box.low + Vec3(x, y, z) * box.extent();
}

/// A tree of one leaf, of the single triangle that a box's diagonal is.
RoundedBoxes roundedOf(const Box& box) {
  TriangleMesh mesh;
  mesh.positions = {box.low, box.high, box.low};
  mesh.triangles = {{0, 1, 2}};
  return RoundedBoxes(mesh, BoxTree(mesh));
}

TEST(RoundedMotion, TellsNoBoxesApartThatShareAPoint) {
  test::Random random(13);
  int apart = 0, apartFromB = 0, apartInLanes = 0;
  for (int i = 0; i < test::cases(20000); ++i) {
    const Real size = std::pow(10.0, random.between(-14.0, 14.0));
    const auto randomBox = [&] {
      const Vec3 middle = random.inCube(0.5 * size);
      const Vec3 half = glm::abs(random.inCube(0.5 * size * (random.chance(0.5) ? 1e-3 : 1.0)));
      return Box{middle - half, middle + half};
    };
    const Box a = randomBox(), b = randomBox();
    const RoundedBoxes roundedA = roundedOf(a), roundedB = roundedOf(b);
    Pose bToA{Vec3(0.0), random.rotation()};
    bToA.position = inBox(random, a) - transformed(bToA, inBox(random, b));
    const auto motionTo = [&](const Vec3& position) {
      return RoundedMotion({position, bToA.rotation}, 2.0 * size, 0.0);
    };
    // By the axes of either's frame, for the boxes as wholes and lane by lane
    const auto apartBy = [&](const RoundedMotion& motion) {
      return motion.apart(RoundedMotion::inB, roundedB.boxes[0],
                          motion.moved(RoundedMotion::inB, roundedA.boxes[0]));
    };
    const auto nearBy = [&](const RoundedMotion& motion) {
      const auto ofB = motion.moved(RoundedMotion::inA, roundedB.boxes[0]);
      const auto ofA = motion.moved(RoundedMotion::inB, roundedA.boxes[0]);
      return (RoundedMotion::near(roundedA.leaves[0], ofB) & 1u) != 0 &&
             (RoundedMotion::near(roundedB.leaves[0], ofA) & 1u) != 0;
    };
    const RoundedMotion touching = motionTo(bToA.position);
    ASSERT_FALSE(touching.apart(roundedA.boxes[0], roundedB.boxes[0])) << i;
    ASSERT_FALSE(apartBy(touching)) << i;
    ASSERT_TRUE(nearBy(touching)) << i;
    ASSERT_TRUE(motionTo(1e60 * random.direction()).apart(roundedA.boxes[0], roundedB.boxes[0]));
    // And most that do not
    const RoundedMotion away = motionTo(bToA.position + 0.5 * size * random.direction());
    apart += away.apart(roundedA.boxes[0], roundedB.boxes[0]);
    apartFromB += apartBy(away);
    apartInLanes += !nearBy(away);
  }
  EXPECT_GT(apart, test::cases(4000));
  EXPECT_NEAR(apart, apartFromB, test::cases(20));
  EXPECT_NEAR(apart, apartInLanes, test::cases(20)) << "by the same axes, up to rounding";
}

}  // namespace
}  // namespace nearmiss
