// SPDX-License-Identifier: MIT
/// Points beside all triangles: nearest places, sides, and bounds wherever time runs out.
#include <gtest/gtest.h>
#include <nearmiss/ray.h>

#include <array>
#include <limits>
#include <vector>

#include "oracle/distance.h"
#include "support/campaign.h"
#include "support/hard_meshes.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::Random;

const std::vector<Shape>& pointTargets() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made;
    for (const TriangleMesh& mesh :
         {test::cube(0.5), test::sphere(8, 10), test::torus(12, 8), test::comb(),
          test::hollowCube(), test::openTorus(), test::slivers(400)})
      made.push_back(Shape::of(Polyhedron(mesh)));
    return made;
  }();
  return all;
}

/// Around a mesh, on it exactly, near it, or far away.
Vec3 drawPoint(Random& random, const TriangleMesh& mesh) {
  const Triangle corners = mesh.corners(
      static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1)));
  switch (random.whole(0, 6)) {
    case 0:
      return corners[0];
    case 1:
      return 0.5 * (corners[0] + corners[1]);
    case 2:
      return glm::mix(glm::mix(corners[0], corners[1], random.unit()), corners[2], 0.25);
    case 3:
      return corners[2] + random.inCube(1e-9);
    case 4:
      return 1e9 * random.direction();
    default:
      return random.inCube(1.3);
  }
}

Real nearestOf(const TriangleMesh& mesh, const Vec3& point) {
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    least = std::min(least, test::pointToTriangle(point, mesh.corners(t)));
  return least;
}

TEST(NearestPoint, IsThatOfAllTriangles) {
  Random random(51);
  int far = 0, near = 0, within = 0, beyond = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    SCOPED_TRACE(i);
    const Shape& shape = pointTargets()[static_cast<std::size_t>(i) % pointTargets().size()];
    const TriangleMesh& mesh = shape.polyhedron().mesh();
    const Pose pose = i % 2 == 0 ? Pose{} : Pose{random.inCube(3.0), random.rotation()};
    const Vec3 own = drawPoint(random, mesh), point = transformed(pose, own);
    const Real truth = nearestOf(mesh, own), size = 1.0 + 1e-5 * glm::length(own);
    const NearestPoint found = nearestPoint(shape, pose, point);
    ASSERT_TRUE(found.found() && !found.canRefine);
    ASSERT_NEAR(found.upper, truth, 1e-9 * size);
    ASSERT_LE(found.lower, truth + 1e-15 * size);
    ASSERT_NEAR(found.lower, truth, 1e-6 * size);
    ASSERT_NEAR(glm::distance(found.point, point), found.upper, 1e-9 * size);
    Triangle corners = mesh.corners(found.triangle);
    for (Vec3& p : corners) p = transformed(pose, p);
    ASSERT_LT(test::pointToTriangle(found.point, corners), 1e-9);
    far += truth > 1e8;
    near += truth < 1e-8;
    // The same within reach, and nothing below it
    const Real reach = truth * random.between(0.0, 2.0);
    const NearestPoint some = nearestPoint(shape, pose, point, reach);
    (some.found() ? within : beyond) += 1;
    ASSERT_EQ(some.found(), found.upper <= reach);
    if (some.found()) {
      ASSERT_EQ(some.upper, found.upper);
      ASSERT_EQ(some.triangle, found.triangle);
    } else {
      ASSERT_LE(some.lower, truth + 1e-15 * size);
      ASSERT_NEAR(some.lower, reach, 1e-6 * size);
    }
  }
  EXPECT_GT(far, test::cases(200));
  EXPECT_GT(near, test::cases(700));
  EXPECT_GT(within, test::cases(500));
  EXPECT_GT(beyond, test::cases(500));
}

TEST(PointSide, IsExact) {
  Random random(52);
  std::array<int, 4> told{};
  for (int i = 0; i < test::cases(6000); ++i) {
    SCOPED_TRACE(i);
    const Shape& shape = pointTargets()[static_cast<std::size_t>(i) % pointTargets().size()];
    const Polyhedron& body = shape.polyhedron();
    const Vec3 point = drawPoint(random, body.mesh());
    const PointSide known = sideOf(shape, {}, point);
    ASSERT_NE(known, PointSide::Undecided);
    ++told[static_cast<std::size_t>(known)];
    // A point is the triangle that it amounts to
    bool onSurface = false;
    for (std::size_t t = 0; t < body.mesh().triangles.size(); ++t)
      onSurface = onSurface || trianglesMeet({point, point, point}, body.mesh().corners(t));
    const PointSide truth = onSurface              ? PointSide::OnSurface
                            : !shape.solid()       ? PointSide::Unknown
                            : body.contains(point) ? PointSide::Inside
                                                   : PointSide::Outside;
    ASSERT_EQ(known, truth);
  }
  for (const int count : told) EXPECT_GT(count, test::cases(200));
}

TEST(PointSide, FollowsThePoseAndTheTime) {
  const Shape cube = Shape::of(Polyhedron(test::cube(1.0)));
  const Pose pose{{10, 20, 30}, Quat(0.5, 0.5, 0.5, 0.5)};
  EXPECT_EQ(sideOf(cube, pose, {10.5, 20.5, 29.5}), PointSide::Inside);
  EXPECT_EQ(sideOf(cube, pose, {11, 20.5, 29.5}), PointSide::OnSurface);
  EXPECT_EQ(sideOf(cube, pose, {11.5, 20.5, 29.5}), PointSide::Outside);
  const Shape slivers = Shape::of(Polyhedron(test::slivers(2000)));
  WorkClock clock;
  int stopped = 0;
  Random random(53);
  for (int i = 0; i < 300; ++i) {
    const Vec3 point = random.inCube(1.0);
    const PointSide now = sideOf(slivers, {}, point, TimeBudget(clock, {}));
    stopped += now == PointSide::Undecided;
    if (now != PointSide::Undecided) {
      ASSERT_EQ(now, sideOf(slivers, {}, point));
    }
  }
  EXPECT_GT(stopped, 10);
}

TEST(NearestPoint, IsBoundedWhereverTimeRunsOut) {
  Random random(54);
  const Shape shape = Shape::of(Polyhedron(test::spikyStar(3, 60, 90)));
  WorkClock clock;
  NearestPointQuery query;
  int stops = 0, raised = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    const Vec3 point = random.inCube(2.0);
    const NearestPoint whole = nearestPoint(shape, {}, point);
    query.begin(shape, {}, point);
    NearestPoint last = query.known();
    ASSERT_TRUE(last.canRefine);
    ASSERT_EQ(last.lower, 0.0);
    while (last.canRefine) {
      const NearestPoint now = query.refine(TimeBudget(clock, {}));
      ASSERT_LE(now.lower, whole.upper);
      ASSERT_GE(now.upper, whole.upper);
      ASSERT_GE(now.lower, std::min(last.lower, whole.lower));
      ASSERT_LE(now.upper, last.upper);
      raised += now.canRefine && now.lower > 0.5 * whole.upper;
      last = now;
      ++stops;
    }
    ASSERT_EQ(last.upper, whole.upper);
    ASSERT_EQ(last.lower, whole.lower);
    ASSERT_EQ(last.triangle, whole.triangle);
  }
  EXPECT_GT(stops, 900 * test::campaignFactor());
  EXPECT_GT(raised, 200 * test::campaignFactor());
}

}  // namespace
}  // namespace nearmiss
