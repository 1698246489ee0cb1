// SPDX-License-Identifier: MIT
/// Manifolds of which the time runs out: what held two bodies holds them still, and all else gets
/// its turn.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "contact/contact_body.h"
#include "contact/edge_crossings.h"
#include "contact/rigid_pile.h"
#include "pair/two_bodies.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using std::chrono::microseconds;
using test::Random;

/// Drops solids on the ground, and looks at them once they lie there. A twentieth of the manifolds
/// are cut at least.
void expectHeld(const Shape& ground, microseconds allowed, Real deepest, std::uint64_t seed) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  Random random(seed);
  std::size_t asked = 0, cut = 0;
  std::ptrdiff_t sunk = 0;
  for (int i = 0; i < test::cases(2); ++i) {
    SCOPED_TRACE(i);
    test::RigidPile pile = test::heapOver(ground, shapes, 4, random);
    pile.allowed = allowed;
    pile.fall(1200);
    sunk += std::ranges::count_if(test::overlapsIn(pile), [&](Real by) { return by > deepest; });
    for (const test::RigidBody& body : pile.bodies)
      EXPECT_GT(body.middle().y, -1.0) << "fell through";
    asked += pile.asked;
    cut += pile.cut;
  }
  EXPECT_GT(cut, asked / 20);
  EXPECT_LE(sunk, test::cases(2) / 20) << "a pair in twenty heaps may need more time";
}

TEST(ManifoldBudget, OfTwentyMicrosecondsHoldsAHeap) {
  expectHeld(test::treelessShape(test::box({-20, -1, -20}, {20, 0, 20})), microseconds(20), 0.02,
             91);
}

TEST(ManifoldBudget, OfTwentyMicrosecondsHoldsAHeapOnHills) {
  expectHeld(test::treelessShape(test::hills(20)), microseconds(20), 0.03, 92);
}

/// What held two solids holds them in the next frame, though there is time for little else.
TEST(ManifoldBudget, HoldsWhatItHeld) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  Random random(95);
  std::size_t vertices = 0, edges = 0, cut = 0;
  for (int i = 0; i < test::cases(1000); ++i) {
    SCOPED_TRACE(i);
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    // Plates lie on each other too
    const Quat turn = random.chance(0.3)
                          ? glm::angleAxis(random.between(-3.0, 3.0), Vec3(0.0, 0.0, 1.0))
                          : random.rotation();
    Pose pose{random.inCube(0.8), turn};
    ManifoldQuery query;
    query.begin(a, {}, b, pose, {0.02, 4});
    const std::vector<ManifoldPoint> before = query.refine().points;
    pose.position += 1e-5 * random.inCube(1.0);
    std::set<std::uint64_t> still, found;
    for (const ManifoldPoint& point : contactManifold(a, {}, b, pose, {0.02, 1000}).points)
      still.insert(point.id);
    WorkClock clock;
    query.begin(a, {}, b, pose, {0.02, 1000});
    const ContactManifold& now =
        query.refine(TimeBudget(clock, microseconds(3 + 2 * before.size())));
    for (const ManifoldPoint& point : now.points) found.insert(point.id);
    cut += now.canRefine;
    for (const ManifoldPoint& point : before) {
      if (!now.canRefine || contactKindOf(point.id) == ContactKind::Depth ||
          !still.contains(point.id))
        continue;
      EXPECT_TRUE(found.contains(point.id)) << std::hex << point.id << " of depth " << point.depth;
      ++(contactKindOf(point.id) == ContactKind::Edges ? edges : vertices);
    }
  }
  EXPECT_GT(cut, static_cast<std::size_t>(test::cases(1000)) / 5);
  EXPECT_GT(vertices, 50u);
  EXPECT_GT(edges, 20u);
}

/// The features of large bodies take far longer to list than there is time: where the surfaces
/// cross, a point stands for them at once.
TEST(ManifoldBudget, HoldsBodiesThatMeetForTheFirstTimeAtOnce) {
  const std::vector<Shape> shapes = {test::treelessShape(test::torus(80, 40)),
                                     test::treelessShape(test::spikyStar(3, 40, 60)),
                                     test::treelessShape(test::hills(40))};
  Random random(94);
  int met = 0, held = 0, parting = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    const Pose pose{random.inCube(1.0), random.rotation()};
    WorkClock clock;
    ManifoldQuery query;
    query.begin(a, {}, b, pose, {0.01, 4});
    const ContactManifold& found = query.refine(TimeBudget(clock, microseconds(200)));
    if (!found.canRefine || collide(a, {}, b, pose).verdict != Verdict::Contact) continue;
    ++met;
    held += !found.points.empty();
    for (const ManifoldPoint& point : found.points) {
      if (contactKindOf(point.id) != ContactKind::Depth) continue;
      EXPECT_LE(point.depth, 1e-9);
      EXPECT_NEAR(glm::length(point.normal), 1.0, 1e-9);
      ++parting;
    }
  }
  EXPECT_GT(met, test::cases(60) / 3);
  EXPECT_GT(held, met * 9 / 10);
  EXPECT_GT(parting, met / 4);
}

/// True of a vertex, and of edges that need no other point beside them, as corners of patches do.
bool isDirect(const Shape& a, const Shape& b, const Pose& pose, std::uint64_t id, Real margin) {
  if (contactKindOf(id) == ContactKind::Depth) return false;
  if (contactKindOf(id) != ContactKind::Edges) return true;
  nearmiss::TwoBodies bodies;
  bodies.take(a, {}, b, pose);
  const ContactBody bodyA(a), bodyB(b);
  EdgeCrossings crossings;
  crossings.begin(bodyA, bodyB, bodies.bToA(), margin, margin, 1e-9);
  ContactFindings found;
  std::uint64_t work = 0;
  crossings.compare(contactEdgesOf(id), found, nullptr, work);
  return !found.points.empty();
}

/// Two solids that stay where they are: manifold by manifold all points are found, though each has
/// time for a few features only.
TEST(ManifoldBudget, GivesEveryFeatureItsTurn) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  constexpr ManifoldSettings all{0.05, 1000};
  Random random(93);
  std::size_t vertices = 0, edges = 0;
  for (int i = 0; i < test::cases(120); ++i) {
    SCOPED_TRACE(i);
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    const Pose pose{random.inCube(0.8), random.rotation()};
    std::set<std::uint64_t> left;
    for (const ManifoldPoint& point : contactManifold(a, {}, b, pose, all).points)
      if (isDirect(a, b, pose, point.id, all.margin)) left.insert(point.id);
    for (const std::uint64_t id : left)
      ++(contactKindOf(id) == ContactKind::Edges ? edges : vertices);
    ManifoldQuery query;
    int frame = 0;
    for (bool canRefine = true; canRefine && !left.empty() && frame < 20000; ++frame) {
      WorkClock clock;
      query.begin(a, {}, b, pose, all);
      const ContactManifold& some =
          query.refine(TimeBudget(clock, microseconds(i % 4 == 0 ? 3 : 20)));
      for (const ManifoldPoint& point : some.points) left.erase(point.id);
      canRefine = some.canRefine;
    }
    EXPECT_TRUE(left.empty()) << left.size() << " never found, in " << frame
                              << " manifolds: " << std::hex << *left.begin();
  }
  EXPECT_GT(vertices, 50u);
  EXPECT_GT(edges, 20u);
}

/// Looking first at what was found before changes nothing where time does not run out, whether it
/// did before or not.
TEST(ManifoldBudget, OfPlentyGivesWhatANewSearchGives) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  const Shape ground = test::treelessShape(test::hills(6));
  constexpr ManifoldSettings all{0.05, 1000};
  Random random(94);
  std::size_t compared = 0;
  for (int i = 0; i < test::cases(150); ++i) {
    SCOPED_TRACE(i);
    const Shape& a = random.chance(0.2) ? ground : random.anyOf(shapes);
    const Shape& b = random.anyOf(shapes);
    Pose pose{random.inCube(0.8), random.rotation()};
    ManifoldQuery query;
    for (int frame = 0; frame < 8; ++frame) {
      pose.position += 0.02 * random.inCube(1.0);
      query.begin(a, {}, b, pose, all);
      if (random.chance(0.5)) {
        WorkClock clock;
        if (query.refine(TimeBudget(clock, microseconds(15))).canRefine) continue;
      }
      std::map<std::uint64_t, Real> depths, ofNew;
      for (const ManifoldPoint& point : query.refine().points) depths[point.id] = point.depth;
      for (const ManifoldPoint& point : contactManifold(a, {}, b, pose, all).points)
        ofNew[point.id] = point.depth;
      ASSERT_EQ(depths, ofNew);
      compared += depths.size();
    }
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace nearmiss
