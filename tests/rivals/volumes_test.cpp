// SPDX-License-Identifier: MIT
/// Volumes around points: they hold them, and are apart only where they have no point in common.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/convex_polytope.h"
#include "geometry/gjk.h"
#include "rivals/bounding_volumes.h"
#include "rivals/hull_volume.h"
#include "rivals/swept_volumes.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

/// A pose whose axes are nearly or exactly those of the other body, now and then.
Pose poseOf(Random& random, int i) {
  Pose pose{random.inCube(2.0), random.rotation()};
  if (i % 4 == 1) pose.rotation = glm::identity<Quat>();
  if (i % 4 == 2) pose.rotation = glm::normalize(Quat(1.0, 1e-9, -2e-9, 1e-10));
  return pose;
}

/// Clouds of all kinds: thick, flat, needles, single points, far from the origin.
std::vector<Vec3> cloud(Random& random, int i) {
  std::vector<Vec3> points;
  const int count = i % 7 == 0 ? 1 : 3 + static_cast<int>(random.bits() % 20);
  Vec3 shape(1.0);
  if (i % 3 == 1) shape.z = 0.0;
  if (i % 5 == 2) shape.y = shape.z = 1e-4;
  const Vec3 middle = random.inCube(i % 6 == 3 ? 100.0 : 1.0);
  const Quat turn = i % 2 == 0 ? glm::identity<Quat>() : random.rotation();
  for (int k = 0; k < count; ++k) points.push_back(middle + turn * (shape * random.inCube(1.0)));
  return points;
}

/// A point of the hull of a cloud: often one of its corners or edges.
Vec3 pointOf(Random& random, const std::vector<Vec3>& points) {
  const Vec3& p = points[random.bits() % points.size()];
  const Vec3& q = points[random.bits() % points.size()];
  const Vec3& r = points[random.bits() % points.size()];
  if (random.chance(0.4)) return p;
  const Real s = random.unit(), t = random.chance(0.5) ? 0.0 : random.unit() * (1.0 - s);
  return p + s * (q - p) + t * (r - p);
}

template <class Volume>
class EveryVolume : public testing::Test {};
using Volumes = testing::Types<BallVolume, AlignedBoxVolume, TurnedBoxVolume, SlabVolume,
                               SweptPoint, SweptSegment, SweptRectangle, GjkVolume, LinCannyVolume>;
TYPED_TEST_SUITE(EveryVolume, Volumes);

TYPED_TEST(EveryVolume, HoldsItsPointsAndIsHeldByItsBall) {
  using Volume = TypeParam;
  Random random(1);
  for (int i = 0; i < cases(3000); ++i) {
    const auto points = cloud(random, i);
    const Volume volume = Volume::around(points);
    const Sphere ball = volume.enclosing();
    const Vec3 from = random.inCube(3.0);
    const Real reach = volume.reachFrom(from), size = 1e-12 * (reach + glm::length(from) + 200.0);
    for (const Vec3& p : points) {
      EXPECT_LE(glm::distance(p, ball.centre), ball.radius + size);
      EXPECT_LE(glm::distance(p, from), reach + size);
    }
    // What the ball holds, the volume reaches no farther than
    EXPECT_LE(reach, (glm::distance(from, ball.centre) + ball.radius) * (1.0 + 1e-12) + size);
  }
}

/// Two clouds moved so that a point of one comes to lie on a point of the other.
TYPED_TEST(EveryVolume, IsNeverApartFromOneThatItMeets) {
  using Volume = TypeParam;
  using Motion = typename Volume::Motion;
  Random random(2);
  for (int i = 0; i < cases(30000); ++i) {
    const auto a = cloud(random, i), b = cloud(random, static_cast<int>(random.bits() % 1000));
    Pose pose = poseOf(random, i);
    const Vec3 p = pointOf(random, a), q = pointOf(random, b);
    pose.position = p - pose.rotation * q;
    const Real slack = 1e-9 * (glm::length(p) + glm::length(q) + glm::length(pose.position) + 1.0);
    const Motion motion(pose, slack);
    EXPECT_FALSE(apart(Volume::around(a), Volume::around(b), motion)) << i;
  }
}

/// Far volumes are reported as apart; near ones by how well the volume fits.
TYPED_TEST(EveryVolume, IsApartFromWhatIsFarAway) {
  using Volume = TypeParam;
  using Motion = typename Volume::Motion;
  Random random(3);
  int near = 0, told = 0;
  for (int i = 0; i < cases(4000); ++i) {
    const auto a = cloud(random, i), b = cloud(random, i + 1);
    const Volume own = Volume::around(a), other = Volume::around(b);
    Pose pose = poseOf(random, i);
    const Sphere ballA = own.enclosing(), ballB = other.enclosing();
    const Vec3 way = random.direction();
    const Real touch = ballA.radius + ballB.radius;
    const auto apartAt = [&](Real distance) {
      pose.position = ballA.centre + distance * way - pose.rotation * ballB.centre;
      return apart(own, other, Motion(pose, 1e-7));
    };
    EXPECT_TRUE(apartAt(2.0 * touch + 1e-3)) << i;
    ++near;
    told += apartAt(0.9 * touch);
  }
  if (std::is_same_v<Volume, BallVolume> || std::is_same_v<Volume, SweptPoint>) return;
  EXPECT_GT(told, near / 4) << "balls alone would say never";
}

/// The corners of the point, segment or rectangle that a ball is swept over.
ConvexPolytope coreOf(const SweptVolume& volume) {
  std::vector<Vec3> corners;
  for (const Real x : {-1.0, 1.0})
    for (const Real y : {-1.0, 1.0})
      corners.push_back(volume.centre + x * volume.half[0] * volume.axes[0] +
                        y * volume.half[1] * volume.axes[1]);
  return ConvexPolytope(convexHull(corners));
}

/// One routine for points, segments and rectangles in any combination: its gap is never above the
/// distance of the cores less both radii, which GJK gives, and two points have just that.
TEST(SweptVolumes, AreComparedByOneRoutineWhateverTheirKinds) {
  Random random(5);
  std::array<std::array<Real, 3>, 3> share{};
  std::array<std::array<int, 3>, 3> count{};
  for (int i = 0; i < cases(9000); ++i) {
    const auto kindA = static_cast<std::size_t>(i % 3), kindB = static_cast<std::size_t>(i / 3 % 3);
    const auto volume = [&](std::size_t kind) -> SweptVolume {
      std::vector<Vec3> points;
      const Vec3 size(1.0, random.between(0.3, 1.0), random.between(0.05, 0.3));
      const Quat turn = random.rotation();
      for (int k = 0; k < 12; ++k) points.push_back(turn * (size * random.inCube(1.0)));
      if (kind == 0) return SweptPoint::around(points);
      if (kind == 1) return SweptSegment::around(points);
      return SweptRectangle::around(points);
    };
    const SweptVolume a = volume(kindA), b = volume(kindB);
    const Pose pose{random.direction() * random.between(0.0, 6.0), random.rotation()};
    const VolumeMotion motion(pose, 0.0);
    const Real exact =
        gjkDistance(ConvexPair(coreOf(a), coreOf(b), motion.axes, motion.position)).upper -
        a.radius - b.radius;
    const Real gap = gapBetween(a, b, motion, std::numeric_limits<Real>::infinity());
    ASSERT_LE(gap, std::max(exact, 0.0) + 1e-9) << i;
    EXPECT_EQ(apart(a, b, motion), gap > 0.0);
    if (exact < 0.1) continue;
    share[kindA][kindB] += gap / exact;
    ++count[kindA][kindB];
  }
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t q = 0; q < 3; ++q) {
      ASSERT_GT(count[p][q], cases(200));
      EXPECT_GT(share[p][q] / count[p][q], p + q == 0 ? 1.0 - 1e-9 : 0.85) << p << " " << q;
    }
}

TEST(SlabSum, IsTheDirectionWithFactorsThatAreNotNegative) {
  Random random(4);
  for (int i = 0; i < cases(20000); ++i) {
    Vec3 direction = random.direction();
    if (i % 5 == 0) direction[static_cast<int>(random.bits() % 3)] = 0.0;
    if (i % 11 == 0) direction = Vec3(0.0, random.chance(0.5) ? 1.0 : -1.0, 0.0);
    const SlabSum sum = slabSumOf(direction);
    Vec3 all(0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(sum.factor[k], 0.0);
      const auto& d = slabDirections[sum.slab[k]];
      all += (sum.reversed[k] ? -sum.factor[k] : sum.factor[k]) * Vec3(d[0], d[1], d[2]);
    }
    EXPECT_LT(glm::distance(all, direction), 1e-15);
  }
}

}  // namespace
}  // namespace nearmiss
