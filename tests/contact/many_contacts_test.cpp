// SPDX-License-Identifier: MIT
/// Bodies of which nearly all triangles are near each other: wherever a search begins and however
/// often it stops, it finds the same, and budgets are kept.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <vector>

#include "contact/contact_body.h"
#include "contact/contact_candidates.h"
#include "contact/near_features.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "pair/two_bodies.h"
#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

Shape bare(TriangleMesh mesh) { return Shape::of(Polyhedron(std::move(mesh))); }

std::vector<ManifoldPoint> pointsOf(const ContactCandidates& candidates) {
  std::vector<ManifoldPoint> points;
  candidates.copyTo(points);
  return points;
}

/// All pairs that are listed by some calls at most.
std::multiset<std::uint64_t> listedBy(NearTrianglePairs& near, std::size_t calls) {
  std::multiset<std::uint64_t> pairs;
  WorkCount work;
  for (; calls > 0 && near.listSome(work); --calls)
    for (const NearTrianglePairs::Pair& pair : near.pairs())
      pairs.insert(std::uint64_t{pair.a} << 32 | pair.b);
  return pairs;
}

/// Wherever a list begins, and however often it is interrupted, it has the same pairs.
TEST(ManyContacts, AreListedFromAnywhere) {
  const std::vector<Shape> shapes{bare(test::torus(10, 6)), bare(test::spikyStar(1, 6, 8)),
                                  bare(test::openTorus())};
  constexpr std::size_t all = std::size_t{1} << 40;
  Random random(6);
  std::size_t listed = 0;
  for (int i = 0; i < test::cases(40); ++i) {
    SCOPED_TRACE(i);
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    const Pose pose{random.inCube(0.8), random.rotation()};
    NearTrianglePairs near;
    const auto begin = [&](const NearTrianglePairs::Progress& at) {
      near.begin(a.polyhedron(), b.polyhedron(), pose, 0.05, at);
    };
    begin({});
    const auto pairs = listedBy(near, all);
    const std::set<std::uint64_t> once(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs.size(), once.size());
    listed += pairs.size();
    for (const std::size_t leaves : {0, 1, 7, 1000000}) {
      begin({random.bits() % 1000, leaves});
      EXPECT_EQ(listedBy(near, all), pairs);
    }
    std::set<std::uint64_t> found;
    NearTrianglePairs::Progress at;
    for (std::size_t calls = 0; calls <= 4000 && found.size() < once.size(); ++calls) {
      begin(at);
      for (const std::uint64_t pair : listedBy(near, 3)) found.insert(pair);
      at = {at.places + near.progress().places, near.progress().leaves};
    }
    EXPECT_EQ(found, once) << "interrupted after every three calls";
  }
  EXPECT_GT(listed, 10000u);
}

/// Two surfaces that cross along a line of thousands of triangles touch along all of it, not only
/// where the first were found.
TEST(ManyContacts, ReachAsFarAsTwoSurfacesCross) {
  Random random(5);
  for (int i = 0; i < test::cases(6); ++i) {
    const Real wave = random.between(0.0, 0.5), length = random.between(0.1, 0.3);
    const Shape sheet = bare(
        test::terrain(60, [&](Real x, Real z) { return wave * std::sin(length * x) + 0.01 * z; }));
    const Quat upright(std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0);
    const Pose across{0.5 * random.inCube(1.0),
                      glm::normalize(glm::angleAxis(0.3, random.direction()) * upright)};
    // Where they cross, by all pairs of triangles of which the boxes meet
    Box crossings;
    int pairs = 0;
    const Polyhedron& flat = sheet.polyhedron();
    for (std::uint32_t t = 0; t < flat.mesh().triangles.size(); ++t) {
      const Triangle there = moved(flat.mesh(), t, across);
      Box box;
      for (const Vec3& corner : there) box.include(corner);
      flat.forEachTriangleIn(box, [&](std::uint32_t other) {
        const Triangle here = flat.mesh().corners(other);
        if (!trianglesMeet(here, there)) return;
        crossings.include(pointOfBoth(here, there));
        ++pairs;
      });
    }
    EXPECT_GT(pairs, 100);
    const Vec3 all = crossings.extent();
    const int longest = all.x > all.y && all.x > all.z ? 0 : all.y > all.z ? 1 : 2;
    const auto places = [&](std::size_t maxPoints) {
      std::vector<Real> along;
      for (const ManifoldPoint& point :
           contactManifold(sheet, {}, sheet, across, {.maxPoints = maxPoints}).points)
        along.push_back((point.onA[longest] - crossings.low[longest]) / all[longest]);
      std::ranges::sort(along);
      return along;
    };
    const std::vector<Real> few = places(4), many = places(1000);
    ASSERT_EQ(few.size(), 4u);
    EXPECT_GT(few.back() - few.front(), 0.95);
    ASSERT_GE(many.size(), 64u);
    EXPECT_NEAR(many.front(), 0.0, 1e-9);
    EXPECT_NEAR(many.back(), 1.0, 1e-9);
    for (std::size_t k = 1; k < many.size(); ++k) EXPECT_LT(many[k] - many[k - 1], 0.2);
  }
}

/// A sheet of many vertices in a box, and room for most of them: choosing them takes no longer than
/// finding them.
TEST(ManyContacts, AreChosenFromSoon) {
  constexpr std::uint32_t side = 60;
  TriangleMesh sheet;
  for (std::uint32_t i = 0; i < side * side; ++i)
    sheet.positions.push_back({0.01 * (i % side) - 0.3, 0.01 * (i / side) - 0.3, 0.0});
  for (std::uint32_t i = 0; i + side < side * side; ++i)
    if (i % side + 1 < side) {
      sheet.triangles.push_back({i, i + 1, i + side});
      sheet.triangles.push_back({i + 1, i + side + 1, i + side});
    }
  const Shape a = bare(std::move(sheet)), box = bare(test::cube(0.5));
  const Pose inside{{0.0, 0.0, 0.4}, {1.0, 0.0, 0.0, 0.0}};
  const std::clock_t begin = std::clock();
  const ContactManifold all = contactManifold(a, inside, box, {}, {.maxPoints = 100000});
  const ContactManifold most = contactManifold(a, inside, box, {}, {.maxPoints = 2000});
  EXPECT_LT(std::clock() - begin, test::soon(4));
  EXPECT_EQ(all.points.size(), std::size_t{side} * side);
  EXPECT_EQ(most.points.size(), 2000u);
}

/// What comes of calls that get no time each.
struct Starved {
  std::size_t calls = 0;
  Clock::Duration all{}, most{};  ///< work of all calls, and of one
};

Starved starve(const auto& refine) {
  Starved starved;
  WorkClock clock;
  for (bool more = true; more; ++starved.calls) {
    const auto before = clock.now();
    more = refine(TimeBudget(clock, {}));
    starved.most = std::max(starved.most, clock.now() - before);
  }
  starved.all = clock.now();
  return starved;
}

TEST(ManyContacts, StopBetweenLeaves) {
  const Shape ball = bare(test::sphere(20, 24));
  const Pose beside{{0.03, 0.02, 0.01}, {1.0, 0.0, 0.0, 0.0}};
  TwoBodies bodies;
  bodies.take(ball, Pose{}, ball, beside);
  ContactCandidates candidates;
  candidates.begin(bodies, 0.0);
  const Starved starved = starve([&](const TimeBudget& none) { return !candidates.refine(none); });
  EXPECT_LT(starved.most, std::chrono::microseconds(600));
  EXPECT_GT(starved.all, 7 * starved.most);
  const std::vector<ManifoldPoint> points = pointsOf(candidates);
  WorkClock clock;
  candidates.begin(bodies, 0.0);
  EXPECT_TRUE(candidates.refine(TimeBudget(clock, std::chrono::hours(1))));
  EXPECT_EQ(clock.now(), starved.all) << "calls without time cost more";
  ASSERT_EQ(pointsOf(candidates).size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(pointsOf(candidates)[i].id, points[i].id);
    EXPECT_EQ(pointsOf(candidates)[i].depth, points[i].depth);
  }
  // A search that was left halfway leaves nothing to the next
  candidates.begin(bodies, 0.0);
  WorkClock part;
  EXPECT_FALSE(candidates.refine(TimeBudget(part, starved.all / 2)));
  candidates.begin(bodies, 0.0);
  EXPECT_TRUE(candidates.refine(TimeBudget::unlimited()));
  EXPECT_EQ(pointsOf(candidates).size(), points.size());
}

/// Within the margin all triangles are near each other.
TEST(ManyContacts, StopBetweenAFewPairs) {
  const Shape ball = bare(test::sphere(10, 12));
  TwoBodies bodies;
  bodies.take(ball, Pose{}, ball, {{4.0, 0.3, 0.1}, {1.0, 0.0, 0.0, 0.0}});
  ContactCandidates candidates;
  candidates.begin(bodies, 10.0);
  const Starved starved = starve([&](const TimeBudget& none) { return !candidates.refine(none); });
  EXPECT_LT(starved.most, std::chrono::microseconds(40));
  EXPECT_GT(starved.all, 100 * starved.most);
}

/// A manifold is the same however often time ran out on the way, and so are the points to which the
/// next one is loyal.
TEST(ManyContacts, AreChosenAlikeAfterCallsWithoutTime) {
  const std::vector<Shape> shapes{bare(test::torus(10, 6)), bare(test::spikyStar(1, 6, 8)),
                                  bare(test::cube(0.7))};
  Random random(4);
  ManifoldQuery starved, granted;
  std::size_t chosen = 0;
  for (int i = 0; i < test::cases(120); ++i) {
    const Shape &a = shapes[random.bits() % 3], &b = shapes[random.bits() % 3];
    const Pose pose{random.inCube(0.8), random.rotation()};
    for (int frame = 0; frame < 3; ++frame) {
      const Pose moved{pose.position + 1e-3 * frame, pose.rotation};
      for (ManifoldQuery* query : {&starved, &granted})
        query->begin(a, Pose{}, b, moved, {.margin = 0.05, .maxPoints = 3});
      starve([&](const TimeBudget& none) { return starved.refine(none).canRefine; });
      const auto &some = starved.refine().points, &all = granted.refine().points;
      ASSERT_EQ(some.size(), all.size());
      for (std::size_t k = 0; k < all.size(); ++k) {
        ASSERT_EQ(some[k].id, all[k].id) << i;
        ASSERT_EQ(some[k].depth, all[k].depth) << i;
      }
      chosen += all.size() == 3;
    }
  }
  EXPECT_GT(chosen, 30u);
}

TEST(ManyContacts, StopWhereTheBudgetEnds) {
  const Shape ball = bare(test::sphere(30, 40));
  const Pose beside{{0.3, 0.2, 0.1}, {1.0, 0.0, 0.0, 0.0}};
  constexpr std::chrono::microseconds allowed(2000);
  WorkClock clock;
  ManifoldQuery query;
  query.begin(ball, Pose{}, ball, beside, {.margin = 3.0});
  int calls = 0;
  // Some steps that reach the edges; all together would take seconds
  for (; calls < 40; ++calls) {
    const auto before = clock.now();
    EXPECT_TRUE(query.refine(TimeBudget(clock, allowed)).canRefine);
    EXPECT_LT(clock.now() - before, 20 * allowed) << calls;
  }
}

}  // namespace
}  // namespace nearmiss
