// SPDX-License-Identifier: MIT
/// Every builder on a mesh of a million triangles: a tree that is proven to cover, or a sentence.
/// Part of a campaign (NEARMISS_CAMPAIGN above 1): it takes minutes.
#include <gtest/gtest.h>
#include <nearmiss/sphere_tree_builder.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

class MillionTriangles : public testing::TestWithParam<SphereTreeBuilderEntry> {};

TEST_P(MillionTriangles, AreCoveredOrRefusedInWords) {
  if (test::cases(1) == 1) GTEST_SKIP() << "takes minutes: part of a campaign";
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto start = Clock::now();
  const Polyhedron polyhedron(test::torus(1000, 500));
  ASSERT_EQ(polyhedron.mesh().triangles.size(), 1000000u);
  const double made = since(start);
  const auto built = Clock::now();
  const auto tree = GetParam().build(polyhedron, {.levels = 3}, nullptr);
  const double seconds = since(built);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("%s: mesh ready after %.1f s, tree after %.1f s more, at most %ld MB\n",
              std::string(GetParam().name).c_str(), made, seconds, usage.ru_maxrss / 1024);
  if (!tree) {
    std::printf("%s\n", tree.error().message.c_str());
    EXPECT_NE(tree.error().message, "");
    return;
  }
  const SphereTreeCertificate verdict = checkSphereTree(*tree, polyhedron);
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
}

INSTANTIATE_TEST_SUITE_P(, MillionTriangles, testing::ValuesIn(sphereTreeBuilderCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
