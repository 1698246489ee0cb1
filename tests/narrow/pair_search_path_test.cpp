// SPDX-License-Identifier: MIT
/// Every set of instructions gives the same bits, and does the same work.
#include <gtest/gtest.h>

#include "narrow/searched_shapes.h"
#include "narrow/sphere_tree_narrow_phase.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// With the patience of the product, and with none: then boxes find all triangles.
TEST(SearchPaths, GiveTheSameBitsAndDoTheSameWork) {
  const Shapes shapes = test::searchedShapes().shapes();
  ASSERT_FALSE(searchPaths().empty());
  EXPECT_EQ(searchPaths().front().name, "baseline");
  for (const std::int64_t patience : {SearchSettings{}.patience, std::int64_t{0}}) {
    const auto baseline =
        makeSphereTreeNarrowPhase(shapes, SearchSettings{searchPaths().front(), patience});
    for (const SearchPath& path : searchPaths().subspan(1)) {
      SCOPED_TRACE(path.name);
      const auto other = makeSphereTreeNarrowPhase(shapes, SearchSettings{path, patience});
      Random random(91);
      int exact = 0, contacts = 0;
      for (int i = 0; i < cases(2000) && !HasFatalFailure(); ++i) {
        const TwoBodies bodies = test::randomNearMissPair(random, test::searchedShapes().polyhedra);
        const auto expected = test::allLevels(*baseline, bodies);
        const auto found = test::allLevels(*other, bodies);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) test::expectSame(found[k], expected[k]);
        ASSERT_EQ(other->work().boundTests, baseline->work().boundTests);
        ASSERT_EQ(other->work().triangleTests, baseline->work().triangleTests);
        exact += found.back().stage == Stage::Exact;
        contacts += found.back().verdict == Verdict::Contact;
      }
      EXPECT_GT(exact, cases(2000) / 8);
      EXPECT_GT(contacts, cases(2000) / 5);
    }
  }
}

}  // namespace
}  // namespace nearmiss
