// SPDX-License-Identifier: MIT
/// Scenes larger than the memory allowed to them: the same contacts, never more in memory.
#include <engine/interference/interference.h>
#include <engine/interference/visit_plan.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/files.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;

/// Tori and stars of many sizes, each model a file, some used by several objects.
class Plant : public testing::Test {
 protected:
  static constexpr int models = 10, count = 32;

  Plant() {
    Random random(8);
    for (int m = 0; m < models; ++m) {
      TriangleMesh mesh =
          m % 2 ? nearmiss::test::torus(10 + m, 6 + m / 2) : nearmiss::test::spikyStar(m, 6 + m, 8);
      const Real size = random.between(0.4, 1.2);
      for (Vec3& p : mesh.positions) p *= size;
      writeText(folder_ / fmt::format("m{}.obj", m), nearmiss::test::asObj(mesh));
    }
    std::string text = "version = 1\n";
    for (int i = 0; i < count; ++i) {
      const Vec3 p = random.inCube(2.2);
      const Quat q = random.rotation();
      text += fmt::format(
          "[[objects]]\nname = \"object {}\"\nmodel = \"m{}.obj\"\nposition = [{}, {}, {}]\n"
          "rotation = [{}, {}, {}, {}]\n",
          i, random.whole(0, models - 1), p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    }
    layout_ = writeText(folder_ / "plant.toml", text);
  }

  StillScene scene() const {
    auto read = readStillScene(layout_, folder_ / "store", "octree");
    EXPECT_TRUE(read) << read.error().message;
    return read ? *std::move(read) : StillScene{};
  }

  /// Every object against every other, with all shapes there.
  static std::vector<BodyPair> truthOf(const StillScene& scene) {
    std::vector<Shape> shapes;
    for (const StoredShape& stored : scene.shapes) shapes.push_back(*readShape(stored.file));
    std::vector<BodyPair> contacts;
    for (std::uint32_t i = 0; i < scene.objects.size(); ++i)
      for (std::uint32_t j = i + 1; j < scene.objects.size(); ++j) {
        const StillObject &a = scene.objects[i], &b = scene.objects[j];
        if (collide(shapes[a.shape], a.pose, shapes[b.shape], b.pose).verdict == Verdict::Contact)
          contacts.push_back({i, j});
      }
    return contacts;
  }

  static std::vector<BodyPair> contactsOf(const Interference& found) {
    std::vector<BodyPair> pairs;
    for (const Clash& clash : found.clashes)
      if (isContact(clash.kind)) pairs.push_back(clash.pair);
    return pairs;
  }

  TemporaryFolder folder_;
  std::filesystem::path layout_;
};

TEST_F(Plant, HasTheSameContactsInAnyMemory) {
  const StillScene plant = scene();
  const auto truth = truthOf(plant);
  EXPECT_GT(truth.size(), 20u);
  EXPECT_LT(truth.size(), 400u);
  std::uint64_t heaviest = 0, all = 0;
  for (const StoredShape& shape : plant.shapes) {
    heaviest = std::max(heaviest, shape.bytes);
    all += shape.bytes;
  }
  std::size_t fewest = 0;
  std::vector<Clash> first;
  for (const std::uint64_t limit : {10 * all, all, all / 2, 2 * heaviest})
    for (const VisitOrder order : {VisitOrder::Planned, VisitOrder::Given}) {
      const auto found = findInterference(plant, {limit, order});
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(contactsOf(*found), truth) << limit;
      if (first.empty()) first = found->clashes;
      EXPECT_EQ(found->clashes.size(), first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(found->clashes[i].kind, first[i].kind);
        EXPECT_EQ(found->clashes[i].depth, first[i].depth);
        EXPECT_EQ(found->clashes[i].ofB, first[i].ofB);
      }
      EXPECT_GE(found->pairs, truth.size());
      EXPECT_EQ(found->sceneBytes, all);
      EXPECT_LE(found->figures.maxBytes, limit);
      EXPECT_GE(found->figures.reads, plant.shapes.size());
      if (limit >= all) {
        EXPECT_EQ(found->figures.reads, plant.shapes.size()) << "each once where all fit";
      }
      fewest = std::max(fewest, found->figures.reads);
    }
  EXPECT_GT(fewest, 2 * plant.shapes.size()) << "the least memory has to read again";
}

TEST_F(Plant, RefusesALimitThatTwoShapesDoNotFit) {
  const StillScene plant = scene();
  const auto found = findInterference(plant, {1000, VisitOrder::Planned});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(found.error().message, HasSubstr("of memory together; at most 0.0 are allowed"));
}

TEST_F(Plant, IsStoredOnce) {
  const StillScene first = scene();
  const auto written = std::filesystem::last_write_time(first.shapes[0].file);
  const StillScene again = scene();
  ASSERT_EQ(first.shapes.size(), again.shapes.size());
  for (std::size_t i = 0; i < first.shapes.size(); ++i) {
    EXPECT_EQ(first.shapes[i].file, again.shapes[i].file);
    EXPECT_EQ(first.shapes[i].bytes, again.shapes[i].bytes);
    EXPECT_EQ(first.shapes[i].box.low, again.shapes[i].box.low);
  }
  EXPECT_EQ(std::filesystem::last_write_time(first.shapes[0].file), written);
  // A list that cannot be read is rebuilt, and kept: it may be somebody's
  for (const char* strange : {"{ nonsense", "[1, 2]"}) {
    writeText(folder_ / "store" / "shapes.json", strange);
    EXPECT_EQ(scene().shapes.size(), first.shapes.size());
    const char* kept = *strange == '{' ? "shapes-damaged.json" : "shapes-damaged-2.json";
    EXPECT_EQ(nearmiss::test::readText(folder_ / "store" / kept), strange);
  }
}

TEST_F(Plant, SaysWhichShapeCannotBeRead) {
  const StillScene plant = scene();
  writeText(plant.shapes[3].file, "no shape");
  const auto found = findInterference(plant, {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr(plant.shapes[3].file.filename().string()));
}

TEST_F(Plant, LeavesOutWhatItIsTold) {
  StillScene plant = scene();
  const auto all = findInterference(plant, {});
  ASSERT_TRUE(all);
  const auto pairs = contactsOf(*all);
  ASSERT_GT(pairs.size(), 3u);
  const auto nameOfObject = [&](std::uint32_t i) { return plant.objects[i].name; };
  const std::vector<SkippedNames> names{
      {nameOfObject(pairs[1].b), nameOfObject(pairs[1].a), SkipReason::Joint},
      {nameOfObject(pairs[1].a), nameOfObject(pairs[1].b), SkipReason::Allowed},
      {nameOfObject(pairs[3].a), nameOfObject(pairs[3].b), SkipReason::Allowed},
      {"nobody", nameOfObject(0), SkipReason::Allowed}};
  ASSERT_TRUE(leaveOut(names, plant));
  ASSERT_EQ(plant.skipped.size(), 2u);
  EXPECT_EQ(plant.skipped[0].why, SkipReason::Joint);
  const auto rest = findInterference(plant, {});
  ASSERT_TRUE(rest);
  std::vector<BodyPair> expected = pairs;
  expected.erase(expected.begin() + 3);
  expected.erase(expected.begin() + 1);
  EXPECT_EQ(contactsOf(*rest), expected);
  EXPECT_EQ(rest->pairs, all->pairs - 2);
}

TEST_F(Plant, FindsGapsUpToTheClearance) {
  const StillScene plant = scene();
  InterferenceSettings settings;
  settings.limits.clearance = 0.15;
  const auto found = findInterference(plant, settings);
  ASSERT_TRUE(found);
  std::vector<Shape> shapes;
  for (const StoredShape& stored : plant.shapes) shapes.push_back(*readShape(stored.file));
  std::size_t near = 0;
  auto next = found->clashes.begin();
  for (std::uint32_t i = 0; i < plant.objects.size(); ++i)
    for (std::uint32_t j = i + 1; j < plant.objects.size(); ++j) {
      const StillObject &a = plant.objects[i], &b = plant.objects[j];
      const Real gap = distanceBetween(shapes[a.shape].polyhedron(), shapes[b.shape].polyhedron(),
                                       relativePose(a.pose, b.pose));
      const bool listed = next != found->clashes.end() && next->pair == BodyPair{i, j};
      ASSERT_EQ(listed, gap <= 0.15) << gap;
      if (!listed) continue;
      EXPECT_EQ(next->kind == ClashClass::WithinClearance, gap > 1e-4);
      if (gap > 1e-4) {
        EXPECT_NEAR(next->gap, gap, 1e-9);
      }
      near += gap > 1e-4;
      ++next;
    }
  EXPECT_GT(near, 5u);
}

/// Copies of a part in one place, in the poses of several places and with one part moved a little.
TEST_F(Plant, FindsEveryPairOfManyDuplicates) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += fmt::format("[[objects]]\nmodel = \"m9.obj\"\nposition = [{}, 0, {}]\n",
                        i % 4 < 2 ? 0.0 : 50.0, i == 7 ? 0.01 : 0.0);
  const auto crowd =
      readStillScene(writeText(folder_ / "copies.toml", text), folder_ / "store", "octree");
  ASSERT_TRUE(crowd) << crowd.error().message;
  const auto found = findInterference(*crowd, {});
  ASSERT_TRUE(found) << found.error().message;
  std::size_t duplicates = 0;
  for (const Clash& clash : found->clashes) {
    const bool moved = clash.pair.a == 7 || clash.pair.b == 7;
    EXPECT_EQ(clash.kind == ClashClass::Duplicate, !moved);
    duplicates += clash.kind == ClashClass::Duplicate;
    if (!moved) {
      EXPECT_NEAR(clash.at.x, crowd->objects[clash.pair.a].pose.position.x, 10.0);
    }
  }
  EXPECT_EQ(duplicates, 190u + 171u);
}

TEST_F(Plant, StopsWhenAskedTo) {
  const StillScene plant = scene();
  BuildProgress progress;
  progress.cancelled = true;
  const auto found = findInterference(plant, {}, &progress);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Cancelled);
}

/// Of the pairs of one shape with itself, too, which all come in one visit.
TEST_F(Plant, StopsAndShowsProgressBetweenAnyTwoPairs) {
  std::string text;
  for (int i = 0; i < 150; ++i)
    text += fmt::format("[[objects]]\nmodel = \"m9.obj\"\nposition = [{}, 0, 0]\n", 0.002 * i);
  const auto crowd =
      readStillScene(writeText(folder_ / "crowd.toml", text), folder_ / "store", "octree");
  ASSERT_TRUE(crowd) << crowd.error().message;
  BuildProgress progress;
  std::atomic<bool> ended{false};
  std::jthread watcher([&] {
    while (!ended && !(progress.fraction > 0.0f)) std::this_thread::yield();
    progress.cancelled = true;
  });
  const auto found = findInterference(*crowd, {}, &progress);
  ended = true;
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Cancelled);
}

/// Names that many objects share stand for all pairs of them.
TEST_F(Plant, LeavesOutNoMorePairsThanMemoryHolds) {
  std::string text = "allowed = [[\"a\", \"a\"]]\n";
  for (int i = 0; i < 12'000; ++i) text += "[[objects]]\nname=\"a\"\nmodel=\"gone.obj\"\n";
  const auto read =
      readStillScene(writeText(folder_ / "many.toml", text), folder_ / "store", "octree");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::TooLarge);
  EXPECT_THAT(read.error().message, HasSubstr("more than 67108864 pairs of objects are left out"));
}

TEST_F(Plant, SaysWhatIsWrongWithALayout) {
  const auto faultOf = [&](std::string_view text) {
    const auto file = writeText(folder_ / "wrong.toml", std::string(text));
    const auto read = readStillScene(file, folder_ / "store", "octree");
    return read ? std::string("none") : read.error().message;
  };
  EXPECT_THAT(faultOf("version = 1"), HasSubstr("needs [[objects]]"));
  EXPECT_THAT(faultOf("[[objects]]\nmodel = \"m0.obj\"\nposition = [1, 2]"),
              HasSubstr("wrong.toml:3: position must be 3 numbers"));
  EXPECT_THAT(
      faultOf("[[objects]]\nmodel = \"m0.obj\"\nposition = [1, 2, 1e10]"),
      HasSubstr("wrong.toml:3: position holds 1e+10, and its numbers must be from -1e+09 to "
                "1e+09"));
  EXPECT_THAT(faultOf("[[objects]]\nmodel = \"m0.obj\"\nrotation = [0, 0, 0, 0]"),
              HasSubstr("rotation must not be of length 0"));
  EXPECT_THAT(faultOf("[[objects]]\nmodle = \"m0.obj\""), HasSubstr("Did you mean \"model\"?"));
  EXPECT_THAT(faultOf("[[objects]]\nmodel = \"gone.obj\""), HasSubstr("gone.obj"));
  EXPECT_THAT(faultOf("joints = \"all\"\n[[objects]]\nmodel = \"m0.obj\""),
              HasSubstr("wrong.toml:1: joints must be a list of pairs of names"));
  EXPECT_THAT(faultOf("allowed = [[\"a\"]]\n[[objects]]\nmodel = \"m0.obj\""),
              HasSubstr("allowed must be a list of pairs of names"));
  EXPECT_THAT(faultOf("allowed = [[\"pump\", \"pipr\"]]\n[[objects]]\nname = \"pump\"\nmodel = "
                      "\"m0.obj\"\n[[objects]]\nname = \"pipe\"\nmodel = \"m0.obj\""),
              HasSubstr("allowed names \"pipr\", which no object has. Did you mean \"pipe\"?"));
  EXPECT_EQ(faultOf("[[objects]]\nmodel = \"m0.obj\""), "none");
}

/// A ring of clusters with one object that all of them touch.
StillScene clusters(int number, int size) {
  StillScene scene;
  const auto add = [&](const Vec3& at, Real half, std::uint64_t bytes) {
    StoredShape shape;
    shape.box = {Vec3(-half), Vec3(half)};
    shape.bytes = bytes;
    const auto index = static_cast<std::uint32_t>(scene.shapes.size());
    scene.shapes.push_back(shape);
    scene.objects.push_back({"object", index, {at, {1, 0, 0, 0}}});
  };
  for (int c = 0; c < number; ++c)
    for (int i = 0; i < size; ++i) add({100.0 * c, 0.8 * i, 0.0}, 0.5, 1000);
  add({50.0 * number, 0.0, 0.0}, 100.0 * number, 1000);
  return scene;
}

/// What belongs together is visited together, within half of the limit, and the object that touches
/// all of them belongs to none.
TEST(VisitPlan, DividesWhereFewEdgesAre) {
  const StillScene scene = clusters(6, 20);
  const OverlapGraph graph = overlapGraph(scene);
  EXPECT_EQ(graph.edges.size(), 6u * 19u + 120u);
  for (const std::uint64_t limit : {8'000u, 40'000u, 50'000u}) {
    const auto plan = planVisits(graph, limit);
    EXPECT_EQ(plan.splitOff, 1u);
    EXPECT_EQ(plan.groups.back(), VisitPlan::none);
    std::vector<std::uint64_t> weights(plan.groupCount, 0);
    for (std::size_t shape = 0; shape + 1 < scene.shapes.size(); ++shape)
      weights[plan.groups[shape]] += 1000;
    for (const std::uint64_t weight : weights) EXPECT_LE(weight, limit / 2);
    if (limit >= 40'000) {
      EXPECT_EQ(plan.groupCount, 6u);
    }
    // Each edge once
    std::set<std::uint32_t> seen(plan.edges.begin(), plan.edges.end());
    EXPECT_EQ(seen.size(), graph.edges.size());
    EXPECT_EQ(plan.edges.size(), graph.edges.size());
    // Those of the object that was split off come last, so that it is read once
    const auto hub = static_cast<std::uint32_t>(scene.shapes.size() - 1);
    const auto withHub = [&](std::uint32_t e) { return graph.edges[e].b == hub; };
    EXPECT_TRUE(std::is_partitioned(plan.edges.begin(), plan.edges.end(), std::not_fn(withHub)));
  }
}

/// Whatever the boxes, an edge joins exactly what overlaps.
TEST(OverlapGraph, JoinsWhatOverlaps) {
  Random random(9);
  std::size_t joinedInAll = 0;
  for (int round = 0; round < 40; ++round) {
    StillScene scene;
    for (int s = 0; s < 7; ++s) {
      StoredShape shape;
      const Vec3 low = random.inCube(0.6);
      shape.box = {low, low + Vec3(random.unit(), random.unit(), random.unit())};
      shape.bytes = 1;
      scene.shapes.push_back(shape);
    }
    for (int i = 0; i < 25; ++i)
      scene.objects.push_back({"object",
                               static_cast<std::uint32_t>(random.whole(0, 6)),
                               {random.inCube(2.0), random.rotation()}});
    const OverlapGraph graph = overlapGraph(scene);
    std::set<BodyPair> joined(graph.pairs.begin(), graph.pairs.end());
    ASSERT_EQ(joined.size(), graph.pairs.size());
    std::size_t covered = 0;
    for (const auto& edge : graph.edges) {
      covered += edge.count;
      for (std::size_t i = edge.first; i < edge.first + edge.count; ++i) {
        const std::uint32_t a = scene.objects[graph.pairs[i].a].shape;
        const std::uint32_t b = scene.objects[graph.pairs[i].b].shape;
        ASSERT_EQ(std::min(a, b), edge.a);
        ASSERT_EQ(std::max(a, b), edge.b);
      }
    }
    EXPECT_EQ(covered, graph.pairs.size());
    // Points of both boxes: such objects must be joined
    for (int k = 0; k < 4000; ++k) {
      const Vec3 p = random.inCube(2.5);
      std::vector<std::uint32_t> holders;
      for (std::uint32_t i = 0; i < scene.objects.size(); ++i) {
        const StillObject& object = scene.objects[i];
        const Vec3 own = glm::conjugate(object.pose.rotation) * (p - object.pose.position);
        if (scene.shapes[object.shape].box.contains(own)) holders.push_back(i);
      }
      for (std::size_t i = 0; i < holders.size(); ++i)
        for (std::size_t j = i + 1; j < holders.size(); ++j)
          ASSERT_TRUE(joined.contains(pairOf(holders[i], holders[j])));
    }
    joinedInAll += joined.size();
  }
  EXPECT_GT(joinedInAll, 40u * 4u);
  EXPECT_LT(joinedInAll, 40u * 150u);
}

}  // namespace
}  // namespace nearmiss::engine
