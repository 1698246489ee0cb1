// SPDX-License-Identifier: MIT
/// Every builder on a great mesh: a tree that is proven to cover, or a sentence. A campaign makes
/// it greater: NEARMISS_CAMPAIGN=20 a million triangles, which takes minutes.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/time_budget.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "support/builders.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/meshes.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

class GreatMesh : public testing::TestWithParam<SphereTreeBuilderEntry> {};

TEST_P(GreatMesh, IsCoveredOrRefusedInWords) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto start = Clock::now();
  const int around = test::cases(50);
  SphereTreeSettings settings{.levels = 3};
  if (!test::inCampaign())
    settings = {.levels = 2,
                .hausdorffTolerance = 0.5,
                .variational = {.branching = 5},
                .dag = {.branching = 4},
                .medial = {.surfacePoints = 500},
                .anchored = {.surfacePoints = 300}};
  const Polyhedron polyhedron(test::torus(around, around / 2));
  const double made = since(start);
  const auto built = Clock::now();
  const auto tree = GetParam().build(polyhedron, settings, nullptr);
  const double seconds = since(built);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("%s, %zu triangles: ready after %.1f s, tree after %.1f s more, at most %ld MB\n",
              std::string(GetParam().name).c_str(), polyhedron.mesh().triangles.size(), made,
              seconds, usage.ru_maxrss / 1024);
  if (!tree) {
    std::printf("%s\n", tree.error().message.c_str());
    EXPECT_NE(tree.error().message, "");
    EXPECT_TRUE(test::inCampaign()) << "a small mesh is no reason to refuse";
    return;
  }
  test::expectCertified(*tree, polyhedron);
}

INSTANTIATE_TEST_SUITE_P(, GreatMesh, testing::ValuesIn(sphereTreeBuilderCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
