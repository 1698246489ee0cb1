// SPDX-License-Identifier: MIT
/// Two hostile numbers at once in the states of bodies: detectors with every broad phase, sets of
/// bodies, rays and points among bodies, and searches for meetings. What is refused changes
/// nothing; what is answered is what the pairs alone answer.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/meeting_search.h>
#include <nearmiss/world.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "support/checked_values.h"
#include "support/hostile_pairs.h"
#include "support/queried_shapes.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const BroadPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::HostileNumbers;
using test::ifSound;
using test::put;
using test::queriedShapes;
using test::Told;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
const TimeBudget unlimited = TimeBudget::unlimited();

const Shape& cubeShape() { return queriedShapes().shapes[0]; }
const Shape& ballShape() { return queriedShapes().shapes[1]; }

/// A cube with a cutting plane, and a body of a link, that touch.
struct TwoHostile {
  std::array<CuttingPlane, 1> planes{CuttingPlane{{0.0, 0.6, 0.8}, 0.5}};
  std::array<Link, 1> links{Link{queriedShapes().shapes.ref(1), {{0.5, 0.0, 0.0}}}};
  std::array<BodyState, 2> bodies;
  Real time = 1.0, reach = 4.0;

  TwoHostile() {
    bodies[0].shape = queriedShapes().shapes.ref(0);
    bodies[0].planes = planes;
    bodies[0].accelerationBound = 2.0;
    bodies[0].boundHoldsUntil = 3.0;
    bodies[1].key = 1;
    bodies[1].links = links;
    bodies[1].pose.position.x = -0.25;
    bodies[1].velocity.x = 1.0;
  }
  HostileNumbers numbers() {
    HostileNumbers all;
    for (BodyState& body : bodies)
      all.pose(body.pose)
          .vector("velocity", body.velocity)
          .number("accelerationBound", body.accelerationBound)
          .number("boundHoldsUntil", body.boundHoldsUntil);
    all.vector("direction", planes[0].direction).number("reverse", planes[0].reverse);
    // A link beyond the reach of its body is named as that
    for (Real* part : {&links[0].pose.position.x, &links[0].pose.position.y})
      all.number("links[0]", *part);
    return all.number("radius", reach).number("time", time);
  }
  void takeReach() { bodies[1].shape = ShapeRef::ofRadius(reach, 1); }

  [[nodiscard]] bool touch() const {
    const Link link = linkOf(bodies[1], 0);
    return collide(cubeShape(), bodies[0].pose, ballShape(), link.pose).verdict == Verdict::Contact;
  }
};

class EveryBroadPhase : public testing::TestWithParam<BroadPhaseEntry> {
 protected:
  [[nodiscard]] static Detector made() {
    const Shapes& shapes = queriedShapes().shapes;
    return {makeBroadPhase(GetParam(), shapes), makeSphereTreeNarrowPhase(shapes)};
  }
};

TEST_P(EveryBroadPhase, RefusesPairsOfHostileNumbersOrDetects) {
  Detector kept = made();
  TwoHostile two;
  int touched = 0;
  std::uint32_t epoch = 0;
  two.numbers().tryAll([&] {
    two.takeReach();
    for (BodyState& body : two.bodies) body.motionEpoch = epoch;
    ++epoch;
    Told told;
    const auto sound = checkBodies(two.bodies, two.time, &queriedShapes().shapes);
    told.refused = !sound;
    if (!sound) {
      told.sentence = sound.error().message;
      return told;
    }
    const Detection& detection = kept.detect(two.bodies, two.time, unlimited);
    put(told.numbers, detection.time, detection.noContactBefore);
    bool contact = false;
    for (const DetectedPair& pair : detection.pairs) {
      put(told.numbers, pair.refinement.separationBound, pair.refinement.separationEstimate,
          pair.waited.since);
      contact = contact || pair.refinement.verdict == Verdict::Contact;
    }
    if (contact != two.touch()) told.fault = contact ? "an invented contact" : "a missed contact";
    touched += contact;
    return told;
  });
  EXPECT_GT(touched, 100);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryBroadPhase, testing::ValuesIn(broadPhaseCatalog()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

TEST(HostileBodies, OfRepeatedDetections) {
  TwoHostile two;
  two.takeReach();
  const Shapes& shapes = queriedShapes().shapes;
  Detector detector(makeSpaceTimeGridBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  GrantedWork granted;
  granted.take(detector.detect(two.bodies, two.time, unlimited));
  granted.postponedBodies.push_back({1, {0.5, 1}});
  HostileNumbers numbers;
  numbers.pose(two.bodies[0].pose)
      .number("time", two.time)
      .number("noContactBefore", granted.noContactBefore)
      .number("since", granted.postponedBodies[0].wait.since);
  numbers.tryAll([&] {
    Told told;
    const auto found = ifSound({check(granted, two.bodies.size(), two.time),
                                checkBodies(two.bodies, beforeExpiry, &shapes)},
                               [&] { return &detector.repeat(two.bodies, two.time, granted); });
    told.refused = !found;
    if (!found) {
      told.sentence = found.error().message;
      return told;
    }
    put(told.numbers, (*found)->time, (*found)->noContactBefore);
    for (const PostponedBody& left : (*found)->postponedBodies) put(told.numbers, left.wait.since);
    return told;
  });
}

TEST(HostileBodies, OfASet) {
  World world;
  const BodyHandle first = *world.add(cubeShape(), Pose{});
  const Pose home{{0.5, 0.0, 0.0}};
  const BodyHandle second = *world.add(ballShape(), home);
  Pose poses[2]{{}, home};
  Real within = 5.0;
  HostileNumbers numbers;
  ManifoldSettings settings{0.01, 4};
  numbers.pose(poses[0]).pose(poses[1]).number("within", within).number("margin", settings.margin);
  int touched = 0;
  numbers.tryAll([&] {
    Told told;
    const auto placed = world.setPose(first, poses[0]);
    const auto added = world.add(ballShape(), poses[1]);
    const auto nearest = world.minDistance(within);
    const auto contacts = world.contacts(settings);
    told.refused = !placed || !added || !nearest || !contacts;
    if (!placed && world.poseOf(first)->position != Vec3(0.0))
      told.fault = "a refused pose is taken";
    if (world.size() != (added ? 3u : 2u)) told.fault = "another number of bodies";
    const auto found = world.collisions();
    if (!found) told.fault = found.error().message;
    touched += found && !(*found)->pairs.empty();
    if (nearest) put(told.numbers, nearest->bounds.lower, nearest->bounds.upper);
    if (added && !world.remove(*added)) told.fault = "an added body cannot be removed";
    if (!world.setPose(first, {})) told.fault = "a sound pose is refused";
    if (!placed)
      told.sentence = placed.error().message;
    else if (!added)
      told.sentence = added.error().message;
    else if (!nearest)
      told.sentence = nearest.error().message;
    else if (!contacts)
      told.sentence = contacts.error().message;
    return told;
  });
  EXPECT_GT(touched, 1000);
  EXPECT_EQ(world.handles(), (std::vector{first, second}));
}

TEST(HostileBodies, OfRaysAndPointsAmongBodies) {
  Pose poses[2]{{}, {{0.5, 0.0, 0.0}}};
  World world;
  const BodyHandle bodies[2]{*world.add(cubeShape(), poses[0]), *world.add(ballShape(), poses[1])};
  Ray ray{{0.0, 0.0, 3.0}};
  Vec3 point(0.0, 0.0, 1.0);
  Real reach = infinity;
  HostileNumbers numbers;
  numbers.pose(poses[0])
      .pose(poses[1])
      .vector("origin", ray.origin)
      .vector("direction", ray.direction)
      .number("end", ray.end)
      .number("radius", ray.radius)
      .vector("point", point)
      .number("reach", reach);
  std::vector<BodyHandle> containing;
  numbers.tryAll([&] {
    Told told;
    const auto moved = world.setPose(bodies[0], poses[0]);
    const auto turned = world.setPose(bodies[1], poses[1]);
    const auto hit = world.raycast(ray);
    const auto nearest = world.nearestPoint(point, reach);
    const auto held = world.containing(point, containing);
    told.refused = !moved || !turned || !hit || !nearest || !held;
    if (!moved)
      told.sentence = moved.error().message;
    else if (!turned)
      told.sentence = turned.error().message;
    else if (!hit)
      told.sentence = hit.error().message;
    else if (!nearest)
      told.sentence = nearest.error().message;
    else if (!held)
      told.sentence = held.error().message;
    if (hit) put(told.numbers, hit->lower, hit->t, hit->point, hit->normal);
    if (nearest) put(told.numbers, nearest->lower, nearest->upper, nearest->point);
    return told;
  });
}

}  // namespace
}  // namespace nearmiss
