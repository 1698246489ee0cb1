// SPDX-License-Identifier: MIT
/// Articulated objects: each part a body with its own hierarchy, all of one assembly [H96 §4.1].
#include <gtest/gtest.h>
#include <nearmiss/detector.h>
#include <nearmiss/detector_catalog.h>

#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr std::uint32_t link = 0, ship = 1;  // shapes

/// Links never reach each other: they end short of the joints, which bend by a right angle at most.
TriangleMesh linkMesh() { return test::box({0.06, -0.05, -0.05}, {0.94, 0.05, 0.05}); }
constexpr Real mostBend = 1.5;

/// Four links in a row, each turned about the end of the one before.
std::vector<BodyState> randomArm(Random& random, const Polyhedron& polyhedron) {
  std::vector<BodyState> parts;
  Pose pose = test::randomPose(random, 20.0);
  for (std::uint32_t i = 0; i < 4; ++i) {
    BodyState& part = parts.emplace_back(test::bodyOf(i + 1, link, polyhedron, pose));
    part.assembly = 7;
    pose.position += pose.rotation * Vec3(1.0, 0.0, 0.0);
    const Vec3 hinge = i % 2 == 0 ? Vec3(0.0, 0.0, 1.0) : Vec3(0.0, 1.0, 0.0);
    const Quat bend = glm::angleAxis(random.between(-mostBend, mostBend), hinge);
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

}  // namespace
}  // namespace nearmiss
