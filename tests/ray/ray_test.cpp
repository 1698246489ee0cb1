// SPDX-License-Identifier: MIT
/// Rays beside all triangles in rational numbers, balls beside all triangles by sections, and
/// bounds that hold wherever time runs out.
#include <gtest/gtest.h>
#include <nearmiss/ray.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "oracle/ray.h"
#include "support/campaign.h"
#include "support/hard_meshes.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using test::Rational;

constexpr Real endless = std::numeric_limits<Real>::infinity();

struct RayTarget {
  Shape shape;
  test::RationalSurface exact;
  explicit RayTarget(const TriangleMesh& mesh) : shape(Shape::of(Polyhedron(mesh))), exact(mesh) {}
  [[nodiscard]] const TriangleMesh& mesh() const { return shape.polyhedron().mesh(); }
};

/// A segment, a point, and triangles that share them.
TriangleMesh withoutArea() {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.25, 0.5, 0.75}};
  mesh.triangles = {{0, 1, 2}, {5, 5, 5}, {0, 3, 4}, {4, 4, 1}, {2, 0, 1}};
  return mesh;
}

const std::vector<RayTarget>& rayTargets() {
  static const std::vector<RayTarget> all = [] {
    std::vector<RayTarget> made;
    for (const TriangleMesh& mesh :
         {test::cube(0.5), test::sphere(6, 8), test::torus(10, 6), test::comb(3),
          test::hollowCube(), test::openTorus(), test::slivers(40), withoutArea()})
      made.emplace_back(mesh);
    return made;
  }();
  return all;
}

enum class RayKind { Free, Corner, Edge, Plane, Inside, Far, Count };

/// Towards a place of the surface that is hard to decide, exactly where doubles can say it.
Ray drawRay(Random& random, const TriangleMesh& mesh, RayKind kind) {
  const auto triangle =
      static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1));
  const Triangle corners = mesh.corners(triangle);
  const Vec3 a = corners[0], b = corners[1], c = corners[2];
  Ray ray;
  ray.direction = random.chance(0.5) ? random.onLattice(2) : random.inCube(1.0);
  if (ray.direction == Vec3(0.0)) ray.direction.y = 1.0;
  Vec3 at = a + random.unit() * (b - a) + 0.3 * random.unit() * (c - a);
  if (kind == RayKind::Corner) at = a;
  if (kind == RayKind::Edge) at = 0.5 * (a + b);
  if (kind == RayKind::Plane) {
    // From a point of the plane, or through two corners of it
    ray.direction = random.chance(0.5) ? b - a : 0.5 * (b + c) - a;
    if (ray.direction == Vec3(0.0)) ray.direction.x = 1.0;
    at = random.chance(0.5) ? a : 0.5 * (a + c);
  }
  Real back = random.chance(0.5) ? 4.0 : random.between(0.0, 3.0);
  if (kind == RayKind::Inside) back = random.chance(0.5) ? 0.0 : -0.25;
  if (kind == RayKind::Far) back = 1e9;
  if (kind == RayKind::Free) at = random.inCube(1.2);
  ray.origin = at - back * ray.direction;
  if (random.chance(0.2)) ray.direction *= std::ldexp(1.0, random.whole(-200, 180));
  return ray;
}

/// Of the oracle's place.
void expectPlace(const RayHit& found, const Rational& truth) {
  ASSERT_TRUE(found.hit());
  ASSERT_FALSE(found.canRefine);
  const Rational off = abs(Rational(found.t) - truth);
  ASSERT_LE(off, truth * Rational(1e-12)) << found.t << " for " << static_cast<Real>(truth);
  ASSERT_LE(Rational(found.lower), truth);
  ASSERT_GE(found.lower, found.t * (1.0 - 1e-9));
}

TEST(Raycast, IsThatOfAllTrianglesExactly) {
  Random random(41);
  std::array<int, static_cast<std::size_t>(RayKind::Count)> asked{}, hits{};
  int starts = 0;
  for (int i = 0; i < test::cases(700); ++i) {
    const RayTarget& target = rayTargets()[static_cast<std::size_t>(i) % rayTargets().size()];
    const int kind = random.whole(0, static_cast<int>(RayKind::Count) - 1);
    SCOPED_TRACE(testing::Message() << i << " of kind " << kind);
    const Ray ray = drawRay(random, target.mesh(), static_cast<RayKind>(kind));
    const RayHit found = raycast(target.shape, {}, ray);
    const auto truth = target.exact.first(ray.origin, ray.direction);
    ++asked[static_cast<std::size_t>(kind)];
    hits[static_cast<std::size_t>(kind)] += truth.has_value();
    ASSERT_EQ(found.hit(), truth.has_value());
    if (!truth) {
      ASSERT_FALSE(found.canRefine);
      ASSERT_EQ(found.lower, endless);
      continue;
    }
    starts += *truth == 0;
    ASSERT_EQ(*truth == 0, found.t == 0.0);
    ASSERT_NO_FATAL_FAILURE(expectPlace(found, *truth));
    // The triangle holds the point, and is met there
    const auto own = target.exact.meeting(found.triangle, test::rational(ray.origin),
                                          test::rational(ray.direction));
    ASSERT_TRUE(own);
    ASSERT_LE(*own, *truth * Rational(1.0 + 1e-12));
    const Real size = 1e-9 + 1e-15 * glm::length(ray.origin);
    ASSERT_LT(glm::distance(found.point, ray.origin + found.t * ray.direction), size);
  }
  for (std::size_t kind = 0; kind < asked.size(); ++kind) {
    EXPECT_GT(asked[kind], test::cases(70));
    EXPECT_GT(hits[kind], asked[kind] / 4) << kind;
  }
  EXPECT_GT(asked[0] - hits[0], asked[0] / 8);
  EXPECT_GT(starts, test::cases(20));
}

TEST(Raycast, SlipsThroughNoClosedSurface) {
  Random random(42);
  const TriangleMesh mesh = test::sphere(30, 40);
  const Shape shape = Shape::of(Polyhedron(mesh));
  for (int i = 0; i < test::cases(20000); ++i) {
    const Vec3 inside = random.inCube(0.3);
    const auto pick = [&] {
      return mesh.positions[static_cast<std::size_t>(
          random.whole(0, static_cast<int>(mesh.positions.size()) - 1))];
    };
    Vec3 target = pick();
    if (i % 3 == 0) target = 0.5 * (target + pick());
    if (i % 3 == 1) {
      const Triangle corners = mesh.corners(
          static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1)));
      target = glm::mix(corners[0], corners[1], random.unit());
    }
    const RayHit found = raycast(shape, {}, {inside, target - inside});
    ASSERT_TRUE(found.hit()) << i;
    ASSERT_GT(glm::dot(found.normal, target - inside), 0.0);
  }
}

TEST(Raycast, OfASegmentEndsWithIt) {
  Random random(43);
  int cut = 0, kept = 0;
  for (int i = 0; i < test::cases(4000); ++i) {
    const RayTarget& target = rayTargets()[static_cast<std::size_t>(i) % rayTargets().size()];
    Ray ray = drawRay(random, target.mesh(), static_cast<RayKind>(i % 3));
    const RayHit whole = raycast(target.shape, {}, ray);
    if (!whole.hit()) continue;
    ray.end = i % 7 == 0 ? whole.t : whole.t * random.between(0.0, 2.0);
    const RayHit found = raycast(target.shape, {}, ray);
    ASSERT_EQ(found.hit(), whole.t <= ray.end);
    (found.hit() ? kept : cut) += 1;
    if (found.hit()) {
      ASSERT_EQ(found.t, whole.t);
      ASSERT_EQ(found.triangle, whole.triangle);
    } else {
      ASSERT_LE(found.lower, ray.end);
      ASSERT_GE(found.lower, ray.end * (1.0 - 1e-12));
    }
  }
  EXPECT_GT(cut, test::cases(500));
  EXPECT_GT(kept, test::cases(500));
  // Without length: on the surface or not
  const RayTarget& cube = rayTargets().front();
  EXPECT_EQ(raycast(cube.shape, {}, {{0.5, 0.25, 0.125}, {0, 0, 1}, 0.0}).t, 0.0);
  EXPECT_FALSE(raycast(cube.shape, {}, {{0.25, 0.25, 0.125}, {0, 0, 1}, 0.0}).hit());
}

/// Two triangles with an edge in common, and where rays to them begin, in coordinates whose sums
/// and differences are exact.
struct RoundTriangles {
  explicit RoundTriangles(Random& random) {
    for (int i = 0; i < 4; ++i) mesh.positions.push_back(rounded(random.inCube(1.0)));
    mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
    shape = Shape::of(Polyhedron(mesh));
    origin = rounded(random.inCube(4.0));
  }
  static Vec3 rounded(const Vec3& p) { return glm::round(p * 0x1p30) * 0x1p-30; }

  TriangleMesh mesh;
  std::optional<Shape> shape;
  Vec3 origin;
};

TEST(Raycast, OfASegmentMeetsWhatHoldsItsEnd) {
  Random random(44);
  for (int i = 0; i < test::cases(1000); ++i) {
    const RoundTriangles two(random);
    const Vec3 origin = two.origin;
    const auto& corners = two.mesh.positions;
    const RayHit found = raycast(*two.shape, {}, {origin, corners[0] - origin, 1.0});
    ASSERT_TRUE(found.hit()) << i;
    ASSERT_LE(found.t, 1.0);
    // In the inside of a triangle, where the plane says how far it is
    const Vec3 middle = corners[0] + corners[1] + 2.0 * corners[2];
    ASSERT_TRUE(raycast(*two.shape, {}, {origin, middle - 4.0 * origin, 0.25}).hit()) << i;
  }
}

TEST(Raycast, NamesTheFirstOfTrianglesThatShareAnEdge) {
  Random random(45);
  for (int i = 0; i < test::cases(1000); ++i) {
    const RoundTriangles two(random);
    const Vec3 origin = two.origin;
    const auto& corners = two.mesh.positions;
    const Vec3 twice = corners[0] + corners[1];
    const RayHit found = raycast(*two.shape, {}, {origin, twice - 2.0 * origin});
    ASSERT_TRUE(found.hit());
    ASSERT_TRUE(found.triangle == 0 || found.t < 0.49) << i;
  }
}

TEST(Raycast, FollowsThePoseOfTheBody) {
  Random random(44);
  int hits = 0;
  for (int i = 0; i < test::cases(250); ++i) {
    const RayTarget& target = rayTargets()[static_cast<std::size_t>(i) % 7];
    const Ray own = drawRay(random, target.mesh(), RayKind::Free);
    const Pose pose{random.inCube(10.0), random.rotation()};
    Ray ray = own;
    ray.origin = transformed(pose, own.origin);
    ray.direction = pose.rotation * own.direction;
    const RayHit found = raycast(target.shape, pose, ray);
    // Again as the body sees it, to the last bit
    const Quat back = glm::conjugate(pose.rotation);
    const auto truth =
        target.exact.first(back * (ray.origin - pose.position), back * ray.direction);
    ASSERT_EQ(found.hit(), truth.has_value()) << i;
    if (!truth) continue;
    ++hits;
    ASSERT_LE(abs(Rational(found.t) - *truth), *truth * Rational(1e-12));
    ASSERT_LT(glm::distance(found.point, ray.origin + found.t * ray.direction), 1e-9);
    const Triangle corners = target.mesh().corners(found.triangle);
    const Vec3 normal =
        glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
    ASSERT_LT(glm::distance(found.normal, pose.rotation * normal), 1e-6);
  }
  EXPECT_GT(hits, test::cases(60));
}

TEST(SweptBall, IsThatOfAllTriangles) {
  Random random(45);
  int hits = 0, misses = 0, starts = 0, grazes = 0;
  for (int i = 0; i < test::cases(500); ++i) {
    SCOPED_TRACE(i);
    // Those with area: the oracle needs it
    const RayTarget& target = rayTargets()[static_cast<std::size_t>(i) % 6];
    Ray ray = drawRay(random, target.mesh(), static_cast<RayKind>(random.whole(0, 4)));
    ray.direction = glm::normalize(ray.direction);
    ray.end = random.between(2.0, 10.0);
    ray.radius = i % 4 == 0 ? 1e-4 : random.between(0.01, 1.0);
    if (i % 3 == 0) ray.radius *= 1e-3;
    std::optional<Real> truth;
    for (std::size_t t = 0; t < target.mesh().triangles.size(); ++t)
      if (const auto at = test::firstWithin(ray.origin, ray.direction, ray.end, ray.radius,
                                            target.mesh().corners(t));
          at && (!truth || *at < *truth))
        truth = at;
    const RayHit found = raycast(target.shape, {}, ray);
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.lower, truth.value_or(ray.end) + 1e-12);
    if (!found.hit()) {
      ASSERT_FALSE(truth);
      ++misses;
      continue;
    }
    const Vec3 centre = ray.origin + found.t * ray.direction;
    const Real gap = test::distanceTo(target.mesh(), centre);
    ASSERT_LE(gap, ray.radius + (ray.radius > 0.01 ? 2e-8 : 2e-6));
    ASSERT_LE(glm::distance(found.point, centre), ray.radius + (ray.radius > 0.01 ? 2e-8 : 2e-6));
    grazes += !truth;
    if (!truth) continue;
    ++hits;
    starts += *truth == 0.0;
    ASSERT_LE(found.t, *truth + 1e-12);
    if (*truth == 0.0) continue;
    ASSERT_LT(glm::distance(found.normal * gap, centre - found.point), 1e-9);
  }
  EXPECT_GT(hits, test::cases(200));
  EXPECT_GT(misses, test::cases(30));
  EXPECT_GT(starts, test::cases(30));
  EXPECT_LT(grazes, test::cases(5));
}

TEST(SweptBall, MeetsWallsWhereGeometrySays) {
  const Shape cube = Shape::of(Polyhedron(test::cube(1.0)));
  const auto at = [&](const Vec3& origin, const Vec3& direction, Real radius) {
    return raycast(cube, {}, {origin, direction, endless, radius});
  };
  const RayHit face = at({5, 0.3, 0.2}, {-2, 0, 0}, 0.5);
  EXPECT_NEAR(face.t, 1.75, 1e-8);
  EXPECT_LT(glm::distance(face.point, Vec3(1, 0.3, 0.2)), 1e-8);
  EXPECT_LT(glm::distance(face.normal, Vec3(1, 0, 0)), 1e-8);
  // Past an edge by 0.3, and past a corner
  const RayHit edge = at({5, 1.3, 0.2}, {-1, 0, 0}, 0.5);
  EXPECT_NEAR(edge.t, 4.0 - 0.4, 1e-8);
  const RayHit corner = at({5, 1.3, 1.0}, {-1, 0, 0}, 0.5);
  EXPECT_NEAR(corner.t, 4.0 - 0.4, 1e-8);
  EXPECT_FALSE(at({5, 1.501, 0.2}, {-1, 0, 0}, 0.5).hit());
  EXPECT_NEAR(at({1e9, 0.3, 0.2}, {-1, 0, 0}, 0.5).t, 1e9 - 1.5, 1e-5);
  EXPECT_EQ(at({1.2, 0, 0}, {1, 0, 0}, 0.5).t, 0.0);
}

TEST(Raycast, KnowsTheNormalOfANeedle) {
  const Real e = std::numeric_limits<Real>::epsilon();
  TriangleMesh mesh;
  mesh.triangles = {{0, 1, 2}};
  const auto normalAt = [&mesh](const Vec3& at) {
    const RayHit hit = raycast(Shape::of(Polyhedron(mesh)), {}, {at + Vec3(0, 0, 3)});
    EXPECT_EQ(hit.t, 3.0);
    return hit.normal;
  };
  // Rounding loses its area
  mesh.positions = {{0, 0, 0}, {1 + e, 1, 0}, {1 + 2 * e, 1 + e, 0}};
  EXPECT_EQ(normalAt(mesh.positions[1]), Vec3(0, 0, 1));
  // Without area
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}};
  EXPECT_EQ(normalAt(mesh.positions[2]), Vec3(0.0));
}

TEST(Raycast, IsBoundedWhereverTimeRunsOut) {
  Random random(46);
  const Shape shape = Shape::of(Polyhedron(test::spikyStar(3, 60, 90)));
  WorkClock clock;
  RayQuery query;
  int stops = 0, hits = 0, raised = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    Ray ray{random.inCube(1.5)};
    ray.direction = random.inCube(0.7) - ray.origin;
    if (i % 2 == 0) ray.radius = random.between(0.0, 0.4);
    if (i % 5 == 0) ray.end = random.between(0.0, 2.0);
    const RayHit whole = raycast(shape, {}, ray);
    hits += whole.hit();
    query.begin(shape, {}, ray);
    RayHit last = query.known();
    ASSERT_TRUE(last.canRefine);
    while (last.canRefine) {
      const RayHit now = query.refine(TimeBudget(clock, {}));
      ++stops;
      raised += now.canRefine && now.lower > 0.0;
      ASSERT_LE(now.lower, whole.hit() ? whole.t : ray.end);
      ASSERT_GE(now.lower, last.lower * (1.0 - 1e-12));
      ASSERT_GE(now.t, whole.t);
      ASSERT_LE(now.t, last.t);
      if (now.canRefine) {
        // The same question with as little time from the start
        const RayHit again = raycast(shape, {}, ray, TimeBudget(clock, {}));
        ASSERT_LE(again.lower, whole.hit() ? whole.t : ray.end);
        ASSERT_GE(again.t, whole.t);
      }
      last = now;
    }
    ASSERT_EQ(last.t, whole.t);
    ASSERT_EQ(last.lower, whole.lower);
    ASSERT_EQ(last.triangle, whole.triangle);
    ASSERT_EQ(last.point, whole.point);
  }
  EXPECT_GT(hits, 150 * test::campaignFactor());
  EXPECT_GT(stops, 800 * test::campaignFactor());
  EXPECT_GT(raised, 100 * test::campaignFactor());
}

}  // namespace
}  // namespace nearmiss
