// SPDX-License-Identifier: MIT
/// The bench without a window: its numbers are the library's, its poses come back to the bit, and
/// what cannot be read changes nothing.
#include "fly/modes/bench/bench.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "app/fly/modes.h"
#include "fly/modes/bench/bench_pose.h"
#include "fly/settings/remembered_settings.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

class BenchData : public testing::Test {
 protected:
  /// Of meshes as files, in their own frames.
  std::shared_ptr<const engine::ShapeSet> shapesOf(const TriangleMesh& a, const TriangleMesh& b) {
    std::vector<engine::ModelFile> files;
    for (const TriangleMesh* mesh : {&a, &b})
      files.push_back(
          {test::writeText(folder / (std::to_string(files.size()) + ".obj"), test::asObj(*mesh)),
           true});
    engine::ShapeOptions options;
    options.treeBuilder = "octree";
    options.cacheFolder = folder / "cache";
    auto shapes = engine::buildShapeSet(files, options);
    EXPECT_TRUE(shapes.has_value());
    return *shapes;
  }
  test::TemporaryFolder folder;
};

Quat turnedBy(SplitMix& random) {
  const auto part = [&] { return random.between(-1.0, 1.0); };
  const Real z = part(), y = part(), x = part(), w = part() + 1.5;
  return glm::normalize(Quat(w, x, y, z));
}

TEST_F(BenchData, SaysWhatTheLibrarySays) {
  Bench bench(shapesOf(test::torus(10, 6), test::spikyStar(3, 6, 8)));
  const Shapes& shapes = bench.shapes()->collision();
  const Shape &a = shapes[0], &b = shapes[1];
  SplitMix random(7);
  int touching = 0, apart = 0, open = 0, pointed = 0;
  for (int i = 0; i < 36; ++i) {
    BenchSetup setup;
    setup.poses[0].rotation = turnedBy(random);
    setup.poses[1].rotation = turnedBy(random);
    setup.poses[1].position = {random.between(-2.0, 2.0), random.between(-1.0, 1.0), 0.3};
    setup.limits.level = i % (engine::exactDepth + 1);
    const auto read = bench.read(setup);
    ASSERT_TRUE(read.has_value());
    const auto& [poseA, poseB] = setup.poses;

    CollisionQuery query;
    query.begin(a, poseA, b, poseB);
    const Refinement expected = setup.limits.level == 0 ? query.known()
                                : setup.limits.level == engine::exactDepth
                                    ? query.refine()
                                    : query.refineTo(setup.limits.level);
    EXPECT_EQ(read->known.verdict, expected.verdict) << i;
    EXPECT_EQ(read->known.level, expected.level) << i;
    EXPECT_EQ(read->known.separationBound, expected.separationBound) << i;
    open += expected.verdict == Verdict::Possible;

    const DistanceBounds truth = distance(a, poseA, b, poseB);
    EXPECT_EQ(read->distance.upper, truth.upper) << i;
    EXPECT_EQ(read->distance.lower, truth.lower) << i;
    const bool meet = truth.upper == 0.0;
    ASSERT_EQ(read->penetration.has_value(), meet) << i;
    ASSERT_EQ(read->contact.has_value(), !meet) << i;
    // The points have a depth where bodies meet, and the gap where they nearly do
    const Real small = Bench::nearShare * std::min(bench.around(0).radius, bench.around(1).radius);
    const auto& points = read->manifold.points;
    if (truth.upper > small) {
      EXPECT_TRUE(points.empty()) << i;
    } else {
      ASSERT_FALSE(points.empty()) << i;
      if (meet)
        EXPECT_GE(points.front().depth, 0.0) << i;
      else
        EXPECT_NEAR(points.front().depth, -truth.upper, 1e-6 * truth.upper) << i;
      ++pointed;
    }
    for (std::size_t m = 1; m < read->costs.size(); ++m)
      EXPECT_EQ(read->costs[m].verdict == Verdict::Contact, meet) << i << " " << m;
    if (meet) {
      WorkClock clock;
      const PenetrationBounds depth =
          penetration(a, poseA, b, poseB, TimeBudget(clock, Bench::effort));
      EXPECT_EQ(read->penetration->upper, depth.upper) << i;
      EXPECT_EQ(read->penetration->direction, depth.direction) << i;
      // That way out is one
      Pose out = poseB;
      out.position += 1.0001 * depth.upper * depth.direction;
      EXPECT_EQ(collide(a, poseA, b, out).verdict, Verdict::Separate) << i;
      ++touching;
    } else {
      // At that time, moved so, they are as near as is said, and not before
      const Vec3 way = bench.around(0, poseA).centre - bench.around(1, poseB).centre;
      const Vec3 velocity = read->speed / glm::length(way) * way;
      Pose then = poseB;
      then.position += read->contact->noContactBefore * velocity;
      const Real left = distance(a, poseA, b, then).upper;
      EXPECT_TRUE(read->contact->reached) << i;
      EXPECT_LE(left,
                1.01 * Bench::contactTolerance * (bench.around(0).radius + bench.around(1).radius))
          << i;
      ++apart;
    }
  }
  EXPECT_GT(touching, 8);
  EXPECT_GT(apart, 8);
  EXPECT_GT(open, 5);
  EXPECT_GT(pointed, 8);
}

TEST_F(BenchData, WritesWhatItReadsAsATable) {
  Bench bench(shapesOf(test::torus(), test::cube(0.3)));
  BenchSetup setup;
  setup.models = {"a, b.stl", "lamp"};
  setup.poses = bench.sideBySide();
  setup.limits.time = std::chrono::microseconds(40);
  const auto read = bench.read(setup);
  ASSERT_TRUE(read.has_value());
  std::istringstream text(csvOf(setup, *read));
  std::string names, values, rest;
  std::getline(text, names);
  std::getline(text, values);
  EXPECT_FALSE(std::getline(text, rest));
  EXPECT_TRUE(names.starts_with("a,b,a_x_m,"));
  EXPECT_TRUE(values.starts_with("\"a, b.stl\",lamp,"));
  // One comma more, in the name of a file
  EXPECT_EQ(std::ranges::count(values, ',') - 1, std::ranges::count(names, ','));
  EXPECT_NE(values.find(fmt::format(",{},", read->distance.upper)), std::string::npos);
}

TEST_F(BenchData, TakesBodiesOfAnySize) {
  for (const Real size : {1e-9, 1.0, 1e9}) {
    Bench bench(shapesOf(test::cube(size), test::cube(size)));
    BenchSetup setup;
    setup.poses = bench.sideBySide();
    const auto apart = bench.read(setup);
    ASSERT_TRUE(apart.has_value());
    EXPECT_EQ(apart->known.verdict, Verdict::Separate);
    const Real gap = setup.poses[1].position.x - setup.poses[0].position.x - 2.0 * size;
    EXPECT_NEAR(apart->distance.upper / gap, 1.0, 1e-6);
    setup.poses[1].position = setup.poses[0].position + Vec3(1.5 * size, 0.1 * size, 0.0);
    const auto meeting = bench.read(setup);
    ASSERT_TRUE(meeting.has_value());
    EXPECT_EQ(meeting->known.verdict, Verdict::Contact);
    EXPECT_NEAR(meeting->penetration->upper / size, 0.5, 0.01);
    // Words have digits at any size
    EXPECT_EQ(lengthText(meeting->penetration->upper).find("0.00"), std::string::npos) << size;
  }
  // Far beyond, the library refuses with a sentence
  Bench bench(shapesOf(test::cube(), test::cube()));
  BenchSetup setup;
  setup.poses[1].position.x = 1e300;
  const auto refused = bench.read(setup);
  ASSERT_FALSE(refused.has_value());
  EXPECT_FALSE(refused.error().message.empty());
}

TEST_F(BenchData, KeepsPosesToTheBit) {
  SplitMix random(11);
  for (int i = 0; i < 50; ++i) {
    BenchSetup setup;
    setup.models = {"lamp", (folder / "odd \"name\" \\ \n\x7f.stl").string()};
    for (Pose& pose : setup.poses) {
      pose.rotation = turnedBy(random);
      pose.position = std::pow(10.0, random.between(-12.0, 12.0)) *
                      Vec3(random.between(-1.0, 1.0), 0.1, 1.0 / 3.0);
    }
    setup.poses[0].position.z = -0.0;
    setup.limits.level = i % 6;
    if (i % 2 == 0) setup.limits.time = std::chrono::nanoseconds(1000 + 37 * i);
    const auto file = folder / "pose.toml";
    ASSERT_TRUE(saveBench(setup, file).has_value());
    const auto read = readBench(file);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_TRUE(samePlaces(setup, *read)) << i;
    EXPECT_TRUE(std::signbit(read->poses[0].position.z));
    EXPECT_EQ(setup.models[0], read->models[0]);
    EXPECT_EQ(std::filesystem::path(setup.models[1]),
              std::filesystem::path(read->models[1]).lexically_normal());
  }
}

TEST_F(BenchData, SavesNoPoseOfABenchWithoutBodies) {
  const auto file = folder / "none.toml";
  const auto saved = saveBench(BenchSetup{}, file);
  ASSERT_FALSE(saved.has_value());
  EXPECT_THAT(saved.error().message, testing::HasSubstr("needs two bodies"));
  BenchSetup unnamed;
  unnamed.models = {"lamp", "caf\xe9.stl"};
  EXPECT_FALSE(saveBench(unnamed, file).has_value()) << "a text that could not be read";
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(BenchData, RefusesPosesThatAreNoneInASentence) {
  const std::string body = "[a]\nmodel = \"lamp\"\n[b]\nmodel = \"lamp\"\n";
  EXPECT_TRUE(parseBench(body, "x").has_value());
  for (const std::string& text :
       {std::string(), std::string("a = 1"), std::string("[a"), body + "rotation = [0, 0, 0, 0]",
        body + "position = [1, 2]", body + "position = [nan, 0, 0]",
        body + "position = [1e99, 0, 0]", body + "colour = 3", body + "[limits]\nlevel = 9",
        body + "[limits]\ntime_us = -1", body + "x" + std::string(10'000, '.') + "y = 1",
        std::string("[a]\nmodel = \"lamp\"\n"), std::string("[a]\n[b]\n")}) {
    const auto read = parseBench(text, "pose.toml");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_TRUE(read.error().message.starts_with("pose.toml")) << read.error().message;
  }
  const auto missing = readBench(folder / "none.toml");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(readBench(folder.path()).has_value());
}

class BenchInFlight : public Modes {
 protected:
  BenchInFlight() {
    options.cacheFolder = context.options.cacheFolder = folder / "cache";
    for (const auto& [name, mesh] :
         {std::pair{"torus.obj", test::torus()}, std::pair{"cube.obj", test::cube(0.2)}})
      test::writeText(folder / name, test::asObj(mesh));
  }
  [[nodiscard]] std::string file(std::string_view name) const { return (folder / name).string(); }
  void enter() {
    fly(3);
    bench().enter(context, {file("torus.obj"), file("cube.obj")});
    settle();
    ASSERT_NE(bench().bench(), nullptr);
  }
  void settle() {
    do {
      fly();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (bench().loading());
  }
  [[nodiscard]] bool says(std::string_view words) const { return context.toasts.contains(words); }
  BenchMode& bench() { return context.modes.bench; }
};

TEST_F(BenchInFlight, LeavesTheFlightAsItWas) {
  fly(3);
  const std::uint64_t before = state();
  enter();
  const UiState& ui = context.ui;
  EXPECT_EQ(ui.view.overlay, OverlayMode::Off);
  const std::uint64_t entered = state();
  fly(20);
  apply(context, Action::Restart);
  apply(context, Action::NextMethod);
  EXPECT_EQ(state(), entered);
  EXPECT_NE(state(), before);
  apply(context, Action::Back);
  EXPECT_FALSE(bench().on());
  EXPECT_FALSE(ui.pages.quitQuestion);
  EXPECT_EQ(ui.view.overlay, OverlayMode::Full);
  fly();
  EXPECT_NE(state(), entered);
}

/// The next flight has its panels and its eye, wherever the last one ended.
TEST_F(BenchInFlight, IsNotRememberedBetweenFlights) {
  restoreSettings(context, {folder / "window.toml", false});
  context.ui.view.overlay = OverlayMode::Compact;
  enter();
  ASSERT_EQ(context.ui.view.overlay, OverlayMode::Off);
  const CameraMode eye = context.view.rig.mode();
  remember(context);
  const WindowSettings kept = loadSettings(folder / "window.toml").settings;
  EXPECT_EQ(kept.overlay, OverlayMode::Compact);
  EXPECT_NE(kept.camera, eye);
}

TEST_F(BenchInFlight, MovesTheBodyInHandByKeysAndMouse) {
  enter();
  const BenchSetup start = bench().setup();
  context.times.turnSeconds = 0.1;
  context.steering.control.yaw = -1.0;
  fly();
  context.steering.control = {};
  EXPECT_EQ(bench().setup().poses[0].position, start.poses[0].position);
  EXPECT_NE(bench().setup().poses[1].position, start.poses[1].position);
  EXPECT_EQ(bench().setup().poses[1].rotation, start.poses[1].rotation);
  apply(context, Action::NextOverlay);
  EXPECT_EQ(bench().inHand(), 0u);
  apply(context, Action::Pause);
  EXPECT_TRUE(bench().turning());
  // It turns about its own middle
  const Vec3 middle = bench().bench()->around(0, bench().setup().poses[0]).centre;
  bench().pull(context, {40.0f, 10.0f}, false);
  EXPECT_NE(bench().setup().poses[0].rotation, start.poses[0].rotation);
  EXPECT_LT(glm::distance(middle, bench().bench()->around(0, bench().setup().poses[0]).centre),
            1e-12);
  // Limits by the keys that set them in flight
  apply(context, Action::Cap2);
  EXPECT_EQ(bench().setup().limits.level, 2);
  apply(context, Action::CapNone);
  EXPECT_EQ(bench().setup().limits.level, engine::exactDepth);
  const BenchMode::Shown shown = bench().shown(true);
  ASSERT_NE(shown.reading, nullptr);
  EXPECT_TRUE(shown.current);
  const Shapes& shapes = bench().bench()->shapes()->collision();
  const auto& [poseA, poseB] = bench().setup().poses;
  EXPECT_EQ(shown.reading->known.verdict, collide(shapes[0], poseA, shapes[1], poseB).verdict);
}

TEST_F(BenchInFlight, ADroppedModelReplacesTheBodyInHand) {
  enter();
  const BenchSetup start = bench().setup();
  apply(context, Action::NextOverlay);
  bench().drop(context, folder / "cube.obj");
  settle();
  EXPECT_EQ(bench().setup().models[0], file("cube.obj"));
  EXPECT_EQ(bench().setup().models[1], start.models[1]);
  EXPECT_EQ(bench().setup().poses[1].position, start.poses[1].position);
  EXPECT_LT(glm::distance(bench().bench()->around(0, bench().setup().poses[0]).centre,
                          Vec3(start.poses[0].position)),
            1e-6);
}

/// What cannot be read is a sentence, and both bodies stay where they are.
TEST_F(BenchInFlight, BadModelsAndPosesChangeNothing) {
  enter();
  test::writeText(folder / "empty.stl", "");
  test::writeText(folder / "point.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
  test::writeText(folder / "bad.toml", "[a]\nmodel = 3\n[b]\n");
  const BenchSetup start = bench().setup();
  const Bench* before = bench().bench();
  for (const std::string name : {"empty.stl", "point.obj", "none.stl", "bad.toml", "none.toml"}) {
    context.toasts.clear();
    bench().drop(context, folder / name);
    settle();
    EXPECT_TRUE(says(name)) << name;
    EXPECT_EQ(bench().bench(), before) << name;
    EXPECT_TRUE(samePlaces(bench().setup(), start)) << name;
    EXPECT_EQ(bench().setup().models, start.models) << name;
  }
  // An open surface is taken, with a word
  TriangleMesh open = test::cube(0.5);
  open.triangles.pop_back();
  test::writeText(folder / "open.obj", test::asObj(open));
  context.toasts.clear();
  bench().drop(context, folder / "open.obj");
  settle();
  EXPECT_EQ(bench().setup().models[1], file("open.obj"));
  EXPECT_TRUE(says("open.obj"));
  const BenchMode::Shown shown = bench().shown(true);
  ASSERT_NE(shown.reading, nullptr);
  EXPECT_GT(shown.reading->distance.upper, 0.0);
}

TEST_F(BenchInFlight, SavesAndLoadsItsPose) {
  context.options.benchPose = folder / "kept.toml";
  enter();
  EXPECT_TRUE(says("kept.toml"));
  bench().pull(context, {40.0f, 10.0f}, true);
  context.steering.control = {};
  const BenchSetup saved = bench().setup();
  bench().save(context);
  ASSERT_TRUE(std::filesystem::exists(folder / "kept.toml"));
  bench().pull(context, {-80.0f, 10.0f}, true);
  EXPECT_FALSE(samePlaces(bench().setup(), saved));
  bench().load(context, folder / "kept.toml");
  settle();
  EXPECT_TRUE(samePlaces(bench().setup(), saved));
}

}  // namespace
}  // namespace nearmiss::app::fly
