// SPDX-License-Identifier: MIT
/// The picture of the bench and its panel: numbers stay numbers, agree wherever they stand, and the
/// bodies are large and never beside the picture.
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <map>
#include <string>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "app/fly/read_figures.h"
#include "fly/modes/bench/bench_mode.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

constexpr double atOnce = std::numeric_limits<double>::infinity();

class BenchTruth : public testing::Test {
 protected:
  BenchTruth() {
    std::vector<engine::ModelFile> files;
    for (const TriangleMesh& mesh : {test::torus(12, 8), test::cube(0.4)})
      files.push_back(
          {test::writeText(folder / (std::to_string(files.size()) + ".obj"), test::asObj(mesh)),
           true});
    engine::ShapeOptions options;
    options.treeBuilder = "octree";
    options.cacheFolder = folder / "cache";
    bench.emplace(*engine::buildShapeSet(files, options));
    scene.setBodies(*bench);
    rig.setMode(CameraMode::Orbit);
    rig.glide(BenchScene::wholeView, 0.0, 1e9);
  }
  std::map<std::string, std::string> rowsOf(const BenchReading& reading) {
    std::map<std::string, std::string> rows;
    for (const BenchRow& row : benchRows(reading)) rows.emplace(row.name, row.value);
    return rows;
  }
  /// What is written over the picture.
  std::string labelled(const BenchSetup& setup, const BenchReading& reading) {
    text.next();
    scene.look(rig, setup.poses, part, false, atOnce);
    (void)scene.compose(*bench, setup, &reading, 1);
    scene.label(Ink(), *bench, setup, &reading, 1);
    return DrawnText::textIn({0.0f, 0.0f, 1280.0f, 720.0f}, text.drawn());
  }
  /// The pixels of all vertices of a body.
  std::vector<glm::vec2> pixelsOf(std::uint32_t body, const Pose& pose) const {
    std::vector<glm::vec2> pixels;
    for (const engine::DrawVertex& vertex : bench->shapes()->drawMesh(body).vertices) {
      const Vec3 place(vertex.position[0], vertex.position[1], vertex.position[2]);
      glm::vec2 at;
      EXPECT_TRUE(project(scene.camera(), static_cast<int>(part.width),
                          static_cast<int>(part.height), transformed(pose, place), at));
      pixels.push_back(at);
    }
    return pixels;
  }

  test::TemporaryFolder folder;
  std::optional<Bench> bench;
  BenchScene scene;
  CameraRig rig;
  DrawnText text{1280.0f, 720.0f, 1.0f};
  Rect part{380.0f, 0.0f, 900.0f, 720.0f};
};

TEST_F(BenchTruth, NumbersStayNumbersAndAgreeWithThePicture) {
  SplitMix random(5);
  int touching = 0, apart = 0;
  for (int i = 0; i < 24; ++i) {
    BenchSetup setup;
    setup.poses[1].position = {random.between(-2.4, 2.4), random.between(-0.3, 0.3), 0.1};
    setup.limits.level = i % (engine::exactDepth + 1);
    const auto read = bench->read(setup);
    ASSERT_TRUE(read.has_value());
    const auto rows = rowsOf(*read);
    for (const char* name : {"true gap", "penetration depth", "contact points", "time to contact"})
      EXPECT_FALSE(figureOf(plain(rows.at(name))).dash) << name << ": " << rows.at(name);
    const std::string& bound = rows.at("upper bound on the gap");
    EXPECT_NE(bound, "apart");
    if (std::isfinite(read->known.separationBound) || read->known.verdict == Verdict::Separate) {
      EXPECT_TRUE(bound.starts_with("≤ "));
      EXPECT_FALSE(figureOf(plain(bound).substr(1)).dash) << bound;
    }
    const std::string words = labelled(setup, *read);
    const bool touches = read->distance.upper == 0.0;
    if (touches) {
      ++touching;
      EXPECT_EQ(rows.at("true gap"), lengthText(0.0));
      EXPECT_EQ(rows.at("time to contact"), "0 s");
      if (read->penetration->upper > 0.0) {
        EXPECT_NE(words.find(plain(lengthText(read->penetration->upper) + " to separate")),
                  std::string::npos)
            << words;
        EXPECT_NE(rows.at("penetration depth").find(lengthText(read->penetration->upper)),
                  std::string::npos);
      }
      EXPECT_EQ(words.find("gap"), std::string::npos) << words;
    } else {
      ++apart;
      EXPECT_EQ(rows.at("penetration depth"), lengthText(0.0));
      EXPECT_NE(words.find(plain("gap " + lengthText(read->distance.upper))), std::string::npos)
          << words;
      EXPECT_NE(rows.at("true gap").find(lengthText(read->distance.upper)), std::string::npos);
      EXPECT_EQ(words.find("separate"), std::string::npos) << words;
    }
    // The bound holds
    if (std::isfinite(read->known.separationBound) && read->known.verdict != Verdict::Separate) {
      EXPECT_GE(read->known.separationBound, read->distance.lower);
    }
    EXPECT_NE(words.find("b,inhand"), std::string::npos) << words;
    EXPECT_NE(words.find("squaresof"), std::string::npos) << words;
  }
  EXPECT_GT(touching, 5);
  EXPECT_GT(apart, 5);
}

TEST_F(BenchTruth, BothBodiesFillThePictureFromEverySide) {
  for (int turn = 0; turn < 24; ++turn) {
    BenchSetup setup;
    setup.poses = bench->sideBySide();
    rig.face(0.26 * turn, turn % 3 * 0.5 - 0.4);
    scene.look(rig, setup.poses, part, false, atOnce);
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
    for (std::uint32_t body = 0; body < 2; ++body)
      for (const glm::vec2& at : pixelsOf(body, setup.poses[body])) {
        left = std::min(left, at.x);
        right = std::max(right, at.x);
        top = std::min(top, at.y);
        bottom = std::max(bottom, at.y);
      }
    EXPECT_TRUE(left >= 0.0f && right <= part.width && top >= 0.0f && bottom <= part.height)
        << turn;
    EXPECT_TRUE(right - left > 0.6f * part.width || bottom - top > 0.5f * part.height) << turn;
  }
}

TEST_F(BenchTruth, ABodyThatIsMovedAwayComesBackIntoThePicture) {
  BenchSetup setup;
  setup.poses = bench->sideBySide();
  rig.face(0.35, 0.25);
  scene.look(rig, setup.poses, part, false, atOnce);
  EXPECT_LT(glm::length(scene.backInside(1, setup.poses[1])), 1e-9);
  const Quat& eye = scene.camera().pose.rotation;
  for (const Vec3& way : {Vec3(5, 0, 0), Vec3(-9, 0, 0), Vec3(0, 7, 0), Vec3(3, -8, 1)}) {
    Pose pose = setup.poses[1];
    pose.position += eye * way;
    for (int i = 0; i < 3; ++i) pose.position += scene.backInside(1, pose);
    for (const glm::vec2& at : pixelsOf(1, pose)) {
      EXPECT_TRUE(at.x > -2.0f && at.x < part.width + 2.0f) << at.x;
      EXPECT_TRUE(at.y > -2.0f && at.y < part.height + 2.0f) << at.y;
    }
  }
}

TEST_F(BenchTruth, TheMouseTakesABodyNotTheSpaceBesideIt) {
  BenchSetup setup;
  setup.poses = bench->sideBySide();
  scene.look(rig, setup.poses, part, false, atOnce);
  const glm::vec2 offset(part.x, part.y);
  for (std::uint32_t body = 0; body < 2; ++body) {
    const auto found =
        scene.bodyAt(*bench, setup.poses, offset + pixelsOf(body, setup.poses[body])[3]);
    ASSERT_TRUE(found) << body;
    EXPECT_EQ(*found, body);
  }
  EXPECT_FALSE(scene.bodyAt(*bench, setup.poses, offset + glm::vec2(5.0f, 5.0f)));
}

TEST(RoundLength, IsOneTwoOrFiveTimesAPowerOfTen) {
  for (const auto& [length, expected] :
       {std::pair{1.0, 1.0}, std::pair{1.99, 1.0}, std::pair{2.0, 2.0}, std::pair{0.049, 0.02},
        std::pair{0.05, 0.05}, std::pair{730.0, 500.0}, std::pair{9.99e-9, 5e-9}})
    EXPECT_NEAR(roundLength(length) / expected, 1.0, 1e-12) << length;
}

TEST_F(BenchTruth, ThePlotKeepsTheLastPlacesOfTheBodies) {
  BenchReading reading;
  for (BenchCost& cost : reading.costs) cost.time = std::chrono::microseconds(3);
  CostPlot plot;
  for (std::size_t i = 0; i < CostPlot::capacity + 10; ++i) {
    reading.distance.upper = 0.01 * static_cast<double>(i);
    plot.add(reading);
  }
  ASSERT_EQ(plot.samples().size(), CostPlot::capacity);
  // The first ten were replaced
  const auto least = std::ranges::min(plot.samples(), {}, &CostSample::gap);
  EXPECT_NEAR(least.gap, 0.1, 1e-12);
  EXPECT_EQ(least.micros[2], 3.0);
  // Left of zero: the depth
  reading.distance.upper = 0.0;
  reading.penetration = PenetrationBounds{0.02, 0.03, Vec3(1, 0, 0), false};
  plot.add(reading);
  EXPECT_EQ(signedDistance(reading), -0.03);
  EXPECT_EQ(std::ranges::min(plot.samples(), {}, &CostSample::gap).gap, -0.03);
  text.next();
  plot.draw(Ink(), {10.0f, 10.0f, 400.0f, 200.0f});
  const std::string words = DrawnText::textIn({0.0f, 0.0f, 1280.0f, 720.0f}, text.drawn());
  EXPECT_NE(words.find("3.00cmdeep"), std::string::npos) << words;
  EXPECT_NE(words.find("1.0us"), std::string::npos) << words;
  plot.forgetLimited();
  EXPECT_EQ(plot.samples()[0].micros[0], 0.0);
  plot.clear();
  EXPECT_TRUE(plot.samples().empty());
}

class BenchSweep : public Modes {};

TEST_F(BenchSweep, GoesThroughTheOtherBodyAndComesBack) {
  context.options.cacheFolder = folder / "cache";
  const auto a = test::writeText(folder / "a.obj", test::asObj(test::cube(0.3)));
  BenchMode& bench = context.modes.bench;
  bench.enter(context, {a.string(), a.string()});
  for (int i = 0; i < 3000 && (bench.loading() || !bench.bench()); ++i) {
    fly();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_NE(bench.bench(), nullptr);
  const BenchSetup start = bench.setup();
  context.times.turnSeconds = 0.05;
  apply(context, Action::Run);
  Real nearest = std::numeric_limits<Real>::infinity();
  // Ten seconds; on the work clock, a turn is a sixtieth
  for (int turn = 0; turn < 620; ++turn) {
    fly();
    if (turn % 4 > 0) continue;
    const BenchMode::Shown shown = bench.shown(true);
    ASSERT_NE(shown.reading, nullptr);
    nearest = std::min(nearest, signedDistance(*shown.reading));
  }
  EXPECT_LT(nearest, 0.0) << "the bodies overlapped";
  EXPECT_LT(glm::distance(bench.setup().poses[1].position, start.poses[1].position), 1e-9);
  EXPECT_GT(bench.plot().samples().size(), 100u);
  // A key of the user ends it
  apply(context, Action::Run);
  fly(5);
  const Vec3 moved = bench.setup().poses[1].position;
  EXPECT_NE(moved, start.poses[1].position);
  apply(context, Action::Run);
  fly(5);
  EXPECT_EQ(bench.setup().poses[1].position, moved);
}

}  // namespace
}  // namespace nearmiss::app::fly
