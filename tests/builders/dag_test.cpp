// SPDX-License-Identifier: MIT
/// Sphere-DAGs: that they cover, that spheres are shared, and that a traversal meets none twice.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/manual_clock.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

class DagOfEveryMesh : public testing::TestWithParam<std::size_t> {
 protected:
  DagOfEveryMesh() : polyhedron_(meshes()[GetParam()]) {}
  static std::vector<TriangleMesh> meshes() {
    auto all = test::variousMeshes();
    all.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
    all.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}}, {{0, 1, 2}}});
    all.push_back(test::box({-1, -1, 0}, {1, 1, 1e-6}));
    return all;
  }
  Polyhedron polyhedron_;
};

TEST_P(DagOfEveryMesh, IsCoveredByACertifiedDag) {
  const auto dag = buildSphereDag(polyhedron_, {.levels = 2});
  ASSERT_TRUE(dag) << dag.error().message;
  // Along a needle, as good as a line, the spheres of two levels may end at the same points
  const bool line = polyhedron_.bounds().extent().y < 1e-5;
  EXPECT_TRUE(dag->isDag() || line);
  test::expectCertified(*dag, polyhedron_);
  const auto reports = levelReports(*dag);
  EXPECT_LE(reports[1].spheres, 8u);
  EXPECT_LE(reports[2].spheres, 64u);
}

INSTANTIATE_TEST_SUITE_P(, DagOfEveryMesh, testing::Range<std::size_t>(0, 11));

/// A DAG that is used by several tests, built once.
class Dag : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (TriangleMesh mesh : {test::torus(), test::bedOfNails(5), test::spikyStar(3)}) {
      shapes().emplace_back(std::move(mesh));
      dags().push_back(*buildSphereDag(shapes().back(), {.levels = 2}));
    }
  }
  static std::vector<Polyhedron>& shapes() {
    static std::vector<Polyhedron> all;
    return all;
  }
  static std::vector<SphereTree>& dags() {
    static std::vector<SphereTree> all;
    return all;
  }
};

TEST_F(Dag, SharesSpheres) {
  for (const SphereTree& dag : dags()) {
    std::vector<SphereId> spheres;
    dag.spheresOf(2, spheres);
    std::size_t places = 0;
    const auto& data = dag.data();
    for (std::size_t pack = data.levelBegin[2]; pack < data.levelBegin[3]; ++pack)
      places += static_cast<std::size_t>(std::count_if(data.packs[pack].r,
                                                       data.packs[pack].r + SpherePack::width,
                                                       [](float r) { return r >= 0.0f; }));
    EXPECT_GT(places, spheres.size() + spheres.size() / 4);
    // Within one level the copies refer to the original
    for (const SphereId id : spheres) EXPECT_EQ(dag.identity(id), id);
  }
}

TEST_F(Dag, IsRefusedWhenItsPlacesDisagree) {
  const SphereTree& dag = dags()[0];
  const auto triangles = static_cast<std::uint32_t>(shapes()[0].mesh().triangles.size());
  const auto refused = [&](const auto& damage) {
    SphereTree::Data data = dag.data();
    damage(data);
    return SphereTree::validate(data, triangles) != nullptr;
  };
  SphereId copy = 0;
  while (dag.identity(copy) == copy) ++copy;
  const std::size_t pack = copy / SpherePack::width, lane = copy % SpherePack::width;
  EXPECT_FALSE(refused([](SphereTree::Data&) {}));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.packs[pack].x[lane] += 1.0f; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.links[pack].hausdorff[lane] += 1.0f; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.identity[copy] = copy + 1; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.identity[copy] = 0; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.identity[copy] = 0xffffffff; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.childPackCount[0] += 1; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.childPackCount[0] = 0xffffffff; }));
  EXPECT_TRUE(refused([&](SphereTree::Data& d) { d.childPackCount[copy] += 1; }));
  EXPECT_TRUE(refused([](SphereTree::Data& d) { d.childPackCount.pop_back(); }));
  EXPECT_TRUE(refused([](SphereTree::Data& d) { d.identity.clear(); }));
}

TEST_F(Dag, SurvivesAFile) {
  const auto file = std::filesystem::temp_directory_path() / "nearmiss_dag_test.tree";
  SphereTreeFile contents;
  contents.builder = "dag";
  contents.triangleCount = static_cast<std::uint32_t>(shapes()[0].mesh().triangles.size());
  contents.tree = dags()[0];
  ASSERT_TRUE(writeSphereTree(file, contents));
  const auto read = readSphereTree(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tree.data().identity, dags()[0].data().identity);
  EXPECT_EQ(read->tree.data().childPackCount, dags()[0].data().childPackCount);
}

using Place = std::tuple<Real, Real, Real, Real>;
Place placeOf(const Sphere& s) { return {s.centre.x, s.centre.y, s.centre.z, s.radius}; }

TEST_F(Dag, MeetsNoPairTwiceAndFindsWhatBruteForceFinds) {
  const auto quick = makeSphereTreeAllNarrowPhase(test::borrowed(shapes(), dags()));
  const auto plain = makeBruteForceNarrowPhase(test::borrowed(shapes()));
  Random random(5);
  int meeting = 0, levels = 0;
  const int count = test::cases(300);
  std::vector<ContactSpheres> found;
  for (int i = 0; i < count; ++i) {
    const auto bodies = test::randomNearMissPair(random, shapes());
    const std::array<BodyPair, 1> pairs{BodyPair{0, 1}};
    quick->begin(bodies, pairs);
    plain->begin(bodies, pairs);
    while (quick->result(0).canRefine) {
      quick->refine(0, TimeBudget::unlimited());
      if (quick->result(0).verdict != Verdict::Possible) continue;
      ++levels;
      quick->contacts(0, 1000000, found);
      EXPECT_EQ(found.size(), quick->result(0).collidingSpheres);
      std::set<std::pair<Place, Place>> different;
      for (const ContactSpheres& c : found) different.insert({placeOf(c.a), placeOf(c.b)});
      EXPECT_EQ(different.size(), found.size()) << "pair " << i;
    }
    plain->refine(0, TimeBudget::unlimited());
    EXPECT_EQ(quick->result(0).verdict, plain->result(0).verdict) << "pair " << i;
    meeting += plain->result(0).verdict == Verdict::Contact;
  }
  EXPECT_GT(levels, count / 2);
  EXPECT_GT(meeting, count / 10);
  EXPECT_LT(meeting, count - count / 10);
}

TEST_F(Dag, GivesTheSameAnswerWhenTimeRunsOutAllTheTime) {
  Random random(6);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (const BodyState& body : test::randomNearMissPair(random, shapes())) bodies.push_back(body);
    pairs.push_back({2 * i, 2 * i + 1});
  }
  const auto whole = makeSphereTreeAllNarrowPhase(test::borrowed(shapes(), dags()));
  const auto bitByBit = makeSphereTreeAllNarrowPhase(test::borrowed(shapes(), dags()));
  whole->begin(bodies, pairs);
  bitByBit->begin(bodies, pairs);
  std::size_t interrupted = 0;
  for (bool more = true; more;) {
    more = false;
    std::vector<bool> done(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (whole->result(i).canRefine) whole->refine(i, TimeBudget::unlimited());
    // All pairs in turn, so that each finds the traces of the others
    for (bool open = true; open;) {
      open = false;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (done[i] || !bitByBit->result(i).canRefine) continue;
        ManualClock clock(Clock::Duration{1});
        const TimeBudget budget(clock, Clock::Duration{1});
        done[i] = bitByBit->refine(i, budget);
        interrupted += !done[i];
        open = open || !done[i];
      }
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(whole->result(i).verdict, bitByBit->result(i).verdict);
      EXPECT_EQ(whole->result(i).level, bitByBit->result(i).level);
      EXPECT_EQ(whole->result(i).collidingSpheres, bitByBit->result(i).collidingSpheres);
      EXPECT_EQ(whole->result(i).separationBound, bitByBit->result(i).separationBound);
      more = more || whole->result(i).canRefine;
    }
  }
  EXPECT_GT(interrupted, 20u);
}

/// A flat square of edge 1, so large beside the spheres that its pieces are cut for them.
TriangleMesh sheet() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

const SphereTree& dagOfASheet() {
  static const SphereTree dag = *buildSphereDag(Polyhedron(sheet()), {.levels = 3});
  return dag;
}

/// A child shares a piece of the surface with its parent.
TEST(DagBuilder, KeepsCutPiecesWithTheirOwners) {
  const SphereTree& dag = dagOfASheet();
  const auto& data = dag.data();
  std::size_t links = 0;
  for (int level = 0; level < 3; ++level) {
    std::vector<SphereId> parents;
    dag.spheresOf(level, parents);
    for (const SphereId parent : parents) {
      const SphereId pack =
          data.links[parent / SpherePack::width].childPack[parent % SpherePack::width];
      for (SphereId lane = 0; lane < SpherePack::width * dag.childPackCount(parent); ++lane) {
        const SphereId at = pack * SpherePack::width + lane;
        const Sphere child = dag.sphere(at);
        if (child.radius < 0.0) continue;
        ++links;
        EXPECT_GT(overlap(child, dag.sphere(parent)), 0.0) << parent << " and " << at;
      }
    }
  }
  EXPECT_GT(links, 584u);
}

/// On a flat sheet a ball strays as far as it is large, and the smallest equal balls that cover it
/// lie as a honeycomb does.
TEST(DagBuilder, CoversASheetNearlyAsWellAsAHoneycomb) {
  const SphereTree& dag = dagOfASheet();
  test::expectCertified(dag, Polyhedron(sheet()));
  const auto reports = levelReports(dag);
  ASSERT_EQ(reports.back().spheres, 512u);
  const Real cell = 1.0 / static_cast<Real>(reports.back().spheres);
  const Real honeycomb = std::sqrt(2.0 * cell / (3.0 * std::sqrt(3.0)));
  EXPECT_LT(reports.back().hausdorffMean, 1.095 * honeycomb);
  EXPECT_LT(reports.back().hausdorffMax, 1.38 * honeycomb);
}

TEST(DagBuilder, RefusesWhatItCannotMeet) {
  const Polyhedron polyhedron(test::cube());
  const auto dag = buildSphereDag(polyhedron, {.dag = {.branching = 9}});
  ASSERT_FALSE(dag);
  EXPECT_EQ(dag.error().code, ErrorCode::Unsupported);
  BuildProgress progress;
  progress.cancelled = true;
  const auto none = buildSphereDag(polyhedron, {.levels = 1}, &progress);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace nearmiss
