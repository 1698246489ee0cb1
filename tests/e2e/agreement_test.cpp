// SPDX-License-Identifier: MIT
/// The ships that are flown, in random poses: sphere trees to the triangles, BSP trees and brute
/// force must agree on every pair. NEARMISS_CAMPAIGN=300 tries 10,000 poses of each small model and
/// 3,000 of the large one.
#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "support/borrowed.h"
#include "support/builders.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/shapes.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using test::Random;
using test::TwoBodies;

struct Ship {
  std::string model;
  int pairs = 0;
};

std::ostream& operator<<(std::ostream& out, const Ship& ship) { return out << ship.model; }

const std::vector<Ship> ships{{"lamp", 36}, {"faucet", 36}, {"rocket", 36}, {"truck", 10}};

/// As many as ships are flown with in a campaign, and fewer otherwise: they are slow to place.
std::size_t innerSpheres() { return test::inCampaign() ? usualInnerSpheres : 48; }

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
    kit_ = test::ShapeKit(std::move(meshes), test::inCampaign() ? 4 : 2);
    for (const Polyhedron& polyhedron : kit_.polyhedra) {
      auto fitted = buildSphereTree(*findSphereTreeBuilder(defaultSphereTreeBuilder), polyhedron,
                                    {.levels = 2,
                                     .hausdorffTolerance = 0.5,
                                     .nodeBoxRatio = usualNodeBoxRatio,
                                     .innerSpheres = innerSpheres()});
      ASSERT_TRUE(fitted.has_value()) << fitted.error().message;
      fitted_.push_back(*std::move(fitted));
    }
    slider_ = makeBspNarrowPhase(test::borrowed(kit_.polyhedra, {}, kit_.bspTrees));
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

  /// Slid together by the quickest method, for others to reference.
  TwoBodies grazingPair(Random& random) {
    return test::grazingPair(random, kit_.polyhedra, *slider_, 20, 50);
  }

  test::ShapeKit kit_{{}, 0};
  std::vector<SphereTree> fitted_;  ///< as the simulator builds them
  std::unique_ptr<NarrowPhase> slider_;
};

TEST_P(EveryShip, IsJudgedAlikeByEveryExactMethod) {
  Random random(51);
  std::vector<std::unique_ptr<NarrowPhase>> phases;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    phases.push_back(entry.make(kit_.tables()));
  phases.push_back(makeSphereTreeNarrowPhase(test::borrowed(kit_.polyhedra, fitted_)));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(kit_.polyhedra));

  const int pairs = test::cases(GetParam().pairs);
  int contacts = 0, contained = 0;
  for (int i = 0; i < pairs; ++i) {
    // Every fifth pair is a hair apart, or a hair into each other
    const TwoBodies bodies = i % 5 == 4 ? grazingPair(random) : randomPair(random);
    const Refinement truth = test::allLevels(*reference, bodies).back();
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

INSTANTIATE_TEST_SUITE_P(Models, EveryShip, testing::ValuesIn(ships),
                         [](const auto& ship) { return ship.param.model; });

/// Pairs of one ship whose bounding spheres meet, every fifth a hair apart or a hair into each
/// other, and whether brute force finds that they touch. Trees of all builders are tried on the
/// same.
class JudgedPairs {
 public:
  explicit JudgedPairs(const Ship& ship)
      : polyhedron_(
            engine::loadModel(NEARMISS_SOURCE_DIR "/assets/models/" + ship.model + ".glb")->mesh) {
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes()));
    Random random(52);
    for (int i = 0; i < test::cases(ship.pairs); ++i) {
      pairs_.push_back(i % 5 == 4 ? test::grazingPair(random, shapes(), *reference, 20, 50)
                                  : test::randomNearMissPair(random, shapes(), 0.2));
      touch_.push_back(test::finalVerdict(*reference, pairs_.back()) == Verdict::Contact);
    }
  }
  static const JudgedPairs& of(const Ship& ship) {
    static std::map<std::string, JudgedPairs> all;
    return all.try_emplace(ship.model, ship).first->second;
  }

  std::span<const Polyhedron> shapes() const { return {&polyhedron_, 1}; }
  int count() const { return static_cast<int>(pairs_.size()); }
  /// What any of the phases misses or invents counts.
  test::Comparison compared(std::span<const std::unique_ptr<NarrowPhase>> tried) const {
    return test::compared(tried, pairs_, touch_);
  }

 private:
  Polyhedron polyhedron_;
  std::vector<TwoBodies> pairs_;
  std::vector<bool> touch_;
};

/// One ship, and a tree of it by each builder.
class EveryBuilderOnShips
    : public testing::TestWithParam<std::tuple<SphereTreeBuilderEntry, Ship>> {
 protected:
  test::Comparison compare(std::span<const SphereTree> trees) const {
    std::vector<std::unique_ptr<NarrowPhase>> tried;
    for (const SphereTree& tree : trees)
      tried.push_back(
          makeSphereTreeNarrowPhase(test::borrowed(judged_.shapes(), std::span(&tree, 1))));
    return judged_.compared(tried);
  }

  /// As deep as they are flown in a campaign, quicker to build otherwise.
  static SphereTreeSettings settingsFor(Coverage coverage) {
    const std::size_t points = test::inCampaign() ? 0 : 400;
    return {.levels = test::inCampaign() ? 4 : 2,
            .hausdorffTolerance = 0.5,
            .workers = 2,
            .medial = {.coverage = coverage, .surfacePoints = points},
            .anchored = {.surfacePoints = points}};
  }
  SphereTree build(Coverage coverage) const {
    return *buildSphereTree(std::get<0>(GetParam()), judged_.shapes()[0], settingsFor(coverage));
  }
  /// The same tree with boxes and inner spheres.
  SphereTree withExtras(const SphereTree& tree) const {
    SphereTreeSettings settings = settingsFor(tree.coverage());
    settings.nodeBoxRatio = usualNodeBoxRatio;
    settings.innerSpheres = innerSpheres();
    return *test::withAdditions(std::get<0>(GetParam()), tree, judged_.shapes()[0], settings);
  }

  void report(const test::Comparison& found, const char* coverage) const {
    const int pairs = judged_.count();
    std::printf("%s, %s, %s: %d pairs, %d contacts, %d missed (%.3f %%), %d invented\n",
                std::get<1>(GetParam()).model.c_str(),
                std::string(std::get<0>(GetParam()).name).c_str(), coverage, pairs, found.contacts,
                found.missed, 100.0 * found.missed / std::max(1, found.contacts), found.invented);
    EXPECT_EQ(found.invented, 0);
    EXPECT_GT(found.contacts, pairs / 10);
    EXPECT_LE(found.contacts, pairs * 9 / 10);
  }

  const JudgedPairs& judged_ = JudgedPairs::of(std::get<1>(GetParam()));
};

TEST_P(EveryBuilderOnShips, MissesNothingWhereCoverageIsGuaranteed) {
  const SphereTree plain = build(Coverage::Guaranteed);
  const std::array trees{plain, withExtras(plain)};
  ASSERT_EQ(trees[0].coverage(), Coverage::Guaranteed);
  EXPECT_FALSE(trees[1].data().boxes.empty());
  EXPECT_FALSE(trees[1].data().inner.empty());
  const test::Comparison found = compare(trees);
  report(found, "guaranteed");
  EXPECT_EQ(found.missed, 0);
}

using PaperModeOnShips = EveryBuilderOnShips;

/// Erratum E5: a level that covers as a whole guarantees nothing for a traversal.
TEST_P(PaperModeOnShips, SaysHowMuchItMisses) {
  const SphereTree tree = build(Coverage::Paper);
  ASSERT_EQ(tree.coverage(), Coverage::Paper);
  const test::Comparison found = compare(std::span(&tree, 1));
  report(found, "paper");
  EXPECT_LE(found.missed, found.contacts / 20);
}

std::string nameOf(const testing::TestParamInfo<std::tuple<SphereTreeBuilderEntry, Ship>>& param) {
  return test::testName(std::get<0>(param.param).name) + "_" + std::get<1>(param.param).model;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryBuilderOnShips,
                         testing::Combine(testing::ValuesIn(sphereTreeBuilderCatalog()),
                                          testing::ValuesIn(ships)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Models, PaperModeOnShips,
                         testing::Combine(testing::ValuesIn(test::buildersWithPaperMode()),
                                          testing::ValuesIn(ships)),
                         nameOf);

}  // namespace
}  // namespace nearmiss
