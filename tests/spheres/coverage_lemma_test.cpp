// SPDX-License-Identifier: MIT
/// The boundary lemma: what it calls covered is covered, however the spheres lie.
#include "spheres/coverage.h"

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "builders/surface_partition.h"
#include "geometry/closest_points.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr Sphere everywhere{Vec3(0.0), 1e9};

/// How far the least covered of many points that the triangle has in `clip` is outside of all
/// spheres; below 0: how far it is inside.
Real maxGap(const Triangle& t, const std::vector<Sphere>& spheres, int steps,
            const Sphere& clip = everywhere) {
  Real greatest = -1e9;
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; i + j <= steps; ++j) {
      const Vec3 p = t[0] + (t[1] - t[0]) * (1.0 * i / steps) + (t[2] - t[0]) * (1.0 * j / steps);
      if (glm::distance(p, clip.centre) > clip.radius) continue;
      Real gap = 1e9;
      for (const Sphere& s : spheres) gap = std::min(gap, glm::distance(p, s.centre) - s.radius);
      greatest = std::max(greatest, gap);
    }
  return greatest;
}

Triangle randomTriangle(Random& random, bool lattice) {
  for (;;) {
    Triangle t;
    for (Vec3& corner : t) corner = lattice ? random.onLattice(3) : random.inCube(3.0);
    if (glm::length(glm::cross(t[1] - t[0], t[2] - t[0])) > 0.1) return t;
  }
}

std::vector<Sphere> randomSpheres(Random& random, const Triangle& t, bool lattice) {
  std::vector<Sphere> spheres;
  for (int k = random.whole(0, 12); k > 0; --k) {
    Vec3 centre = t[0] + (t[1] - t[0]) * random.unit() + (t[2] - t[0]) * random.unit();
    if (lattice) centre = glm::round(centre);
    const Real radius = lattice ? random.whole(1, 3) : random.between(0.2, 2.5);
    spheres.push_back({centre + (lattice ? Vec3(0.0) : random.inCube(0.5)), radius});
    // Equal spheres, and mirror images, which cut the same circle
    if (random.chance(0.2)) spheres.push_back(spheres.back());
  }
  return spheres;
}

/// The answer of the lemma must agree with `gap`, the greatest among many points. A point that it
/// names is one of the triangle in `clip`, outside of all spheres but for rounding.
void expectRight(const std::optional<Vec3>& uncovered, const Triangle& t,
                 const std::vector<Sphere>& spheres, Real gap, const Sphere& clip = everywhere) {
  if (!uncovered) {
    EXPECT_LE(gap, 1e-12);
    return;
  }
  EXPECT_LE(glm::distance(closestOnTriangle(*uncovered, t), *uncovered), 1e-6);
  EXPECT_LE(glm::distance(*uncovered, clip.centre), clip.radius * (1.0 + 1e-6));
  for (const Sphere& s : spheres)
    EXPECT_GE(glm::distance(*uncovered, s.centre), s.radius * (1.0 - 1e-6));
}

TEST(BoundaryLemma, IsNeverWrongAboutCover) {
  Random random(5);
  int covered = 0;
  const int count = test::cases(4000), steps = 50;
  for (int i = 0; i < count; ++i) {
    const bool lattice = random.chance(0.5);
    const Triangle t = randomTriangle(random, lattice);
    const std::vector<Sphere> spheres = randomSpheres(random, t, lattice);
    const auto uncovered = uncoveredPoint(t, spheres);
    const Real gap = maxGap(t, spheres, steps);
    SCOPED_TRACE(testing::Message() << "case " << i);
    expectRight(uncovered, t, spheres, gap);
    covered += !uncovered;
    // Had the whole triangle been well inside, there would be no such point
    if (uncovered) {
      EXPECT_GT(gap, -0.2);
    }
  }
  EXPECT_GT(covered, count / 10);
  EXPECT_LT(covered, count * 9 / 10);
}

TEST(BoundaryLemma, IsNeverWrongAboutCoverInAClippingDisk) {
  Random random(6);
  int covered = 0, only = 0, untouched = 0;
  const int count = test::cases(4000), steps = 60;
  for (int i = 0; i < count; ++i) {
    const bool lattice = random.chance(0.5);
    const Triangle t = randomTriangle(random, lattice);
    const std::vector<Sphere> spheres = randomSpheres(random, t, lattice);
    Sphere clip{t[0] + (t[1] - t[0]) * random.unit() + (t[2] - t[0]) * random.unit(), 0.0};
    if (lattice) clip.centre = glm::round(clip.centre);
    // Now and then one of the spheres itself, or one that does not reach the triangle
    clip.radius = lattice ? random.whole(1, 2) : random.between(0.05, 1.5);
    if (!spheres.empty() && random.chance(0.1)) clip = spheres.front();
    if (random.chance(0.1)) clip.centre += 3.0 * random.direction();
    const auto uncovered = uncoveredPoint(t, spheres, clip);
    const Real gap = maxGap(t, spheres, steps, clip);
    SCOPED_TRACE(testing::Message() << "case " << i);
    expectRight(uncovered, t, spheres, gap, clip);
    if (uncovered) continue;
    ++covered;
    only += uncoveredPoint(t, spheres).has_value();
    untouched += gap == -1e9;
  }
  EXPECT_GT(covered, count / 5);
  EXPECT_LT(covered, count * 9 / 10);
  EXPECT_GT(only, count / 10) << "cases that only the clipping disk makes covered";
  EXPECT_GT(untouched, 0);
}

TEST(GrowingCover, FindsTheSamePointsAsSearchesFromTheBeginning) {
  Random random(7);
  int rounds = 0, covered = 0;
  const int count = test::cases(1000);
  for (int i = 0; i < count; ++i) {
    const bool lattice = random.chance(0.5);
    const Triangle t = randomTriangle(random, lattice);
    std::vector<Sphere> spheres = randomSpheres(random, t, lattice);
    if (spheres.empty()) continue;
    const Sphere clip{t[0] + (t[1] - t[0]) * random.unit(), random.between(0.5, 1.5)};
    const bool clipped = random.chance(0.5);
    GrowingCover cover(t, clipped ? &clip : nullptr);
    for (const Sphere& s : spheres) cover.add(s);
    for (int round = 0; round < 40; ++round, ++rounds) {
      const auto expected = clipped ? uncoveredPoint(t, spheres, clip) : uncoveredPoint(t, spheres);
      const auto open = cover.uncoveredPoint(nullptr);
      ASSERT_EQ(open, expected) << "case " << i << ", round " << round;
      covered += !open;
      if (!open) break;
      const auto k =
          static_cast<std::size_t>(random.whole(0, static_cast<int>(spheres.size()) - 1));
      Sphere& ball = spheres[k];
      // To the point and a little beyond, or somewhere: disks swallow others either way
      ball.radius = random.chance(0.3)
                        ? std::max(ball.radius, 1.005 * glm::distance(ball.centre, *open))
                        : ball.radius * random.between(1.0, 1.1);
      cover.grow(k, ball);
    }
  }
  EXPECT_GT(covered, count / 3);
  EXPECT_GT(rounds, 2 * count);
}

/// Margins are shares of lengths: powers of two change no digit.
TEST(BoundaryLemma, FindsTheSamePointsAtAnyScale) {
  Random random(8);
  int clipped = 0;
  const int count = test::cases(500);
  for (int i = 0; i < count; ++i) {
    Triangle t = randomTriangle(random, i % 2 == 0);
    std::vector<Sphere> spheres = randomSpheres(random, t, i % 2 == 0);
    Sphere clip{t[0] + (t[1] - t[0]) * random.unit(), random.between(0.5, 1.5)};
    const auto plain = uncoveredPoint(t, spheres), inClip = uncoveredPoint(t, spheres, clip);
    clipped += plain && !inClip;
    const Real scale = i % 4 < 2 ? std::ldexp(1.0, 30) : std::ldexp(1.0, -30);
    for (Vec3& corner : t) corner *= scale;
    for (Sphere& s : spheres) s = {scale * s.centre, scale * s.radius};
    clip = {scale * clip.centre, scale * clip.radius};
    const auto scaled = uncoveredPoint(t, spheres), scaledInClip = uncoveredPoint(t, spheres, clip);
    ASSERT_EQ(plain.has_value(), scaled.has_value()) << i;
    ASSERT_EQ(inClip.has_value(), scaledInClip.has_value()) << i;
    if (plain) {
      EXPECT_EQ(scale * *plain, *scaled) << i;
    }
    if (inClip) {
      EXPECT_EQ(scale * *inClip, *scaledInClip) << i;
    }
  }
  EXPECT_GT(clipped, count / 20);
}

const Triangle unit{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};

TEST(BoundaryLemma, NeedsADiskAtAll) {
  EXPECT_TRUE(uncoveredPoint(unit, {}));
  const std::vector<Sphere> elsewhere{{{5, 5, 0}, 1}, {{0, 0, 9}, 1}};
  EXPECT_TRUE(uncoveredPoint(unit, elsewhere));
}

/// Straight above or below the triangle, where no rounding parts it from its own shadow.
TEST(BoundaryLemma, AClipThatMissesThePlaneAsksForNothing) {
  for (const Real x : {0.0, 0.25, 0.5})
    for (const Real height : {-2.0, 0.75, 3.0}) {
      EXPECT_FALSE(uncoveredPoint(unit, {}, {{x, 0.25, height}, 0.5}));
      EXPECT_TRUE(uncoveredPoint(unit, {}, {{x, 0.25, height}, 3.5}));
    }
}

TEST(BoundaryLemma, OneSphereThatHoldsTheTriangleIsEnough) {
  const std::vector<Sphere> one{{{0.3, 0.3, 0.2}, 2}};
  EXPECT_FALSE(uncoveredPoint(unit, one));
}

TEST(BoundaryLemma, TwoEqualDisksDoNotHideEachOthersRim) {
  const std::vector<Sphere> twins{{{0, 0, 0}, 0.7}, {{0, 0, 0}, 0.7}};
  EXPECT_TRUE(uncoveredPoint(unit, twins));
  // Mirror images about the plane cut the same disk as well
  const std::vector<Sphere> mirrored{{{0, 0, 0.3}, 0.7}, {{0, 0, -0.3}, 0.7}};
  EXPECT_TRUE(uncoveredPoint(unit, mirrored));
}

TEST(BoundaryLemma, KnowsNothingOnceCancelled) {
  const std::vector<Sphere> two{{{0, 0.3, 0}, 0.9}, {{0.9, 0, 0}, 0.9}};
  const Triangle needle{Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{1, 0, 0}};
  std::atomic<bool> cancelled{false};
  for (const Triangle& triangle : {unit, needle}) {
    EXPECT_FALSE(uncoveredPoint(triangle, two, &cancelled));
    EXPECT_FALSE(openPoint(triangle, two, &cancelled));
  }
  cancelled = true;
  for (const Triangle& triangle : {unit, needle}) {
    EXPECT_TRUE(uncoveredPoint(triangle, two, &cancelled));
    EXPECT_TRUE(uncoveredPoint(triangle, two, Sphere{{0.3, 0.3, 0}, 2.0}, &cancelled));
    EXPECT_TRUE(openPoint(triangle, two, &cancelled));
  }
}

/// Slivers, in whose planes the lemma is too imprecise, under a chain of balls.
TEST(OpenPoint, IsNoneWherePiecesShowThatASliverIsCovered) {
  Random random(7);
  int doubted = 0;
  const int count = test::cases(200);
  for (int i = 0; i < count; ++i) {
    const Vec3 along = 4.0 * random.direction();
    const Vec3 aside = std::pow(10.0, random.between(-15.0, -12.0)) * random.direction();
    const Vec3 from = random.inCube(100.0);
    const Triangle sliver{from, from + along, from + random.unit() * along + aside};
    std::vector<Sphere> balls;
    for (const Real at : {0.1, 0.37, 0.63, 0.9}) balls.push_back({from + at * along, 0.75});
    doubted += uncoveredPoint(sliver, balls).has_value();
    EXPECT_FALSE(openPoint(sliver, balls)) << i;
    // Without a ball in the middle there is a gap
    balls.erase(balls.begin() + 1);
    const auto open = openPoint(sliver, balls);
    ASSERT_TRUE(open) << i;
  }
  EXPECT_GT(doubted, count / 20);
}

TEST(EnlargingCover, LetsABallWithoutRadiusGrow) {
  const Polyhedron plate(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  // In a corner the first open point is its centre
  for (const Vec3& at : plate.mesh().positions) {
    Sphere ball{at, 0.0};
    Sphere* const balls[]{&ball};
    enlargeUntilCovered(plate, balls, {}, nullptr);
    EXPECT_FALSE(uncoveredPoint(plate.mesh().corners(0), std::span(&ball, 1)));
    EXPECT_LT(ball.radius, 1.5);
  }
}

TEST(BoundaryLemma, SeesAHoleInTheMiddle) {
  // Three disks about the corners leave the middle open until they are large enough
  const auto atCorners = [](Real radius) {
    return std::vector<Sphere>{{unit[0], radius}, {unit[1], radius}, {unit[2], radius}};
  };
  EXPECT_TRUE(uncoveredPoint(unit, atCorners(0.70)));
  EXPECT_FALSE(uncoveredPoint(unit, atCorners(0.72)));
}

/// A needle has no plane to speak of. Builders let balls grow until no point is open: one must
/// cover it in the end.
TEST(BoundaryLemma, TakesNeedlesPieceByPiece) {
  constexpr Real e = std::numeric_limits<Real>::epsilon();
  const std::vector<Sphere> none, around{{{1.0, 1.0, 0.0}, 2.0}}, one{{{0.4, 0.4, 0.0}, 0.9}},
      two{one[0], {{1.6, 1.6, 0.0}, 0.9}};
  const Sphere clip{{0.3, 0.3, 0.0}, 0.3}, aside{{0.3, 0.3, 1.0}, 0.3};
  for (const Real off : {0.0, 1.0, 30.0}) {
    SCOPED_TRACE(off);
    const Triangle needle{Vec3(0.0), Vec3(1.0 + e, 1.0 + (2.0 + off) * e, 0.0),
                          Vec3(2.0, 2.0 + 2.0 * e, 0.0)};
    EXPECT_FALSE(uncoveredPoint(needle, around));
    EXPECT_FALSE(uncoveredPoint(needle, two));
    const auto open = uncoveredPoint(needle, one);
    ASSERT_TRUE(open);
    expectRight(open, needle, one, 0.0);
    EXPECT_FALSE(uncoveredPoint(needle, one, clip));
    EXPECT_FALSE(uncoveredPoint(needle, none, aside));
    const auto inClip = uncoveredPoint(needle, none, clip);
    ASSERT_TRUE(inClip);
    expectRight(inClip, needle, none, 0.0, clip);
  }
  // Of two equal corners, or three
  const Vec3 from(0.0), to(2.0, 2.0, 0.0);
  for (const Triangle& needle : {Triangle{from, from, to}, Triangle{from, to, from},
                                 Triangle{from, to, to}, Triangle{from, from, from}}) {
    EXPECT_FALSE(uncoveredPoint(needle, around));
    EXPECT_FALSE(uncoveredPoint(needle, two));
    EXPECT_TRUE(uncoveredPoint(needle, none));
    EXPECT_EQ(uncoveredPoint(needle, one).has_value(), needle[1] == to || needle[2] == to);
  }
}

/// Balls that overlap by a hair: only tiny pieces show it, unless some halving ends there.
TEST(BoundaryLemma, LeavesANeedleInDoubtAfterManyPieces) {
  const Triangle needle{Vec3(0.0), Vec3(0.5, 0.0, 0.0), Vec3(1.0, 0.0, 0.0)};
  const auto covered = [&needle](int count) {
    const Real radius = 0.5 / count * (1.0 + 1e-7);
    std::vector<Sphere> balls;
    for (int k = 0; k < count; ++k) balls.push_back({{(k + 0.5) / count, 0.0, 0.0}, radius});
    balls.push_back({Vec3(0.0), radius});
    balls.push_back({Vec3(1.0, 0.0, 0.0), radius});
    return !uncoveredPoint(needle, balls);
  };
  EXPECT_TRUE(covered(2));
  EXPECT_FALSE(covered(10));
}

}  // namespace
}  // namespace nearmiss
