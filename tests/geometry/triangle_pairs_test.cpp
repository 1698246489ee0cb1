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

    const Real rounding = 2e-5 * (a.radius() + b.radius() + glm::length(bToA.position));
    std::set<NamedPair> meeting, boxes, found;
    for (std::size_t tb = 0; tb < b.mesh().triangles.size(); ++tb) {
      Triangle moved = b.mesh().corners(tb);
      for (Vec3& corner : moved) corner = transformed(bToA, corner);
      for (std::uint32_t ta = 0; ta < a.mesh().triangles.size(); ++ta) {
        const Triangle own = a.mesh().corners(ta);
        Box around = boxOf(moved);
        around.low -= rounding;
        around.high += rounding;
        if (!overlap(boxOf(own), around)) continue;
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
void addMeetingPairs(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, std::uint32_t atA,
                     std::uint32_t atB,
                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& found) {
  const WideBoxes &boxesA = surfaceOf(a).boxes(), &boxesB = surfaceOf(b).boxes();
  const BoxMotion toA(bToA), toB(inverseOf(bToA));
  const Real slack = slackOf(a, b, bToA);
  const Box boxA = boxesA.boxOf(atA), boxB = boxesB.boxOf(atB);
  if (!overlap(boxA, toA(boxB, slack)) || !overlap(boxB, toB(boxA, slack))) return;
  const std::uint32_t childA = boxesA.childOf(atA), childB = boxesB.childOf(atB);
  const bool leafA = (childA & WideBoxes::isLeaf) != 0, leafB = (childB & WideBoxes::isLeaf) != 0;
  const auto square = [](const Box& box) { return glm::dot(box.extent(), box.extent()); };
  if (leafA && leafB) {
    boxesB.anyIn(childB, [&](std::uint32_t tb, unsigned) {
      return boxesA.anyIn(childA, [&](std::uint32_t ta, unsigned) {
        if (trianglesMeet(a.mesh().corners(ta), moved(b.mesh(), tb, bToA)))
          found.emplace_back(ta, tb);
        return false;
      });
    });
  } else if (leafB || (!leafA && square(boxA) > square(boxB))) {
    for (std::uint32_t k = 0; k < boxesA.node(childA).count; ++k)
      addMeetingPairs(a, b, bToA, WideBoxes::width * childA + k, atB, found);
  } else {
    for (std::uint32_t k = 0; k < boxesB.node(childB).count; ++k)
      addMeetingPairs(a, b, bToA, atA, WideBoxes::width * childB + k, found);
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> meetingPairs(const Polyhedron& a,
                                                                  const Polyhedron& b,
                                                                  const Pose& bToA) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  addMeetingPairs(a, b, bToA, 0, 0, found);
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

/// The single triangle that a box's diagonal is.
struct OneBox {
  explicit OneBox(const Box& box)
      : mesh{{box.low, box.high, box.low}, {{0, 1, 2}}}, surface(mesh) {}
  OneBox(const OneBox&) = delete;
  OneBox& operator=(const OneBox&) = delete;
  TriangleMesh mesh;
  SurfaceBoxes surface;
};

TEST(RoundedMotion, TellsNoBoxesApartThatShareAPoint) {
  test::Random random(13);
  int apart = 0, apartFromB = 0, apartByOneFrame = 0;
  for (int i = 0; i < test::cases(20000); ++i) {
    const Real size = std::pow(10.0, random.between(-14.0, 14.0));
    const auto randomBox = [&] {
      const Vec3 middle = random.inCube(0.5 * size);
      const Vec3 half = glm::abs(random.inCube(0.5 * size * (random.chance(0.5) ? 1e-3 : 1.0)));
      return Box{middle - half, middle + half};
    };
    const Box a = randomBox(), b = randomBox();
    const OneBox ofA(a), ofB(b);
    Pose bToA{Vec3(0.0), random.rotation()};
    bToA.position = inBox(random, a) - transformed(bToA, inBox(random, b));
    const auto motionTo = [&](const Vec3& position) {
      return RoundedMotion(ofA.surface.boxes(), ofB.surface.boxes(), {position, bToA.rotation},
                           2.0 * size, 0.0);
    };
    // By the axes of both frames, seen from either, and by those of one alone
    const auto nearBy = [&](const RoundedMotion& motion, RoundedMotion::Side side) {
      const SurfaceBoxes& own = (side == RoundedMotion::inA ? ofA : ofB).surface;
      const RoundedMotion::Moved other = motion.moved(side, 0);
      const unsigned lanes = motion.near(side, own.boxes().node(0), other);
      EXPECT_EQ(lanes & ~1u, 0u) << "a lane without a box";
      EXPECT_TRUE(lanes == 0 || motion.near(side, own.facets(0), other) != 0);
      return lanes != 0;
    };
    const auto nearByOwnAxes = [&](const RoundedMotion& motion) {
      return RoundedMotion::near(ofA.surface.facets(0), motion.moved(RoundedMotion::inA, 0)) != 0;
    };
    const RoundedMotion touching = motionTo(bToA.position);
    ASSERT_TRUE(nearBy(touching, RoundedMotion::inA)) << i;
    ASSERT_TRUE(nearBy(touching, RoundedMotion::inB)) << i;
    ASSERT_TRUE(nearByOwnAxes(touching)) << i;
    ASSERT_FALSE(nearBy(motionTo(1e60 * random.direction()), RoundedMotion::inA));
    // And most that do not
    const RoundedMotion away = motionTo(bToA.position + 0.5 * size * random.direction());
    const bool apartInA = !nearBy(away, RoundedMotion::inA), apartByOwn = !nearByOwnAxes(away);
    ASSERT_TRUE(apartInA || !apartByOwn);
    apart += apartInA;
    apartFromB += !nearBy(away, RoundedMotion::inB);
    apartByOneFrame += apartByOwn;
  }
  EXPECT_GT(apart, test::cases(4000));
  EXPECT_NEAR(apart, apartFromB, test::cases(20)) << "by the same axes, up to rounding";
  EXPECT_GT(apart, apartByOneFrame);
  EXPECT_GT(apartByOneFrame, test::cases(2000));
}

/// Walks below the parts of both hierarchies find what one walk finds, in the same order.
TEST(LeafWalk, FindsTheSameLeavesInParts) {
  std::vector<Polyhedron> polyhedra;
  for (TriangleMesh& mesh : test::solidAndOpenMeshes()) polyhedra.emplace_back(std::move(mesh));
  test::Random random(12);
  std::size_t leaves = 0;
  const auto same = [](const LeafPair& p, const LeafPair& q) {
    return p.a == q.a && p.b == q.b && p.trianglesA == q.trianglesA && p.trianglesB == q.trianglesB;
  };
  for (int i = 0; i < test::cases(200); ++i) {
    const Polyhedron& a = polyhedra[random.bits() % polyhedra.size()];
    const Polyhedron& b = polyhedra[random.bits() % polyhedra.size()];
    const Pose bToA = test::randomPose(random, 1.2);
    const TrianglePairs boxes(a, b, bToA, 0.1 * random.unit());
    std::vector<LeafPair> atOnce, inParts, parts;
    LeafWalk walk;
    for (walk.begin(); !walk.ended();) boxes.step(walk, atOnce);
    boxes.split(random.bits() % 100, parts);
    for (const LeafPair& part : parts)
      for (walk.begin(part); !walk.ended();) boxes.step(walk, inParts);
    ASSERT_TRUE(std::ranges::equal(inParts, atOnce, same)) << i;
    leaves += atOnce.size();
  }
  EXPECT_GT(leaves, 1000u);
}

}  // namespace
}  // namespace nearmiss
