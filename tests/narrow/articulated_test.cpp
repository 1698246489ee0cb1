// SPDX-License-Identifier: MIT
/// Articulated objects: parts with their own hierarchies, as bodies of one assembly or as the links
/// of one body [H96 §4.1].
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr std::uint32_t link = 0, ship = 1;  // shapes

/// Links never reach each other: they end short of the joints, which bend by a right angle at most.
TriangleMesh linkMesh() { return test::box({0.06, -0.05, -0.05}, {0.94, 0.05, 0.05}); }
constexpr Real maxBend = 1.5;

/// Four links in a row, each turned about the end of the one before.
std::vector<BodyState> randomArm(Random& random, const Polyhedron& polyhedron) {
  std::vector<BodyState> parts;
  Pose pose = test::randomPose(random, 20.0);
  for (std::uint32_t i = 0; i < 4; ++i) {
    BodyState& part = parts.emplace_back(test::bodyOf(i + 1, link, polyhedron, pose));
    part.assembly = 7;
    pose.position += pose.rotation * Vec3(1.0, 0.0, 0.0);
    const Vec3 hinge = i % 2 == 0 ? Vec3(0.0, 0.0, 1.0) : Vec3(0.0, 1.0, 0.0);
    const Quat bend = glm::angleAxis(random.between(-maxBend, maxBend), hinge);
    pose.rotation = glm::normalize(pose.rotation * bend);
  }
  return parts;
}

/// All parts as one rigid mesh, in world space.
TriangleMesh wholeOf(const std::vector<BodyState>& parts) {
  TriangleMesh whole;
  for (const BodyState& part : parts) {
    TriangleMesh mesh = linkMesh();
    for (Vec3& p : mesh.positions) p = transformed(part.pose, p);
    test::append(whole, mesh);
  }
  return whole;
}

/// The arm in any position touches what it would touch if it had been modelled in that position,
/// and never itself.
TEST(Articulated, TouchesWhatItWouldTouchIfItWereRigid) {
  const test::ShapeKit kit({linkMesh(), test::torus(16, 8)}, 4);
  std::vector<std::unique_ptr<Detector>> detectors;
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog())
    detectors.push_back(
        std::make_unique<Detector>(makeSpaceTimeBroadPhase(), narrow.make(kit.tables())));
  Random random(51);
  int contacts = 0;
  const int count = test::cases(60);
  for (int i = 0; i < count; ++i) {
    std::vector<BodyState> bodies = randomArm(random, kit.polyhedra[link]);
    const BodyState& near = bodies[static_cast<std::size_t>(random.whole(0, 3))];
    const Pose place{near.pose.position + random.between(0.3, 2.0) * random.direction(),
                     random.rotation()};
    const BodyState other = test::bodyOf(9, ship, kit.polyhedra[ship], place);

    std::vector<Polyhedron> whole;
    whole.emplace_back(wholeOf(bodies));
    whole.emplace_back(test::torus(16, 8));
    const BodyState rigid = test::bodyOf(1, 0, whole[0], Pose{});
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(whole));
    const bool truth = test::finalVerdict(*reference, {rigid, other}) == Verdict::Contact;
    contacts += truth;

    bodies.push_back(other);
    for (const auto& detector : detectors) {
      bool touches = false;
      for (const DetectedPair& pair : detector->detect(bodies, i, TimeBudget::unlimited()).pairs) {
        ASSERT_EQ(pair.bodies.b, 4u) << "parts of one arm are no pair";
        touches = touches || pair.refinement.verdict == Verdict::Contact;
      }
      EXPECT_EQ(touches, truth) << detector->narrowPhase().name() << ", position " << i;
    }
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count - count / 5);
}

/// The arm as one body whose frame is anywhere, with room for all its links.
struct ArmBody {
  std::vector<Link> links;
  BodyState body;

  ArmBody(Random& random, const std::vector<BodyState>& parts) {
    const Pose& first = parts.front().pose;
    body = parts.front();
    body.assembly = 0;
    body.pose = {first.position + random.unit() * random.direction(), random.rotation()};
    Real reach = 0.0;
    for (const BodyState& part : parts) {
      links.push_back({part.shape, relativePose(body.pose, part.pose)});
      const Real far = glm::length(links.back().pose.position);
      reach = std::max(reach, far + part.shape.radius());
    }
    body.shape = ShapeRef::ofRadius(reach * random.between(1.0, 1.5), parts.front().shape.index());
    body.links = links;
  }
  ArmBody(const ArmBody&) = delete;
};

/// Turned at random, with its middle so far from a part's origin.
BodyState torusNear(Random& random, const test::ShapeKit& kit, const BodyState& part, Real far) {
  const Vec3 middle = part.pose.position + far * random.direction();
  return test::bodyOf(9, ship, kit.polyhedra[ship], {middle, random.rotation()});
}

/// The answers of a detector about one pair, level cap by level cap, the last without one.
std::vector<Refinement> byLevels(Detector& detector, std::span<const BodyState> bodies) {
  std::vector<Refinement> answers;
  for (const int cap : {0, 1, 2, 3, 4, Detector::noLevelCap}) {
    detector.setLevelCap(cap);
    const auto& pairs = detector.detect(bodies, 0.0, TimeBudget::unlimited()).pairs;
    if (pairs.empty()) return answers;
    answers.push_back(pairs.front().refinement);
  }
  return answers;
}

/// The same arm and its counterpart, which has links as well, in every combination of phases.
TEST(Articulated, LinksOfOneBodyTouchWhatARigidOneWould) {
  const test::ShapeKit kit({linkMesh(), test::torus(16, 8)}, 4);
  std::vector<std::unique_ptr<Detector>> detectors;
  for (const BroadPhaseEntry& broad : broadPhaseCatalog())
    detectors.push_back(std::make_unique<Detector>(makeBroadPhase(broad, kit.tables()),
                                                   narrowPhaseCatalog()[0].make(kit.tables())));
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog())
    detectors.push_back(
        std::make_unique<Detector>(makeSpaceTimeBroadPhase(), narrow.make(kit.tables())));
  Random random(52);
  int contacts = 0, apart = 0;
  const int count = test::cases(60);
  for (int i = 0; i < count; ++i) {
    const std::vector<BodyState> parts = randomArm(random, kit.polyhedra[link]);
    std::vector<BodyState> others = randomArm(random, kit.polyhedra[link]);
    const Vec3 aside = parts[random.whole(0, 3) & 3].pose.position - others[2].pose.position +
                       random.between(0.0, 1.2) * random.direction();
    for (BodyState& other : others) other.pose.position += aside;
    const ArmBody arm(random, parts), counterpart(random, others);
    std::vector<BodyState> bodies{arm.body, counterpart.body};
    bodies[0].key = 1;
    bodies[1].key = 2;
    ASSERT_FALSE(faultIn(bodies, 0.0));

    std::vector<Polyhedron> whole;
    whole.emplace_back(wholeOf(parts));
    whole.emplace_back(wholeOf(others));
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(whole));
    const bool truth =
        test::finalVerdict(*reference, {test::bodyOf(1, 0, whole[0], Pose{}),
                                        test::bodyOf(2, 1, whole[1], Pose{})}) == Verdict::Contact;
    contacts += truth;
    for (const auto& detector : detectors) {
      SCOPED_TRACE(testing::Message() << detector->broadPhase().name() << ' '
                                      << detector->narrowPhase().name() << ", position " << i);
      const auto answers = byLevels(*detector, bodies);
      if (answers.empty()) {
        ASSERT_FALSE(truth);
        ++apart;
        continue;
      }
      EXPECT_EQ(answers.back().verdict, truth ? Verdict::Contact : Verdict::Separate);
      Real least = std::numeric_limits<Real>::infinity();
      for (const Refinement& answer : answers) {
        ASSERT_NE(answer.verdict, truth ? Verdict::Separate : Verdict::Contact);
        if (answer.verdict == Verdict::Separate) continue;
        EXPECT_LE(answer.separationBound, least) << "a level knows more than the one above it";
        least = answer.separationBound;
      }
    }
  }
  EXPECT_GT(contacts, count / 10);
  EXPECT_LT(contacts, count - count / 10);
  EXPECT_LT(apart, count * static_cast<int>(detectors.size()) / 2);
}

/// At every level the answer is that of the links, one pair after the other: contact by one,
/// separate by all, else the deepest spheres, and the least bound of all levels so far, those of
/// links that are apart by now among them.
TEST(Articulated, AnswersWhatItsLinksAnswer) {
  const test::ShapeKit kit({linkMesh(), test::torus(16, 8)}, 4);
  Random random(56);
  int possible = 0, several = 0, kept = 0;
  for (int i = 0; i < test::cases(40); ++i) {
    const std::vector<BodyState> parts = randomArm(random, kit.polyhedra[link]);
    const ArmBody arm(random, parts);
    const BodyState torus = torusNear(random, kit, parts[1], random.between(0.6, 1.5));
    for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
      SCOPED_TRACE(narrow.name);
      Detector whole(makeSpaceTimeBroadPhase(), narrow.make(kit.tables()));
      Detector alone(makeSpaceTimeBroadPhase(), narrow.make(kit.tables()));
      const auto together = byLevels(whole, std::vector{arm.body, torus});
      std::vector<std::vector<Refinement>> apart;
      for (const BodyState& part : parts)
        if (auto answers = byLevels(alone, std::vector{part, torus}); !answers.empty())
          apart.push_back(std::move(answers));
      // Without a cap, and at each level; at level 0 it is the spheres of the bodies
      constexpr Real infinite = std::numeric_limits<Real>::infinity();
      Real bound = infinite;
      for (std::size_t cap = 1; cap < together.size(); ++cap) {
        Real ofLevel = infinite, deepest = -infinite;
        std::size_t open = 0, spheres = 0;
        bool contact = false;
        for (const auto& answers : apart) {
          const Refinement& one = answers[cap];
          contact = contact || one.verdict == Verdict::Contact;
          if (one.verdict != Verdict::Possible) continue;
          ++open;
          spheres += one.collidingSpheres;
          ofLevel = std::min(ofLevel, one.separationBound);
          deepest = std::max(deepest, overlap(one.deepest.a, one.deepest.b));
        }
        const Refinement& answer = together[cap];
        ASSERT_EQ(answer.verdict, contact ? Verdict::Contact
                                  : open  ? Verdict::Possible
                                          : Verdict::Separate);
        if (answer.verdict != Verdict::Possible) continue;
        ++possible;
        several += open > 1;
        kept += bound < ofLevel;
        bound = std::min(bound, ofLevel);
        // The parts' poses went another way, by a rounding
        EXPECT_NEAR(answer.separationBound, bound, 1e-9);
        EXPECT_NEAR(overlap(answer.deepest.a, answer.deepest.b), deepest, 1e-6);
        EXPECT_EQ(answer.collidingSpheres, spheres);
      }
    }
  }
  EXPECT_GT(possible, 200);
  EXPECT_GT(several, 40);
  EXPECT_GT(kept, 0) << "a level without the pair of links that bounds the distance";
}

/// However often time runs out, the answer becomes the one that unlimited time gives, and no answer
/// on the way is wrong.
TEST(Articulated, GoesOnWhereTimeRanOut) {
  const test::ShapeKit kit({linkMesh(), test::torus(16, 8)}, 4);
  Random random(53);
  int interrupted = 0, levels = 0;
  for (int i = 0; i < test::cases(40); ++i) {
    const std::vector<BodyState> parts = randomArm(random, kit.polyhedra[link]);
    const ArmBody arm(random, parts);
    const BodyState torus = torusNear(random, kit, parts[1], random.between(0.3, 1.5));
    const std::vector<BodyState> bodies{arm.body, torus};
    const std::vector<BodyPair> pairs{{0, 1}};
    for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
      SCOPED_TRACE(narrow.name);
      const auto whole = makeArticulatedNarrowPhase(narrow.make(kit.tables()));
      const auto hurried = whole->another();
      if (!hurried) continue;
      whole->begin(bodies, pairs);
      hurried->begin(bodies, pairs);
      while (whole->result(0).canRefine) {
        const Refinement before = whole->result(0);
        ASSERT_TRUE(whole->refine(0, TimeBudget::unlimited()));
        ++levels;
        ManualClock clock;
        while (!hurried->refine(0, TimeBudget(clock, Clock::Duration{}))) {
          ++interrupted;
          test::expectSame(hurried->result(0), before);  // half a level counts for nothing
        }
        test::expectSame(whole->result(0), hurried->result(0));
        ASSERT_EQ(whole->result(0).linkA, hurried->result(0).linkA);
      }
    }
  }
  EXPECT_GT(interrupted, levels / 2);
}

/// A contact names the links that meet: the triangles that it names do so in their poses.
TEST(Articulated, NamesTheLinksOfAContact) {
  const test::ShapeKit kit({linkMesh(), test::torus(16, 8)}, 4);
  Random random(54);
  int notTheFirst = 0, named = 0;
  Detector detector(makeSpaceTimeBroadPhase(), makeBruteForceNarrowPhase(kit.tables()));
  for (int i = 0; i < test::cases(60); ++i) {
    const std::vector<BodyState> parts = randomArm(random, kit.polyhedra[link]);
    const ArmBody arm(random, parts);
    const BodyState torus = torusNear(random, kit, parts[3], random.unit());
    const auto& pairs =
        detector.detect(std::vector{arm.body, torus}, 0.0, TimeBudget::unlimited()).pairs;
    if (pairs.empty() || pairs[0].refinement.verdict != Verdict::Contact) continue;
    const Refinement& found = pairs[0].refinement;
    if (found.triangleA == Refinement::noTriangle) continue;
    ++named;
    notTheFirst += found.linkA > 0;
    const BodyState& part = parts[found.linkA];
    const auto alone = makeBruteForceNarrowPhase(kit.tables());
    EXPECT_EQ(test::finalVerdict(*alone, {part, torus}), Verdict::Contact);
  }
  EXPECT_GT(named, 10);
  EXPECT_GT(notTheFirst, named / 2);
}

/// Faults are named by link and field.
TEST(Articulated, RefusesLinksThatAreNone) {
  const test::ShapeKit kit({linkMesh()}, 4);
  Random random(55);
  const Shapes shapes = kit.tables();
  const ArmBody sound(random, randomArm(random, kit.polyhedra[link]));
  const auto faultOf = [&](const auto& spoil) {
    std::vector<Link> links = sound.links;
    BodyState body = sound.body;
    spoil(links, body);
    body.links = links;
    const auto fault = faultIn(std::span(&body, 1), 0.0, &shapes);
    return fault ? describe(*fault) : std::string("none");
  };
  using Links = std::vector<Link>;
  EXPECT_EQ(faultOf([](Links&, BodyState&) {}), "none");
  EXPECT_THAT(faultOf([](Links& links, BodyState&) {
                links[2].pose.position.y = std::numeric_limits<Real>::quiet_NaN();
              }),
              testing::HasSubstr("links[2].pose.position.y is nan, but must be finite"));
  EXPECT_THAT(faultOf([](Links& links, BodyState&) { links[1].pose.rotation *= 2.0; }),
              testing::HasSubstr("links[1].pose.rotation is 2, but must be of length 1"));
  EXPECT_THAT(faultOf([](Links& links, BodyState&) { links[3].shape = {}; }),
              testing::HasSubstr("links[3].shape.radius is nan"));
  EXPECT_THAT(
      faultOf([](Links& links, BodyState&) { links[0].shape = ShapeRef::ofRadius(1.0, 7); }),
      testing::HasSubstr("links[0].shape.index is 7, but must be below the number of shapes, 1"));
  EXPECT_THAT(faultOf([](Links& links, BodyState& body) {
                links[3].pose.position *= body.shape.radius() / 0.9;
              }),
              testing::HasSubstr("links[3].reach"));
}

}  // namespace
}  // namespace nearmiss
