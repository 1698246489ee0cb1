// SPDX-License-Identifier: MIT
/// What a solver needs of a manifold: moving out along its points parts what overlaps by little.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "contact/contact_body.h"
#include "support/bounded_penetration.h"
#include "support/box_solids.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

/// Solids with sharp edges and blunt ones, thin and thick.
std::vector<Shape> solids() {
  const std::vector<Box> angle{{{0, 0, -0.1}, {1, 0.2, 0.1}}, {{0, 0, -0.1}, {0.2, 1, 0.1}}};
  std::vector<Shape> made;
  for (TriangleMesh mesh : {test::cube(), test::tetrahedron(), test::sphere(7, 9),
                            test::torus(12, 6), test::bedOfNails(3), test::comb(),
                            test::spikyStar(1, 7, 9), test::box({-1, -1, -0.05}, {1, 1, 0.05}),
                            test::box({-0.05, -0.05, -1}, {0.05, 0.05, 1}), test::meshOf(angle)})
    made.push_back(test::treelessShape(std::move(mesh)));
  return made;
}

struct Contact {
  const Shape& a;
  const Shape& b;
  Pose poseA, poseB;
  Real deep = 0.0;  ///< metres that a was moved on after the first touch
};

/// A turn of right angles about axes.
Quat rightAngles(Random& random) {
  Quat turn(1, 0, 0, 0);
  const Real half = std::sqrt(0.5);
  const int turns = random.whole(0, 3);
  for (int i = 0; i < turns; ++i)
    turn = turn * (random.chance(0.5) ? Quat(half, half, 0, 0) : Quat(half, 0, 0, half));
  return turn;
}

/// Moves one solid against another until they touch, and a little on; nullopt where it passes by.
std::optional<Contact> drawn(Random& random, const std::vector<Shape>& shapes) {
  const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
  const bool aligned = random.chance(0.5);
  const Quat turnA = aligned ? rightAngles(random) : random.rotation();
  const Quat turnB = aligned ? rightAngles(random) : random.rotation();
  const Quat frame = random.rotation();
  Vec3 way = random.direction(), beside = random.inCube(0.5);
  if (aligned) {
    way = Vec3(0.0);
    way[random.whole(0, 2)] = 1.0;
    beside = random.onLattice(4) / 8.0;
  }
  const Pose poseB{random.inCube(10.0), frame * turnB};
  Pose poseA{poseB.position + frame * (beside + 6.0 * way), frame * turnA};
  way = frame * way;
  const Real deep = std::pow(10.0, random.between(-5.0, -1.8));
  constexpr Real touching = 1e-9;
  for (Real moved = 0.0; moved < 12.0;) {
    const DistanceBounds now = distance(a, poseA, b, poseB);
    if (now.upper < touching) {
      poseA.position -= deep * way;
      return Contact{a, b, poseA, poseB, deep};
    }
    const Real gap = std::max(now.lower, 0.1 * touching);
    poseA.position -= gap * way;
    moved += gap;
  }
  return std::nullopt;
}

/// The least that a body has to move so that every point is as far out as it is deep.
Vec3 outOf(const std::vector<ManifoldPoint>& points) {
  constexpr Real further = 1e-7;
  std::vector<Real> pushed(points.size(), 0.0);
  Vec3 by(0.0);
  for (int round = 0; round < 100; ++round)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Real left = points[i].depth + further - glm::dot(points[i].normal, by);
      const Real push = std::max(0.0, pushed[i] + left);
      by += (push - pushed[i]) * points[i].normal;
      pushed[i] = push;
    }
  return by;
}

/// Moves a out, round after round, until no point is deep; metres in all, or infinity.
Real movedOut(Contact& contact) {
  Real moved = 0.0;
  for (int round = 0; round < 20; ++round) {
    const ContactManifold found =
        contactManifold(contact.a, contact.poseA, contact.b, contact.poseB);
    if (found.points.empty() || found.points.front().depth <= 1e-9) return moved;
    const Vec3 by = outOf(found.points);
    contact.poseA.position += by;
    moved += glm::length(by);
  }
  return std::numeric_limits<Real>::infinity();
}

TEST(ManifoldParting, MovingOutAlongThePointsPartsWhatOverlapsByLittle) {
  const std::vector<Shape> shapes = solids();
  Random random(31);
  int parted = 0, far = 0, ofEdges = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    SCOPED_TRACE(i);
    std::optional<Contact> contact = drawn(random, shapes);
    if (!contact) continue;
    const ContactManifold before =
        contactManifold(contact->a, contact->poseA, contact->b, contact->poseB);
    ASSERT_FALSE(before.points.empty());
    ofEdges += contactKindOf(before.points.front().id) == ContactKind::Edges;
    const Real moved = movedOut(*contact);
    const PenetrationBounds left =
        test::boundedPenetration(contact->a, contact->poseA, contact->b, contact->poseB);
    // Jammed solids may need another way
    far += moved > 5.0 * contact->deep + 1e-6;
    if (!std::isfinite(moved)) continue;
    ASSERT_LT(left.lower, 1e-6) << "no point is deep, and they overlap";
    ++parted;
  }
  EXPECT_GT(parted, test::cases(300));
  EXPECT_GT(ofEdges, test::cases(60));
  EXPECT_LE(far, test::cases(400) / 100);
}

/// Sharp solids in each other, of which neither holds a vertex of the other, and whose edges share
/// less than their faces do.
TEST(ManifoldParting, OfSharpSolidsIsAboutAsDeepAsTheyOverlap) {
  const Shape nails = test::treelessShape(test::bedOfNails(3));
  const Shape comb = test::treelessShape(test::comb());
  const Shape tetrahedron = test::treelessShape(test::tetrahedron());
  const Shape sphere = test::treelessShape(test::sphere(7, 9));
  const auto turn = [](Real w, Real x, Real y, Real z) { return glm::normalize(Quat(w, x, y, z)); };
  const std::vector<Contact> contacts{
      {nails,
       comb,
       {{0.364481, -0.762070, 1.994873}, turn(0.144920515, 0.525008509, -0.81874762, -0.181704279)},
       {Vec3(0.0), turn(0.148026881, -0.008505295, -0.11874354, 0.981792073)}},
      {tetrahedron,
       sphere,
       {{0.482818, 1.504166, -0.941884}, turn(0.241817051, 0.227156208, -0.42378583, -0.842810857)},
       {Vec3(0.0), turn(0.852184138, -0.197219443, -0.301671787, 0.379316253)}}};
  int stops = 0;
  for (const Contact& contact : contacts) {
    const PenetrationBounds truth =
        test::boundedPenetration(contact.a, contact.poseA, contact.b, contact.poseB);
    ASSERT_GT(truth.lower, 0.002);
    const ContactManifold found =
        contactManifold(contact.a, contact.poseA, contact.b, contact.poseB);
    ASSERT_FALSE(found.points.empty());
    EXPECT_GT(found.points.front().depth, 0.4 * truth.lower);
    EXPECT_LT(found.points.front().depth, 1.1 * truth.upper);

    // Stopped between any two steps it finds the same
    ManifoldQuery query;
    query.begin(contact.a, contact.poseA, contact.b, contact.poseB);
    WorkClock clock;
    auto before = clock.now();
    while (query.refine(TimeBudget(clock, {})).canRefine) {
      ++stops;
      ASSERT_LT(clock.now() - before, std::chrono::microseconds(100));
      before = clock.now();
    }
    const ContactManifold& last = query.refine();
    ASSERT_EQ(last.points.size(), found.points.size());
    EXPECT_EQ(last.points.front().id, found.points.front().id);
    EXPECT_EQ(last.points.front().depth, found.points.front().depth);
  }
  EXPECT_GT(stops, 1);
}

}  // namespace
}  // namespace nearmiss
