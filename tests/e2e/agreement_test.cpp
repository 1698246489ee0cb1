// SPDX-License-Identifier: MIT
/// The ships that are flown, in random poses: sphere trees to the triangles, BSP trees and brute
/// force must say the same of every pair. NEARMISS_CAMPAIGN=100 tries 10,000 poses of each small
/// model and 1,000 of the large one.
#include <engine/model_loader.h>
#include <gtest/gtest.h>
#include <nearmiss/detector_catalog.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "support/campaign.h"
#include "support/narrow.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using test::TwoBodies;

struct Ship {
  std::string model;
  int pairs = 0;
};

std::ostream& operator<<(std::ostream& out, const Ship& ship) { return out << ship.model; }

class EveryShip : public testing::TestWithParam<Ship> {
 protected:
  void SetUp() override {
    // As it is flown, and smaller, to find room inside itself
    const std::string file = NEARMISS_SOURCE_DIR "/assets/models/" + GetParam().model + ".glb";
    std::vector<TriangleMesh> meshes;
    for (const Real radius : {1.0, 0.25, 0.03}) {
      auto loaded = engine::loadModel(file, {.targetRadius = radius});
      ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
      ASSERT_TRUE(loaded->report.solid());
      meshes.push_back(std::move(loaded->mesh));
    }
    kit_ = test::ShapeKit(std::move(meshes), 4);
    for (const Polyhedron& polyhedron : kit_.polyhedra) {
      auto fitted = findSphereTreeBuilder(defaultSphereTreeBuilder)
                        ->build(polyhedron, {.levels = 2, .hausdorffTolerance = 0.5}, nullptr);
      ASSERT_TRUE(fitted.has_value()) << fitted.error().message;
      fitted_.push_back(*std::move(fitted));
    }
    slider_ = makeBspNarrowPhase(kit_.bspTrees, kit_.polyhedra);
  }

  TwoBodies randomPair(Random& random) const {
    const auto size = [&random] {
      return random.chance(0.6) ? 0u : static_cast<std::uint32_t>(random.whole(1, 2));
    };
    const std::uint32_t a = size();
    const std::uint32_t b = size();
    const Polyhedron& large = kit_.polyhedra[std::min(a, b)];
    const Pose poseA = test::randomPose(random, 50.0);
    Pose poseB{poseA.position, random.rotation()};
    if (a == b) {
      const Real apart = random.between(0.2, 1.0) * 2.0 * large.radius();
      poseB.position += random.direction() * apart;
    } else {
      // The small one anywhere within the bounds of the large one, every other time in its inside
      const Pose& frame = a < b ? poseA : poseB;
      const bool inside = random.chance(0.5);
      Vec3 within(0.0);
      for (int tries = 0; tries < 100; ++tries) {
        within = large.bounds().centre() + 0.5 * random.inCube(1.0) * large.bounds().extent();
        if (!inside || large.contains(within)) break;
      }
      poseB.position += (a < b ? 1.0 : -1.0) * (frame.rotation * within);
    }
    return {test::bodyOf(1, a, kit_.polyhedra[a], poseA),
            test::bodyOf(2, b, kit_.polyhedra[b], poseB)};
  }

  /// Slid together by the quickest method, for others to judge.
  TwoBodies grazingPair(Random& random) {
    return test::randomGrazingPair(
        random, kit_.polyhedra,
        [this](const BodyState& a, const BodyState& b) {
          return test::finalVerdict(*slider_, {a, b}) == Verdict::Contact;
        },
        random.whole(20, 50));
  }

  test::ShapeKit kit_{{}, 0};
  std::vector<SphereTree> fitted_;  ///< by the builder that the simulator uses
  std::unique_ptr<NarrowPhase> slider_;
};

TEST_P(EveryShip, IsJudgedAlikeByEveryExactMethod) {
  Random random(51);
  std::vector<std::unique_ptr<NarrowPhase>> phases;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    phases.push_back(entry.make(kit_.tables()));
  phases.push_back(makeSphereTreeNarrowPhase(fitted_, kit_.polyhedra));
  const auto judge = makeBruteForceNarrowPhase(kit_.polyhedra);

  const int pairs = test::cases(GetParam().pairs);
  int contacts = 0, contained = 0;
  for (int i = 0; i < pairs; ++i) {
    // Every fifth pair is a hair apart, or a hair into each other
    const TwoBodies bodies = i % 5 == 4 ? grazingPair(random) : randomPair(random);
    const Refinement truth = test::allLevels(*judge, bodies).back();
    contacts += truth.verdict == Verdict::Contact;
    contained += truth.verdict == Verdict::Contact && truth.triangleA == Refinement::noTriangle;
    for (const auto& phase : phases)
      ASSERT_EQ(test::finalVerdict(*phase, bodies), truth.verdict)
          << phase->name() << ", pair " << i;
  }
  std::printf("%s: %d pairs, %d contacts, %d of them by containment, no disagreement\n",
              GetParam().model.c_str(), pairs, contacts, contained);
  EXPECT_GT(contacts, pairs / 10);
  EXPECT_LT(contacts, pairs * 9 / 10);
  EXPECT_GE(contained, pairs / 100);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryShip,
                         testing::Values(Ship{"lamp", 100}, Ship{"faucet", 100},
                                         Ship{"rocket", 100}, Ship{"truck", 10}),
                         [](const auto& ship) { return ship.param.model; });

}  // namespace
}  // namespace nearmiss
