// SPDX-License-Identifier: MIT
/// One property over every narrow phase: the verdict on a pair does not depend on how one looks at
/// it. A scene in a mirror, with its axes renamed or with all lengths times a power of two is made
/// of the same digits, so that the same verdict is due, bit for bit.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "rivals/views.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/shapes.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const NarrowPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::cases;
using test::Random;
using test::seenShapes;
using test::TwoBodies;
using test::usualShapes;
using test::View;
using test::views;

TwoBodies seen(const View& view, const test::ShapeKit& shapes, const TwoBodies& bodies) {
  TwoBodies result;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto shape = static_cast<std::uint32_t>(bodies[i].shape.index());
    const Pose pose{view.point(bodies[i].pose.position), view.rotation(bodies[i].pose.rotation)};
    result[i] = test::bodyOf(bodies[i].key, shape, shapes.polyhedra[shape], pose);
  }
  return result;
}

class EveryView : public testing::TestWithParam<NarrowPhaseEntry> {
 protected:
  Verdict verdictOf(const TwoBodies& bodies) { return test::finalVerdict(*usual_, bodies); }

  /// The verdict of all views on `count` drawn pairs, of which a fair share touch.
  void expectOneVerdict(int count, bool posedExactly, const auto& draw) {
    std::vector<std::unique_ptr<NarrowPhase>> phases;
    for (std::size_t v = 0; v < views.size(); ++v)
      phases.push_back(GetParam().make(seenShapes(v).tables()));
    test::checkPairs(count, 0.1, 0.9, draw, [&](const TwoBodies& bodies) {
      const Verdict verdict = verdictOf(bodies);
      for (std::size_t v = 0; v < views.size(); ++v) {
        if (!posedExactly && !views[v].ofAnyPose) continue;
        const TwoBodies looked = seen(views[v], seenShapes(v), bodies);
        EXPECT_EQ(test::finalVerdict(*phases[v], looked), verdict) << views[v].name;
      }
      return verdict;
    });
  }

  const std::vector<Polyhedron>& polyhedra_ = usualShapes().polyhedra;
  std::unique_ptr<NarrowPhase> usual_ = GetParam().make(usualShapes().tables());
};

TEST_P(EveryView, GivesTheSameVerdictOfAnyPose) {
  Random random(41);
  expectOneVerdict(cases(200), false, [&] { return test::randomNearMissPair(random, polyhedra_); });
}

TEST_P(EveryView, GivesTheSameVerdictOfWhatTouchesByAHair) {
  Random random(42);
  const auto judge = makeBruteForceNarrowPhase(usualShapes().tables());
  expectOneVerdict(cases(40), false,
                   [&] { return test::grazingPair(random, polyhedra_, *judge, 20, 52); });
}

TEST_P(EveryView, GivesTheSameVerdictOfWhatTouchesExactly) {
  Random random(43);
  const auto any = [&] {
    return test::latticeShapes[static_cast<std::size_t>(random.whole(0, 4))];
  };
  expectOneVerdict(cases(300), true, [&] {
    TwoBodies bodies = test::exactPair(random, polyhedra_);
    for (BodyState& body : bodies) {
      const std::uint32_t shape = any();
      body = test::bodyOf(body.key, shape, polyhedra_[shape], body.pose);
    }
    return bodies;
  });
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryView, testing::ValuesIn(narrowPhaseCatalog()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

}  // namespace
}  // namespace nearmiss
