// SPDX-License-Identifier: MIT
/// GJK and Lin-Canny beside the distance of all triangles of both hulls, and beside each other.
#include <gtest/gtest.h>
#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <utility>
#include <vector>

#include "geometry/closest_points.h"
#include "geometry/convex_points.h"
#include "geometry/gjk.h"
#include "geometry/lin_canny.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::Random;

struct Placed {
  ConvexHull hull;
  ConvexPolytope shape;
  explicit Placed(const std::vector<Vec3>& points) : hull(convexHull(points)), shape(hull) {}
};

struct Placement {
  glm::dmat3 axes{1.0};
  Vec3 position{0.0};
  Vec3 operator()(const Vec3& own) const { return axes * own + position; }
};

/// True if the moved point lies inside or on a hull.
bool holds(const ConvexHull& hull, const Vec3& p) {
  return std::ranges::all_of(hull.triangles, [&](const auto& t) {
    return orientation(hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]], p) >= 0;
  });
}

/// 0 where the solids meet.
Real trueDistance(const ConvexHull& a, const ConvexHull& b, const Placement& place) {
  ConvexHull moved = b;
  for (Vec3& v : moved.vertices) v = place(v);
  if (holds(a, moved.vertices[0]) || holds(moved, a.vertices[0])) return 0.0;
  Real least = std::numeric_limits<Real>::infinity();
  const auto corners = [](const ConvexHull& hull, const auto& t) {
    return Triangle{hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]]};
  };
  for (const auto& s : a.triangles)
    for (const auto& t : moved.triangles)
      least = std::min(least, squaredDistance(corners(a, s), corners(moved, t)));
  return std::sqrt(least);
}

Placement placementOf(Random& random, int i) {
  Placement place;
  place.axes = glm::mat3_cast(test::convexTurn(random, i));
  place.position = random.direction() * random.between(0.0, 2.0);
  if (i % 5 == 0) place.position = glm::round(place.position);
  return place;
}

/// `pointDoubt`: by how many metres more the two points may be too far apart, `planeDoubt` the
/// planes too near; sizes are about 1.
void expectAnswers(const ConvexDistance& found, Real truth, const char* method,
                   Real pointDoubt = 0.0, Real planeDoubt = 0.0) {
  SCOPED_TRACE(testing::Message() << std::setprecision(17) << method << ": " << found.lower
                                  << " to " << found.upper << ", truth " << truth << ", steps "
                                  << found.steps);
  if (truth == 0.0) {
    ASSERT_LE(found.lower, 1e-12);
    ASSERT_TRUE(found.meet || found.upper < 1e-9) << found.upper;
    return;
  }
  ASSERT_FALSE(found.meet && truth > 1e-12) << truth;
  const Real doubt = 1e-9 * truth + 1e-14;
  ASSERT_LE(found.lower, truth + doubt);
  ASSERT_GE(found.lower, truth - doubt - planeDoubt);
  ASSERT_NEAR(found.upper, truth, doubt + pointDoubt);
  ASSERT_NEAR(glm::distance(found.pointA, found.pointB), truth, doubt + pointDoubt);
}

TEST(ConvexDistance, IsThatOfAllTriangles) {
  Random random(31);
  const int count = test::cases(3000);
  int meeting = 0;
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Placed a(test::convexPoints(random, i)), b(test::convexPoints(random, i / 7));
    const Placement place = placementOf(random, i);
    const Real truth = trueDistance(a.hull, b.hull, place);
    meeting += truth == 0.0;
    const ConvexPair pair(a.shape, b.shape, place.axes, place.position);
    // Where edges or faces are nearly parallel, weights of a simplex leave out some digits
    expectAnswers(gjkDistance(pair), truth, "GJK", 1e-8);
    ClosestFeatures features = featuresTowards(pair);
    expectAnswers(linCannyDistance(pair, features), truth, "Lin-Canny");
  }
  EXPECT_GT(meeting, 3 * count / 10);
  EXPECT_LT(meeting, 7 * count / 10);
}

/// Boxes and plates in lattice positions, turned by next to nothing: many points are nearly as
/// near, and the planes must tell the distance all the same.
TEST(ConvexDistance, IsConfirmedWhereFeaturesAreNearlyParallel) {
  Random random(35);
  const int count = test::cases(8000);
  int apart = 0;
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Placed a(test::convexPoints(random, 0)), b(test::convexPoints(random, i % 2 ? 0 : 4));
    const Placement place = placementOf(random, 10 * (2 * i + 1));
    const Real truth = trueDistance(a.hull, b.hull, place);
    apart += truth > 0.0;
    const ConvexPair pair(a.shape, b.shape, place.axes, place.position);
    expectAnswers(gjkDistance(pair), truth, "GJK", 1e-8, 4e-9);
    ClosestFeatures features = featuresTowards(pair);
    expectAnswers(linCannyDistance(pair, features), truth, "Lin-Canny", 1e-8, 4e-9);
  }
  EXPECT_GT(apart, count / 4);
}

/// Slid along the line of centres until they are a hair apart or a hair into each other.
/// How far along `away` the moved hull has to be in order to touch. Their distance is convex there,
/// so the chord through two distances ends where they are still apart, or touch.
Real firstTouch(const ConvexHull& a, const ConvexHull& b, Placement place, const Vec3& away) {
  const auto distanceAt = [&](Real t) {
    place.position = t * away;
    return trueDistance(a, b, place);
  };
  Real before = 5.0, now = 4.0, distanceBefore = distanceAt(before), distance = distanceAt(now);
  for (int round = 0; round < 45 && distance > 1e-13; ++round) {
    const Real next = now - distance * (before - now) / (distanceBefore - distance);
    before = std::exchange(now, next);
    distanceBefore = std::exchange(distance, distanceAt(now));
  }
  return now;
}

TEST(ConvexDistance, IsRightOfPairsThatGraze) {
  Random random(32);
  const int count = test::cases(200);
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Placed a(test::convexPoints(random, i)), b(test::convexPoints(random, i / 7));
    Placement place = placementOf(random, i);
    const Vec3 away = glm::normalize(place.position == Vec3(0.0) ? Vec3(1, 0, 0) : place.position);
    const Real touching = firstTouch(a.hull, b.hull, place, away);
    const Real hair = i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1e-9 : 0.0;
    place.position = (touching + hair) * away;
    const Real truth = trueDistance(a.hull, b.hull, place);
    ASSERT_LE(truth, hair + 1e-12);
    const ConvexPair pair(a.shape, b.shape, place.axes, place.position);
    ClosestFeatures features = featuresTowards(pair);
    for (const ConvexDistance& found : {gjkDistance(pair), linCannyDistance(pair, features)}) {
      SCOPED_TRACE(testing::Message()
                   << std::setprecision(17) << found.lower << " to " << found.upper << ", truth "
                   << truth << ", steps " << found.steps);
      // No plane parts them by more than they are apart, and no two points are nearer
      ASSERT_LE(found.lower, truth + 1e-13);
      ASSERT_GE(found.upper, truth - 1e-9 * truth - 1e-13);
      // Where hardly anything is between them rounding decides which of the near points is named
      ASSERT_LE(found.upper, truth + 1e-8);
    }
  }
}

/// Many turns of the same two: each walk starts where the last one ended.
TEST(ConvexDistance, GoesOnFromTheFeaturesOfTheFrameBefore) {
  Random random(33);
  int stepsKept = 0, stepsFresh = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    const Placed a(test::spherePoints(random, 200)), b(test::spherePoints(random, 200));
    ClosestFeatures kept;
    const Vec3 axis = random.direction();
    for (int frame = 0; frame < 50; ++frame) {
      const Real angle = 0.02 * frame;
      Placement place;
      place.axes = glm::mat3_cast(glm::angleAxis(angle, axis));
      place.position = {2.5 * std::cos(angle), 2.5 * std::sin(angle), 0.1};
      const ConvexPair pair(a.shape, b.shape, place.axes, place.position);
      const ConvexDistance found = linCannyDistance(pair, kept);
      ClosestFeatures fresh;
      const ConvexDistance other = linCannyDistance(pair, fresh);
      ASSERT_NEAR(found.upper, gjkDistance(pair).upper, 1e-9 * found.upper);
      ASSERT_NEAR(found.upper, other.upper, 1e-9 * found.upper);
      stepsKept += found.steps;
      stepsFresh += other.steps;
    }
  }
  EXPECT_LT(3 * stepsKept, stepsFresh);
}

TEST(ConvexDistance, StopsWhereEnoughIsKnown) {
  Random random(34);
  int fewer = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    const Placed a(test::spherePoints(random, 100)), b(test::spherePoints(random, 100));
    Placement place;
    place.position = 3.0 * random.direction();
    const ConvexPair pair(a.shape, b.shape, place.axes, place.position);
    const ConvexDistance whole = gjkDistance(pair), quick = gjkDistance(pair, 0.1);
    ASSERT_GT(quick.lower, 0.1);
    ASSERT_LE(quick.lower, whole.upper + 1e-12);
    fewer += quick.steps < whole.steps;
  }
  EXPECT_GT(fewer, test::cases(300) / 2);
}

/// Plates, segments and points: what has no inside.
/// Flat polytopes have no faces to walk over: what gives way to simplices is counted, and a walk
/// between solid ones that planes confirm is not.
TEST(ConvexDistance, CountsWhatIsLeftToSimplices) {
  const ConvexPolytope flat(convexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  const ConvexPolytope solid(
      convexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  const std::uint64_t flats = fallbacks(Fallback::LinCannyFlat);
  const std::uint64_t lost = fallbacks(Fallback::LinCannyLost);
  ClosestFeatures features;
  const glm::dmat3 axes(1.0);
  EXPECT_GT(linCannyDistance({solid, solid, axes, {3.0, 0.2, 0.1}}, features).lower, 1.9);
  EXPECT_EQ(fallbacks(Fallback::LinCannyFlat), flats);
  EXPECT_EQ(fallbacks(Fallback::LinCannyLost), lost);
  features = {};
  EXPECT_GT(linCannyDistance({solid, flat, axes, {3.0, 0.2, 0.1}}, features).lower, 1.9);
  EXPECT_EQ(fallbacks(Fallback::LinCannyFlat), flats + 1);
  EXPECT_EQ(fallbacks(Fallback::LinCannyLost), lost);
}

TEST(ConvexDistance, IsRightOfFlatPolytopes) {
  const Placed point({{1, 2, 3}}), segment({{0, 0, 0}, {0, 0, 2}, {0, 0, 1}}),
      plate({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), box(test::boxPoints(Vec3(1.0)));
  const auto distance = [](const Placed& a, const Placed& b, const Vec3& position) {
    const ConvexPair pair(a.shape, b.shape, glm::dmat3(1.0), position);
    ClosestFeatures features = featuresTowards(pair);
    const ConvexDistance gjk = gjkDistance(pair), walk = linCannyDistance(pair, features);
    EXPECT_NEAR(gjk.lower, gjk.upper, 1e-12);
    EXPECT_EQ(gjk.upper, walk.upper);
    return gjk.upper;
  };
  EXPECT_NEAR(distance(point, point, {0, 0, 2}), 2.0, 1e-15);
  EXPECT_EQ(distance(point, point, {0, 0, 0}), 0.0);
  EXPECT_NEAR(distance(segment, segment, {3, 0, 1}), 3.0, 1e-15);
  EXPECT_NEAR(distance(segment, segment, {0, 0, 5}), 3.0, 1e-15);
  EXPECT_NEAR(distance(plate, point, {-0.5, -1.5, -1}), 2.0, 1e-15);
  EXPECT_NEAR(distance(plate, segment, {0.5, 0.5, 0.25}), 0.25, 1e-15);
  EXPECT_NEAR(distance(box, plate, {-0.5, -0.5, 4}), 3.0, 1e-15);
  EXPECT_EQ(distance(box, plate, {-0.5, -0.5, 0.5}), 0.0);
}

}  // namespace
}  // namespace nearmiss
