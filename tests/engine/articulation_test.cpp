// SPDX-License-Identifier: MIT
/// Ships with joints: where their links are, how far they reach, and that bounds on the ship's
/// motion hold all of them.
#include <engine/flight/articulation.h>
#include <engine/flight/simulation.h>
#include <engine/flight/world.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/space_time_bound.h>

#include <ctime>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "engine/flying.h"
#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using testing::HasSubstr;

constexpr Real pi = std::numbers::pi;

JointedLink linkOf(Real radius, std::size_t parent = 0, const Joint& joint = {}) {
  return {"a link", ShapeRef::ofRadius(radius), parent, joint};
}

Joint randomJoint(Random& random) {
  const Real one = random.between(-pi, pi), other = random.between(-pi, pi);
  Joint joint{random.unit() * random.direction(), random.between(0.1, 9.0) * random.direction(),
              std::min(one, other), std::max(one, other), random.between(0.2, 20.0)};
  if (random.chance(0.1)) joint.high = joint.low;
  if (random.chance(0.1)) joint.pivot = Vec3(0.0);
  return joint;
}

Articulation randomArticulation(Random& random, int most) {
  std::vector<JointedLink> links{linkOf(random.unit())};
  const int count = random.whole(2, most);
  for (int i = 1; i < count; ++i)
    links.push_back(linkOf(random.chance(0.2) ? 0.0 : random.unit(),
                           static_cast<std::size_t>(random.whole(0, i - 1)), randomJoint(random)));
  return *Articulation::make(std::move(links));
}

Real farthest(std::span<const Link> links) {
  Real far = 0.0;
  for (const Link& link : links)
    far = std::max(far, glm::length(link.pose.position) + link.shape.radius());
  return far;
}

/// At both ends of the range the link stands as turned by that angle about the joint, in the frame
/// of its parent, and the joint itself stays where it is.
TEST(Articulation, TurnsLinksAboutTheirJoints) {
  Random random(1);
  for (int i = 0; i < nearmiss::test::cases(500); ++i) {
    const Joint joint = randomJoint(random), second = randomJoint(random);
    const auto made =
        Articulation::make({linkOf(1.0), linkOf(0.5, 0, joint), linkOf(0.25, 1, second)});
    ASSERT_TRUE(made);
    const Vec3 axis = glm::normalize(joint.axis);
    for (const Real share : {0.0, 1.0}) {
      const Pose pose = made->poseOf(1, share);
      EXPECT_EQ(pose.position, joint.pivot);
      const Quat turn = glm::angleAxis(share == 0.0 ? joint.low : joint.high, axis);
      const Vec3 probe = random.direction();
      EXPECT_LT(glm::distance(pose.rotation * probe, turn * probe), 1e-6);
      EXPECT_LT(glm::distance(pose.rotation * axis, axis), 1e-12);
    }
    // The second hangs on the first, wherever that is
    std::vector<Link> links(3);
    made->pose(random.between(0.0, 1000.0), random.unit(), links);
    EXPECT_EQ(links[0].pose.position, Vec3(0.0));
    EXPECT_LT(glm::distance(transformed(links[1].pose, second.pivot), links[2].pose.position),
              1e-9);
  }
}

/// They go to both ends and back within a period, without a jump.
TEST(Articulation, MovesToAndFro) {
  Random random(2);
  for (int i = 0; i < nearmiss::test::cases(60); ++i) {
    const Joint joint{{1.0, 0.0, 0.0},
                      random.direction(),
                      -random.unit(),
                      random.unit(),
                      random.between(0.5, 5.0)};
    const auto made = Articulation::make({linkOf(1.0), linkOf(0.5, 0, joint)});
    const Real phase = random.unit(), start = random.between(0.0, 50.0);
    constexpr int steps = 400;
    const Real dt = joint.period / steps;
    std::vector<Link> links(2);
    Real least = pi, most = -pi, fastest = 0.0;
    Quat before{};
    for (int step = 0; step <= steps; ++step) {
      made->pose(start + step * dt, phase, links);
      const Quat& q = links[1].pose.rotation;
      const Real angle =
          2.0 * std::atan2(glm::dot(Vec3(q.x, q.y, q.z), glm::normalize(joint.axis)), q.w);
      least = std::min(least, angle);
      most = std::max(most, angle);
      if (step > 0) fastest = std::max(fastest, glm::angle(glm::conjugate(before) * q) / dt);
      before = q;
    }
    EXPECT_NEAR(least, joint.low, 0.01);
    EXPECT_NEAR(most, joint.high, 0.01);
    // Half a period for the range, half as fast again in the middle; tangents add a little
    const Real expected = 1.5 * (joint.high - joint.low) / (0.5 * joint.period);
    EXPECT_LE(fastest, 1.1 * expected);
    EXPECT_GT(fastest, 0.9 * expected);
  }
}

TEST(Articulation, ReachesNoFartherThanItSays) {
  Random random(3);
  int tight = 0, simple = 0;
  for (int i = 0; i < nearmiss::test::cases(400); ++i) {
    const Articulation made = randomArticulation(random, 5);
    std::vector<Link> links(made.links().size());
    Real far = 0.0;
    // All joints at any point of their ranges, and often at an end
    for (int k = 0; k < 300; ++k) {
      for (std::size_t l = 0; l < links.size(); ++l) {
        const Real share = random.chance(0.4) ? random.whole(0, 1) : random.unit();
        const Pose own = made.poseOf(l, share);
        links[l] = {made.links()[l].shape,
                    l == 0 ? own : composed(links[made.links()[l].parent].pose, own)};
      }
      far = std::max(far, farthest(links));
      made.pose(random.between(0.0, 1e4), random.unit(), links);
      far = std::max(far, farthest(links));
    }
    ASSERT_LE(far, made.reach());
    if (links.size() > 3) continue;
    ++simple;
    tight += made.reach() < 1.03 * far;
  }
  EXPECT_GT(tight, 0.9 * simple) << "nor much less far";
}

/// A small file may name as many links as there can be, one on the other.
TEST(Articulation, MeasuresLongChainsSoon) {
  std::vector<JointedLink> links{linkOf(0.1)};
  while (links.size() < Articulation::maxLinks)
    links.push_back(
        linkOf(0.1, links.size() - 1,
               {{1.0, 0.3, 0.2}, {0.3, 0.1 * static_cast<Real>(links.size() % 7), 1.0}, -pi, pi}));
  const std::clock_t start = std::clock();
  const auto made = Articulation::make(std::move(links));
  ASSERT_TRUE(made);
  EXPECT_LT(std::clock() - start, test::soon(6));
  std::vector<Link> placed(Articulation::maxLinks);
  for (int i = 0; i < 200; ++i) {
    made->pose(0.37 * i, 0.1, placed);
    ASSERT_LE(farthest(placed), made->reach());
  }
}

/// The space-time bound of a ship with joints holds every link until the bound ends, whatever its
/// joints do meanwhile, and two such ships meet no earlier than their bounds do.
TEST(Articulation, StaysInsideItsSpaceTimeBound) {
  Random random(4);
  int checked = 0, nearEdge = 0, touching = 0;
  for (int i = 0; i < nearmiss::test::cases(120); ++i) {
    World world;
    for (int s = 0; s < 2; ++s) {
      ShipDef def;
      def.articulation = std::make_shared<const Articulation>(randomArticulation(random, 4));
      def.pose = {random.inCube(1.5), random.rotation()};
      def.velocity = random.inCube(2.0);
      def.inverseInertia = {{1.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
      ASSERT_TRUE(world.ships().create(def));
      (void)world.ships().setAngularMomentum(static_cast<std::size_t>(s), random.inCube(2.0));
      const ShipControl control{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                                random.between(-1, 1)};
      world.ships().setControl(static_cast<std::size_t>(s), control, world.time() + 10.0);
    }
    const std::vector<BodyState> start(world.states().begin(), world.states().end());
    std::vector<std::vector<CuttingPlane>> planes;
    std::vector<SpaceTimeBound> bounds;
    for (const BodyState& body : start) {
      planes.emplace_back(body.planes.begin(), body.planes.end());
      bounds.push_back(spaceTimeBound(body, world.time(), world.time() + 10.0));
      bounds.back().planes = planes.back();
    }
    const auto meeting = earliestMeeting(bounds[0], bounds[1]);
    const Real end = std::min(bounds[0].end, bounds[1].end);
    for (int k = 0; k < 12; ++k) {
      world.integrate((end - bounds[0].start) / 13.0);
      const Real t = world.time();
      bool linksMeet = false;
      for (std::size_t s = 0; s < 2; ++s) {
        const BodyState& body = world.states()[s];
        const Box cube = crossSection(bounds[s], t);
        ASSERT_EQ(body.links.size(), body.links.size());
        for (std::uint32_t l = 0; l < linkCount(body); ++l) {
          const Link link = nearmiss::linkOf(body, l);
          ++checked;
          for (int axis = 0; axis < 3; ++axis) {
            const Real low = link.pose.position[axis] - link.shape.radius();
            const Real high = link.pose.position[axis] + link.shape.radius();
            ASSERT_GE(low, cube.low[axis]);
            ASSERT_LE(high, cube.high[axis]);
            nearEdge += low < cube.low[axis] + 0.1 * body.shape.radius() ||
                        high > cube.high[axis] - 0.1 * body.shape.radius();
          }
          const BodyState& other = world.states()[1 - s];
          for (std::uint32_t m = 0; m < linkCount(other); ++m) {
            const Link against = nearmiss::linkOf(other, m);
            linksMeet =
                linksMeet || overlap(Sphere{link.pose.position, link.shape.radius()},
                                     Sphere{against.pose.position, against.shape.radius()}) >= 0.0;
          }
        }
      }
      touching += linksMeet;
      if (linksMeet) {
        ASSERT_TRUE(meeting);
        EXPECT_LE(*meeting, t);
      }
    }
  }
  EXPECT_GT(checked, 1000);
  EXPECT_GT(nearEdge, checked / 100);
  EXPECT_GT(touching, 100);
}

/// Where links are depends on the time alone, not on how it came about.
TEST(Articulation, IsWhereTheTimeSays) {
  Random random(5);
  World steady, hasty;
  for (int s = 0; s < 3; ++s) {
    ShipDef def;
    def.articulation = std::make_shared<const Articulation>(randomArticulation(random, 4));
    for (World* world : {&steady, &hasty}) ASSERT_TRUE(world->ships().create(def));
  }
  for (int i = 0; i < 64; ++i) steady.integrate(1.0 / 64);
  hasty.integrate(1.0);
  ASSERT_EQ(steady.time(), hasty.time());
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t l = 0; l < steady.states()[s].links.size(); ++l)
      EXPECT_EQ(steady.states()[s].links[l].pose.rotation,
                hasty.states()[s].links[l].pose.rotation);

  // One that goes leaves the others theirs
  const Vec3 third = hasty.states()[2].links[1].pose.position;
  hasty.ships().destroy({1, 1});
  ASSERT_EQ(hasty.states().size(), 2u);
  EXPECT_EQ(hasty.states()[1].links[1].pose.position, third);
  hasty.integrate(0.5);
  for (const BodyState& body : hasty.states()) EXPECT_LE(farthest(body.links), body.shape.radius());
}

/// The velocity of a point of a link is how it moves.
TEST(Articulation, KnowsHowFastItsJointsMoveAPoint) {
  Random random(6);
  int moving = 0;
  for (int i = 0; i < nearmiss::test::cases(200); ++i) {
    World world;
    ShipDef def;
    def.articulation = std::make_shared<const Articulation>(randomArticulation(random, 4));
    def.pose = {random.inCube(3.0), random.rotation()};
    ASSERT_TRUE(world.ships().create(def));
    world.integrate(random.between(0.1, 5.0));
    const BodyState before = world.states()[0];
    const auto l =
        static_cast<std::uint32_t>(random.whole(0, static_cast<int>(before.links.size()) - 1));
    const Vec3 own = random.inCube(1.0);
    const Vec3 point = transformed(nearmiss::linkOf(before, l).pose, own);
    const Vec3 velocity = jointVelocity(*def.articulation, before, world.time(), l, point);
    constexpr Real dt = 1e-4;
    world.integrate(dt);
    const Vec3 moved = transformed(nearmiss::linkOf(world.states()[0], l).pose, own) - point;
    // The ship is at rest: its joints alone move the point
    EXPECT_LT(glm::distance(moved / dt, velocity), 0.02 * glm::length(velocity) + 0.01);
    moving += glm::length(velocity) > 0.1;
  }
  EXPECT_GT(moving, nearmiss::test::cases(200) / 3);
}

/// A ship at rest that a swinging link hits is thrown away from it, and the two part; by either
/// response, and whichever of them comes first.
TEST(Articulation, ThrowsWhatItHits) {
  for (const Response response : {Response::Bounce, Response::Tumble})
    for (const bool armFirst : {true, false}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(response) << armFirst);
      const test::Hangar& shapes = test::plainHangar();
      World world;
      ShipDef arm, target;
      const auto shape = [&](std::uint32_t i) {
        return ShapeRef::ofRadius(shapes.polyhedra[i].radius(), i);
      };
      // A tetrahedron two metres out, that swings by a right angle and back in four seconds
      arm.articulation = std::make_shared<const Articulation>(
          *Articulation::make({{"hub", shape(0), 0, {}},
                               {"arm", shape(1), 0, {{0, 0, 0}, {0, 1, 0}, -0.1, 1.6, 4.0}},
                               {"head", shape(1), 1, {{2.0, 0, 0}, {0, 1, 0}, 0.0, 0.0, 1.0}}}));
      arm.mass = std::numeric_limits<Real>::infinity();
      target.shape = shape(0);
      target.pose.position = {1.3, 0.1, -1.6};
      target.inverseInertia = inverseInertiaOf(shapes.polyhedra[0]);
      const ShipId first = *world.ships().create(armFirst ? arm : target);
      (void)world.ships().create(armFirst ? target : arm);
      const std::size_t index = armFirst ? 1 : 0;
      SteadyClock clock;
      Simulation simulation(std::move(world), first, DronePilots(1, PilotSettings{}),
                            shapes.detector("brute-force"), clock, shapes.tables());
      FrameInput input;
      input.dt = 0.02;
      input.detectStep = 0.01;
      input.response = response;
      std::uint64_t responses = 0, touching = 0;
      for (int frame = 0; frame < 200; ++frame) {
        const FrameOutput& output = simulation.advance(input);
        responses += output.profile.responses;
        touching += output.profile.touching;
      }
      const BodyState& hit = simulation.world().states()[index];
      EXPECT_GE(responses, 1u);
      EXPECT_LE(responses, 40u);
      EXPECT_LE(touching, 60u) << "of 200: it is hit, and not dragged along";
      EXPECT_GT(glm::distance(hit.pose.position, target.pose.position), 0.3);
    }
}

TEST(Articulation, RefusesWhatNoJointCanBe) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const auto refusalOf = [](std::vector<JointedLink> links) {
    const auto made = Articulation::make(std::move(links));
    return made ? std::string("none") : made.error().message;
  };
  const auto with = [&](std::size_t parent, const Joint& joint) {
    return refusalOf({linkOf(1.0), linkOf(1.0, parent, joint)});
  };
  const Joint sound{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, -1.0, 1.0, 2.0};
  EXPECT_EQ(with(0, sound), "none");
  EXPECT_THAT(refusalOf({}), HasSubstr("at least one link"));
  EXPECT_THAT(refusalOf(std::vector<JointedLink>(65, linkOf(1.0))), HasSubstr("65 links"));
  EXPECT_THAT(with(1, sound), HasSubstr("its own parent"));
  EXPECT_THAT(refusalOf({linkOf(1.0), linkOf(1.0, 2, sound), linkOf(1.0, 1, sound)}),
              HasSubstr("each other's parent"));
  EXPECT_THAT(refusalOf({JointedLink{"bare", {}, 0, {}}}), HasSubstr("\"bare\": its shape"));
  Joint joint = sound;
  joint.axis = Vec3(0.0);
  EXPECT_THAT(with(0, joint), HasSubstr("axis has length 0"));
  joint = sound;
  joint.high = 4.0;
  EXPECT_THAT(with(0, joint), HasSubstr("between -180 and 180"));
  joint = sound;
  std::swap(joint.low, joint.high);
  EXPECT_THAT(with(0, joint), HasSubstr("from a lower angle"));
  joint = sound;
  joint.pivot.z = nan;
  EXPECT_THAT(with(0, joint), HasSubstr("pivot"));
  for (const Real period : {0.0, 1e-300, -1.0, nan, std::numeric_limits<Real>::infinity()}) {
    joint = sound;
    joint.period = period;
    EXPECT_THAT(with(0, joint), HasSubstr("period"));
  }
}

}  // namespace
}  // namespace nearmiss::engine
