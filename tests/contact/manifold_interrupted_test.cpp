// SPDX-License-Identifier: MIT
/// Manifolds that are interrupted at every place where they look at the clock: their points are
/// valid, bodies that touched in the last manifold keep a point, and the clock is looked at often.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/contact_reduction.h"
#include "contact/manifold_strata.h"
#include "geometry/polyhedron_pair.h"
#include "support/campaign.h"
#include "support/concave_meshes.h"
#include "support/manual_clock.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::ManifoldCase;
using test::Random;
using test::Stratum;

constexpr Real rounding = 1e-9;  ///< of the bodies' sizes and distance
constexpr ManifoldSettings atMargin{0.01, 4};

/// Ends after some looks at the clock.
class Looks {
 public:
  explicit Looks(int count) : clock_(Clock::Duration{1}), budget_(clock_, Clock::Duration{count}) {}
  [[nodiscard]] const TimeBudget& budget() const { return budget_; }

 private:
  ManualClock clock_;
  TimeBudget budget_;
};

/// What is wrong with a point; empty: nothing.
std::string faultOf(const ManifoldPoint& point, Real size, Real deepest) {
  const Vec3 between = point.onB - point.onA;
  const Real along = glm::dot(between, point.normal);
  if (!(std::abs(glm::length(point.normal) - 1.0) < 1e-12)) return "normal is not of unit length";
  if (!(glm::distance(between, point.depth * point.normal) <= rounding * size))
    return "onB - onA is not depth * normal";
  if ((point.depth > 0.0) != (along > 0.0)) return "the depth has another sign than the points";
  if (!(point.depth >= -atMargin.margin - rounding * size)) return "beyond the margin";
  if (!(point.depth <= deepest + rounding * size)) return "deeper than the bodies overlap";
  return {};
}

class InterruptedManifold : public testing::TestWithParam<Stratum> {
 protected:
  [[nodiscard]] static bool areSolid(const ManifoldCase& of) {
    return of.a->shape.solid() && of.b->shape.solid();
  }
  [[nodiscard]] static Real deepestOf(const ManifoldCase& of) {
    if (!areSolid(of)) return std::numeric_limits<Real>::infinity();
    WorkClock clock;
    PenetrationQuery query;
    query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB);
    return query.refine(TimeBudget(clock, std::chrono::microseconds(1500))).upper;
  }
  static void expectSound(const ContactManifold& found, const ManifoldCase& of, Real deepest) {
    std::set<std::uint64_t> ids;
    EXPECT_LE(found.points.size(), atMargin.maxPoints);
    for (const ManifoldPoint& point : found.points) {
      EXPECT_EQ(faultOf(point, of.size(), deepest), "")
          << of << ": point " << std::hex << point.id << " of depth " << point.depth;
      EXPECT_TRUE(ids.insert(point.id).second) << "the id occurs twice";
    }
  }
  /// A small motion, as in a frame of a simulation.
  static void move(ManifoldCase& of, Random& random) {
    of.poseB.position += 2e-3 * random.unit() * random.direction();
    of.poseB.rotation = glm::normalize(glm::angleAxis(2e-3 * random.unit(), random.direction()) *
                                       of.poseB.rotation);
  }
};

/// After a manifold that was not interrupted, the next one ends at each look at the clock in turn.
TEST_P(InterruptedManifold, HoldsWhereverItEnds) {
  constexpr int usualCases = 12;
  int interrupted = 0, held = 0;
  for (int i = 0; i < test::cases(usualCases); ++i) {
    SCOPED_TRACE(i);
    ManifoldCase of = test::drawCase(GetParam(), i);
    const ManifoldCase before = of;
    Random random = test::randomOf(78, i);
    move(of, random);
    const Real deepest = deepestOf(of);
    const bool meet = distance(of.a->shape, of.poseA, of.b->shape, of.poseB).upper == 0.0;
    bool ended = false;
    for (int looks = 0; !ended; looks += 1 + looks / 8) {
      ManifoldQuery query;
      query.begin(of.a->shape, before.poseA, of.b->shape, before.poseB, atMargin);
      const bool touched = !query.refine().points.empty();
      query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, atMargin);
      const ContactManifold& found = query.refine(Looks(looks).budget());
      ended = !found.canRefine;
      interrupted += !ended;
      held += !ended && meet && touched;
      expectSound(found, of, deepest);
      EXPECT_FALSE(meet && touched && found.points.empty())
          << of << ": no point after " << looks << " looks";
      if (testing::Test::HasFailure()) return;
    }
  }
  // Convex pairs are found between two looks, and some of the flush ones are convex
  if (GetParam() == Stratum::Convex) return;
  EXPECT_GT(interrupted, test::cases(usualCases));
  EXPECT_GT(held, test::cases(usualCases) / 4);
}

/// One manifold after the other ends early: what the first has found is never lost while the bodies
/// meet.
TEST_P(InterruptedManifold, HoldsHoweverOftenItEnds) {
  constexpr int usualCases = 12;
  int interrupted = 0;
  for (int i = 0; i < test::cases(usualCases); ++i) {
    SCOPED_TRACE(i);
    for (const int looks : {0, 1, 2, 5}) {
      ManifoldCase of = test::drawCase(GetParam(), i);
      Random random = test::randomOf(79, i);
      ManifoldQuery query;
      query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, atMargin);
      bool touched = !query.refine().points.empty();
      for (int frame = 0; frame < 8; ++frame) {
        move(of, random);
        query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, atMargin);
        const ContactManifold& found = query.refine(Looks(looks).budget());
        expectSound(found, of, deepestOf(of));
        interrupted += found.canRefine;
        const bool meet = distance(of.a->shape, of.poseA, of.b->shape, of.poseB).upper == 0.0;
        EXPECT_FALSE(meet && touched && found.points.empty())
            << of << ": no point in frame " << frame;
        touched = !found.points.empty();
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  if (GetParam() == Stratum::Convex) return;
  EXPECT_GT(interrupted, 2 * test::cases(usualCases));
}

INSTANTIATE_TEST_SUITE_P(Strata, InterruptedManifold, testing::ValuesIn(test::allStrata),
                         [](const auto& of) { return test::nameOf(of.param); });

/// Takes note of the most work between two looks.
class MostWork final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override { return {}; }
  void charge(const WorkCount& work) noexcept override {
    most_ = std::max(most_, work.boundTests + WorkMeter::triangleTest * work.triangleTests);
    ++looks_;
  }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  [[nodiscard]] int looks() const { return looks_; }

 private:
  std::uint64_t most_ = 0;
  int looks_ = 0;
};

/// Fine meshes that are deep in each other: a step of each stage is small.
TEST(ManifoldClock, IsLookedAtOften) {
  const std::vector<Shape> shapes{
      test::treelessShape(test::knot(160, 16, 2, 3, 0.05)),
      test::treelessShape(test::spikyStar(2, 40, 80, 0.5)),
      test::treelessShape(test::gear(24, 4, 2, 4)),
      test::treelessShape(test::hills(40)),
  };
  for (const Shape& shape : shapes) prepare(shape);
  Random random(80);
  int searches = 0;
  for (int i = 0; i < test::cases(40); ++i) {
    SCOPED_TRACE(i);
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    ManifoldQuery query;
    Pose pose{random.inCube(0.4), random.rotation()};
    for (int frame = 0; frame < 2; ++frame) {
      MostWork clock;
      pose.position += 0.01 * random.direction();
      query.begin(a, {}, b, pose, atMargin);
      query.refine(TimeBudget(clock, std::chrono::hours(1)));
      EXPECT_LE(clock.most(), 8 * WorkMeter::quantum);
      searches += clock.looks() > 10;
    }
  }
  EXPECT_GT(searches, test::cases(40) / 2) << "searches hardly take long";
}

/// A vertex that slides over a face keeps its depth; it is let go beyond the margin, and where it
/// has slid too far.
TEST(HeldPoints, MoveWithTheirBodies) {
  const ManifoldPoint vertex{
      {0, 0, 0}, {0, -0.002, 0}, {0, -1, 0}, 0.002, contactIdOfVertex(true, 7)};
  const auto all = [](std::uint64_t) { return true; };
  const auto after = [&](const Pose& to) {
    HeldPoints held;
    held.keep(std::span(&vertex, 1), {}, 0.002);
    std::vector<ManifoldPoint> points;
    held.addTo(points, to, 0.01, 0.05, all);
    return points;
  };
  const auto deeper = after({{0.01, -0.001, 0.0}});
  ASSERT_EQ(deeper.size(), 1u);
  EXPECT_NEAR(deeper[0].depth, 0.003, 1e-12);
  EXPECT_NEAR(deeper[0].onB.x, 0.01, 1e-12);
  EXPECT_NEAR(deeper[0].onA.x, 0.01, 1e-12);
  EXPECT_NEAR(deeper[0].onA.y, 0.0, 1e-12);
  EXPECT_EQ(after({{0.0, 0.011, 0.0}}).size(), 1u) << "a gap of 9 mm";
  EXPECT_TRUE(after({{0.0, 0.013, 0.0}}).empty()) << "beyond the margin";
  EXPECT_TRUE(after({{0.06, 0.0, 0.0}}).empty()) << "slid too far";
}

/// Drift adds up over frames in which the search does not come to a point.
TEST(HeldPoints, DoNotDriftForEver) {
  const ManifoldPoint vertex{{0, 0, 0}, {0, 0, 0}, {0, -1, 0}, 0.0, contactIdOfVertex(true, 7)};
  HeldPoints held;
  held.keep(std::span(&vertex, 1), {}, 0.0);
  std::vector<ManifoldPoint> points;
  int frames = 0;
  for (; frames < 20; ++frames) {
    const Pose pose{{0.01 * (frames + 1), 0.0, 0.0}};
    points.clear();
    held.addTo(points, pose, 0.01, 0.055, [](std::uint64_t) { return true; });
    if (points.empty()) break;
    held.keep(points, pose, 0.0);
  }
  EXPECT_EQ(frames, 5);
}

/// A ball far through a sheet: the first search sees vertices far from where they should leave, and
/// must not throw the ball out before it has checked them.
TEST(HeldPoints, BoundTheDepthOfWhatIsNotChecked) {
  const Shape sheet = test::treelessShape(test::terrain(8, [](Real, Real) { return 0.0; }));
  const Shape slopes = test::treelessShape(test::hills(6)),
              ball = test::treelessShape(test::sphere(8, 12));
  Random random(81);
  int cut = 0, deep = 0;
  for (const Shape* surface : {&sheet, &slopes})
    for (int i = 0; i < test::cases(60); ++i) {
      ManifoldQuery query;
      Pose pose{random.inCube(1.5), random.rotation()};
      query.begin(*surface, {}, ball, pose, atMargin);
      Real before = 0.0;
      for (const ManifoldPoint& point : query.refine().points)
        before = std::max(before, point.depth);
      const Vec3 way = 5e-3 * random.direction();
      pose.position += way;
      query.begin(*surface, {}, ball, pose, atMargin);
      const ContactManifold& found = query.refine(Looks(i % 12).budget());
      if (!found.canRefine) continue;
      ++cut;
      // Of edges, what is fine is certain: a tenth of their mean length
      constexpr Real fine = 0.2;
      for (const ManifoldPoint& point : found.points)
        EXPECT_LE(point.depth, std::max(fine, before + glm::length(way) + 1e-9));
      deep += before > fine;
    }
  EXPECT_GT(cut, test::cases(60) / 2);
  EXPECT_GT(deep, test::cases(60) / 10);
}

TEST(HeldPoints, StandBackForWhatTheSearchHasFound) {
  const ManifoldPoint known{{0, 0, 0}, {0, 0, 0}, {0, -1, 0}, 0.0, contactIdOfVertex(true, 7)};
  ManifoldPoint found = known;
  found.depth = 0.5;
  HeldPoints held;
  held.keep(std::span(&known, 1), {}, 0.0);
  std::vector<ManifoldPoint> points{found};
  held.addTo(points, {}, 0.01, 0.05, [](std::uint64_t) { return true; });
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].depth, 0.5);
  points.clear();
  held.addTo(points, {}, 0.01, 0.05, [](std::uint64_t) { return false; });
  EXPECT_TRUE(points.empty()) << "the search has rejected it";
}

}  // namespace
}  // namespace nearmiss
