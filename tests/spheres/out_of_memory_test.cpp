// SPDX-License-Identifier: MIT
/// Wherever memory or threads run out, on whichever thread, the library answers with an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/parallel_for.h"
#include "support/allocations.h"
#include "support/borrowed.h"
#include "support/builders.h"
#include "support/checked_values.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/same_tree.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;
constexpr std::size_t endless = static_cast<std::size_t>(-1);

/// Runs `work`, which gives a Result, short of memory at many points: one allocation fails, or all
/// from there on. It ends as `same` demands, or with the one error.
void expectErrors(const auto& work, const auto& same, int places = 16) {
  const std::size_t count = test::allocationsIn([&] { ASSERT_TRUE(same(work())); });
  ASSERT_GT(count, 0u);
  int refused = 0;
  for (int i = 0; i < places; ++i)
    for (const std::size_t refusals : {std::size_t{1}, endless}) {
      // Early points closer together: setting up is where most kinds of allocations are
      const Real share = static_cast<Real>(i * i) / static_cast<Real>(places * places);
      const auto after = static_cast<std::size_t>(share * static_cast<Real>(count));
      const auto result = test::shortOfMemory(after, refusals, work);
      if (result) {
        // One thread fewer, or sorting in place, takes no memory and changes nothing
        EXPECT_TRUE(same(result)) << "after " << after;
        continue;
      }
      ++refused;
      EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory) << result.error().message;
      // Without any memory there is no sentence either
      if (refusals == 1) {
        EXPECT_THAT(result.error().message, HasSubstr("not enough memory"));
      }
    }
  EXPECT_GE(refused, places / 2) << "memory hardly ever ran out";
}

/// What `run` returns with all the memory there is, even in a shortage: what is the caller's.
auto unhindered(const auto& run) {
  const std::size_t first = test::shortage.firstRefused;
  const std::size_t before = test::allocationsSoFar;
  test::shortage.firstRefused = endless;
  auto result = run();
  // The shortage comes so much later
  const std::size_t meanwhile = test::allocationsSoFar - before;
  test::shortage.firstRefused = first == endless ? endless : first + meanwhile;
  return result;
}

void expectErrors(const auto& work) {
  expectErrors(work, [](const auto& result) { return result.has_value(); });
}

class EveryBuilderShortOfMemory : public testing::TestWithParam<SphereTreeBuilderEntry> {};

TEST_P(EveryBuilderShortOfMemory, AnswersWithAnError) {
  const Polyhedron polyhedron(test::torus(12, 8));
  for (const int workers : {1, 3}) {
    SphereTreeSettings settings;
    settings.levels = 2;
    settings.workers = workers;
    settings.variational.seeds = settings.dag.seeds = SphereSeeds::FarthestPoints;
    settings.nodeBoxRatio = 1.0;
    settings.innerSpheres = 20;
    settings.medial.surfacePoints = settings.anchored.surfacePoints = 200;
    settings.annealed.schedule.steps = 20;
    // By itself and with the additions
    const auto build = [&] {
      return workers == 1 ? GetParam().build(polyhedron, settings, nullptr)
                          : buildSphereTree(GetParam(), polyhedron, settings);
    };
    const auto whole = build();
    ASSERT_TRUE(whole);
    expectErrors(
        build,
        [&](const Result<SphereTree>& tree) {
          return tree && test::same(tree->data(), whole->data());
        },
        6);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryBuilderShortOfMemory,
                         testing::ValuesIn(sphereTreeBuilderCatalog().begin(),
                                           sphereTreeBuilderCatalog().end()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

TEST(OutOfMemory, IsAnErrorOfEveryDoor) {
  const TriangleMesh mesh = test::torus(12, 8);
  expectErrors([&] { return makePolyhedron(unhindered([&] { return mesh; })); });
  expectErrors([&] {
    TriangleMesh copy = unhindered([&] { return mesh; });
    return cleanMesh(copy, 1e-6);
  });
  const Polyhedron polyhedron(mesh);
  expectErrors([&] { return buildBspTree(polyhedron); });
  expectErrors([&] { return buildInnerSpheres(polyhedron, 20, 2); });

  const auto tree = buildOctreeSphereTree(polyhedron, {.levels = 2});
  const auto bsp = buildBspTree(polyhedron);
  ASSERT_TRUE(tree && bsp);
  const test::TemporaryFolder folder;
  const std::string name = (folder / "tree").string(), bspName = (folder / "bsp").string();
  SphereTreeFile file{{polyhedron.hash(), 1},
                      "octree",
                      static_cast<std::uint32_t>(mesh.triangles.size()),
                      0.0,
                      *tree};
  ASSERT_TRUE(writeSphereTree(name, file));
  ASSERT_TRUE(writeBspTree(bspName, 1, 2, *bsp));
  expectErrors([&] { return readSphereTree(name); });
  expectErrors([&] { return writeSphereTree(name, file); });
  expectErrors([&] { return readBspTree(bspName, 1, 2, file.triangleCount); });
  expectErrors([&] { return writeBspTree(bspName, 1, 2, *bsp); });
  const Shape bare = Shape::of(Polyhedron(mesh));
  expectErrors([&] { return bare.with(unhindered([&] { return *tree; })); });
  expectErrors([&] { return bare.with(unhindered([&] { return *bsp; })); });
  expectErrors([&] {
    // New ones each time: what a search reads of a shape is made when the first one needs it
    const Shapes shapes = unhindered([&] {
      Shapes fresh;
      fresh.add(*bare.with(*tree));
      return fresh;
    });
    return makeNarrowPhase(*findNarrowPhase("sphere-tree"), shapes);
  });
}

TEST(OutOfMemory, CertifiesNothing) {
  const Polyhedron polyhedron(test::torus(12, 8));
  const auto tree = buildOctreeSphereTree(polyhedron, {.levels = 2});
  ASSERT_TRUE(tree);
  const std::size_t count =
      test::allocationsIn([&] { EXPECT_TRUE(checkSphereTree(*tree, polyhedron).covers); });
  std::size_t complaints = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto verdict =
        test::shortOfMemory(i * count / 5, 1, [&] { return checkSphereTree(*tree, polyhedron); });
    // What only hastens the check may be missing: then it is certified all the same
    const bool certified = verdict.covers && verdict.bounds;
    EXPECT_EQ(certified, verdict.complaint.empty());
    EXPECT_EQ(certified, verdict.covers || verdict.bounds);
    if (!certified) {
      EXPECT_THAT(verdict.complaint, HasSubstr("not enough memory"));
    }
    complaints += !certified;
  }
  EXPECT_GT(complaints, 1u);
}

TEST(OutOfMemory, EndsTheUseOfADetector) {
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(test::torus(12, 8));
  std::vector<BodyState> bodies(12);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i;
    bodies[i].pose.position.x = 0.3 * i;
    bodies[i].shape = ShapeRef::ofRadius(shapes[0].radius());
  }
  std::unique_ptr<Detector> detector;
  const auto detect = [&] {
    // A new one each time: one that ran short is of no more use
    detector = unhindered([&] {
      return std::make_unique<Detector>(makeSweepAndPruneBroadPhase(),
                                        makeBruteForceNarrowPhase(test::borrowed(shapes)));
    });
    return test::caught([&] { return &detector->detect(bodies, 0.0, TimeBudget::unlimited()); });
  };
  const auto found = detect();
  ASSERT_TRUE(found);
  EXPECT_GT((*found)->pairs.size(), 10u);
  EXPECT_TRUE(detector->isUsable());
  int refused = 0;
  for (std::size_t after = 0; after < 12; ++after) {
    const auto result = test::shortOfMemory(after, 1, detect);
    ASSERT_EQ(detector->isUsable(), result.has_value());
    if (result) continue;
    EXPECT_EQ(result.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(result.error().message, HasSubstr("not enough memory"));
    if (++refused > 1) continue;
    EXPECT_DEATH(detector->detect(bodies, 1.0, TimeBudget::unlimited()),
                 "an earlier detection by this detector ran out of memory");
  }
  EXPECT_GT(refused, 5);
}

TEST(ParallelFor, ThrowsHereWhatWasThrownThere) {
  for (const int workers : {1, 2, 7}) {
    std::atomic<int> begun{0};
    const auto run = [&] {
      parallelFor(1000, workers, [&](std::size_t i, int) {
        ++begun;
        if (i == 100) throw std::runtime_error("the hundredth");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_GE(begun, 101);
    // Work that had not begun is left; several threads may have begun all
    if (workers == 1) {
      EXPECT_EQ(begun, 101);
    }
  }
}

TEST(ParallelFor, MakesDoWithTheThreadsThatThereAre) {
  for (std::size_t after = 0; after < 12; ++after)
    for (const std::size_t refusals : {std::size_t{1}, endless}) {
      std::vector<std::atomic<int>> calls(500);
      const bool whole = test::shortOfMemory(after, refusals, [&] {
        parallelFor(calls.size(), 6, [&](std::size_t i, int) { ++calls[i]; });
        return true;
      });
      EXPECT_TRUE(whole);
      for (const auto& count : calls) ASSERT_EQ(count, 1);
    }
}

}  // namespace
}  // namespace nearmiss
