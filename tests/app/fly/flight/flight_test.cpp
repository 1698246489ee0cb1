// SPDX-License-Identifier: MIT
/// A scene in flight without its window: detectors are switched and the world goes on.
#include "fly/flight/flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/fly/quick_lamps.h"
#include "fly/view/collision_marks.h"
#include "fly/view/contact_look.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

/// Trees of few levels, which are built soon by every builder.
engine::ShapeOptions optionsFor(const std::string& tree) {
  engine::ShapeOptions options;
  options.treeBuilder = tree;
  options.tree.levels = 2;
  options.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-flight-test";
  return options;
}

LoadedScene lamps(int drones) {
  engine::Scene scene;
  scene.drones[0].count = drones;
  scene.clock = engine::ClockKind::Work;
  const auto files = engine::modelFilesOf(scene);
  EXPECT_TRUE(files.has_value());
  scene.tree = "octree";  // the quickest
  engine::ShapeOptions options = optionsFor(scene.tree);
  options.tree.innerSpheres = 64;
  auto shapes = engine::buildShapeSet(*files, options);
  EXPECT_TRUE(shapes.has_value());
  return {scene, *std::move(shapes)};
}

/// Flies until one level of spheres does not separate a pair, and returns its index in the
/// detection.
std::optional<std::size_t> flyUntilTwoAreClose(Flight& flight) {
  engine::FrameInput input = unlimitedFrame();
  input.levelCap = 1;
  for (int frame = 0; frame < 1000; ++frame) {
    (void)flight.advance(input);
    if (!flight.output().detection) continue;
    const auto& pairs = flight.output().detection->pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i].refinement.verdict != Verdict::Separate) return i;
  }
  return std::nullopt;
}

TEST(Flight, SwitchesDetectorsAndKeepsTheWorld) {
  auto flight = Flight::begin(lamps(12));
  ASSERT_TRUE(flight.has_value());
  EXPECT_EQ(flight->inUse().narrow, "sphere-tree");
  (void)flight->advance(unlimitedFrame());
  EXPECT_EQ(flight->output().profile.detector, "sphere-tree");

  const std::uint64_t before = engine::stateHash(flight->world().ships());
  ASSERT_TRUE(flight->setMethod(Method::Bsp).has_value());
  EXPECT_EQ(engine::stateHash(flight->world().ships()), before);
  (void)flight->advance(unlimitedFrame());
  EXPECT_EQ(flight->output().profile.detector, "bsp");
  EXPECT_EQ(flight->output().reference, nullptr);

  ASSERT_TRUE(flight->setMethod(Method::Both).has_value());
  (void)flight->advance(unlimitedFrame());
  EXPECT_EQ(flight->output().profile.detector, "both");
  EXPECT_NE(flight->output().reference, nullptr);
  EXPECT_EQ(flight->inUse().narrow, "sphere-tree + bsp");
}

/// Every narrow phase takes over from the next frame on, under either method; a restart keeps it.
TEST(Flight, SwitchesNarrowPhasesAndKeepsTheWorld) {
  auto flight = Flight::begin(lamps(12));
  ASSERT_TRUE(flight.has_value());
  for (const Method method : {Method::SphereTree, Method::Both, Method::Bsp})
    for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
      if (entry.needsBspTrees) continue;
      SCOPED_TRACE(entry.name);
      ASSERT_TRUE(flight->setMethod(method).has_value());
      const std::uint64_t before = engine::stateHash(flight->world().ships());
      ASSERT_TRUE(flight->setNarrowPhase(std::string(entry.name)).has_value());
      EXPECT_EQ(engine::stateHash(flight->world().ships()), before);
      EXPECT_EQ(narrowPhaseOf(*flight), entry.name);
      EXPECT_EQ(flight->inUse().method, method == Method::Bsp ? Method::SphereTree : method);
      (void)flight->advance(unlimitedFrame());
      EXPECT_EQ(flight->simulation().detector().narrowPhase().name(), entry.name);
    }
  const std::string last = narrowPhaseOf(*flight);
  const auto unknown = flight->setNarrowPhase("spheretree");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(narrowPhaseOf(*flight), last);
  ASSERT_TRUE(flight->restart(5).has_value());
  EXPECT_EQ(flight->simulation().detector().narrowPhase().name(), last);
}

/// All in the order of the catalogue and round again, with an allowance of pairs in force: the
/// state goes on, each detects from the next frame on, and a restart keeps the last one.
TEST(Flight, SwitchesBroadPhasesAndKeepsTheWorld) {
  auto flight = Flight::begin(lamps(12));
  ASSERT_TRUE(flight.has_value());
  ASSERT_TRUE(flight->setMethod(Method::Both).has_value());
  const auto catalog = broadPhaseCatalog();
  for (std::size_t i = 0; i < 2 * catalog.size(); ++i) {
    const std::string name(catalog[i % catalog.size()].name);
    SCOPED_TRACE(name);
    const std::uint64_t before = engine::stateHash(flight->world().ships());
    ASSERT_TRUE(setBroadPhase(*flight, name).has_value());
    EXPECT_EQ(engine::stateHash(flight->world().ships()), before);
    EXPECT_EQ(flight->inUse().broad, name);
    (void)flight->advance(unlimitedFrame());
    EXPECT_EQ(flight->simulation().detector().broadPhase().name(), name);
    EXPECT_EQ(flight->simulation().reference()->broadPhase().name(), name);
    EXPECT_GT(flight->output().profile.detections, 0u) << "no silence of another method counts";
    EXPECT_EQ(looksAhead(*flight), catalog[i % catalog.size()].looksAhead);
    EXPECT_EQ(flight->inUse().method, Method::Both);
  }

  const std::string last = flight->inUse().broad;
  const std::uint64_t before = engine::stateHash(flight->world().ships());
  const auto unknown = setBroadPhase(*flight, "space-tim");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("Did you mean \"space-time\"?"), std::string::npos);
  EXPECT_EQ(flight->inUse().broad, last);
  EXPECT_EQ(engine::stateHash(flight->world().ships()), before);
  ASSERT_TRUE(flight->restart(3).has_value());
  EXPECT_EQ(flight->inUse().broad, last);
  EXPECT_EQ(flight->simulation().detector().broadPhase().name(), last);
}

TEST(Flight, ChangesTreesBetweenFramesAndKeepsTheWorld) {
  LoadedScene loaded = lamps(12);
  auto flight = Flight::begin(loaded);
  ASSERT_TRUE(flight.has_value());
  EXPECT_EQ(flight->inUse().trees, loaded.scene.tree);

  for (const char* tree : {"octree", "variational", "dag", "variational"}) {
    SCOPED_TRACE(tree);
    auto rebuilt = engine::withTrees(flight->shapes(), optionsFor(tree));
    ASSERT_TRUE(rebuilt.has_value()) << rebuilt.error().message;
    const auto close = flyUntilTwoAreClose(*flight);
    ASSERT_TRUE(close) << "there is nothing to look at";
    const std::uint64_t before = engine::stateHash(flight->world().ships());
    // Twice without a frame between: what the last frame's detector looks at must live on
    loaded.scene.tree = tree;
    for (int twice = 0; twice < 2; ++twice)
      ASSERT_TRUE(flight->changeTrees({loaded.scene, *rebuilt}).has_value());
    EXPECT_EQ(flight->inUse().trees, tree);
    EXPECT_EQ(flight->scene().tree, tree);
    EXPECT_EQ(engine::stateHash(flight->world().ships()), before);
    std::vector<ContactSpheres> contacts;
    flight->simulation().detector().contacts(*close, 64, contacts);
    EXPECT_FALSE(contacts.empty());
    const std::weak_ptr<const engine::ShapeSet> inUse = *rebuilt;
    rebuilt = Error{ErrorCode::Cancelled, ""};
    for (int i = 0; i < 10; ++i) (void)flight->advance(unlimitedFrame());
    EXPECT_FALSE(inUse.expired());
  }

  // Trees of other bodies are no trees for these
  const LoadedScene other = lamps(3);
  ASSERT_TRUE(flight->changeTrees(other).has_value());
  EXPECT_NE(flight->sharedShapes(), other.shapes);
}

TEST(Flight, LetsGoOfOldTrees) {
  LoadedScene loaded = lamps(3);
  auto flight = Flight::begin(std::move(loaded));
  ASSERT_TRUE(flight.has_value());
  auto rebuilt = engine::withTrees(flight->shapes(), optionsFor("dag"));
  ASSERT_TRUE(rebuilt.has_value());
  const std::weak_ptr<const engine::ShapeSet> old = flight->sharedShapes();
  ASSERT_TRUE(flight->changeTrees({flight->scene(), *rebuilt}).has_value());
  EXPECT_TRUE(old.expired());
}

TEST(Flight, BeginsWithTheMethodThatTheSceneNames) {
  LoadedScene loaded = lamps(3);
  loaded.scene.narrow = "bsp";
  auto flight = Flight::begin(loaded);
  ASSERT_TRUE(flight.has_value());
  EXPECT_EQ(flight->inUse().method, Method::Bsp);
  ASSERT_TRUE(flight->setMethod(Method::SphereTree).has_value());
  EXPECT_EQ(flight->inUse().narrow, "sphere-tree");
  loaded.scene.narrow = "sphere-tree";
  loaded.scene.reference = "bsp";
  flight = Flight::begin(loaded);
  ASSERT_TRUE(flight.has_value());
  EXPECT_EQ(flight->inUse().method, Method::Both);
}

TEST(Flight, RestartsToTheSameStateWithTheSameSeed) {
  auto flight = Flight::begin(lamps(9));
  ASSERT_TRUE(flight.has_value());
  const std::uint64_t start = engine::stateHash(flight->world().ships());
  for (int i = 0; i < 20; ++i) (void)flight->advance(unlimitedFrame());
  const std::uint64_t after = engine::stateHash(flight->world().ships());
  EXPECT_NE(after, start);
  ASSERT_TRUE(flight->restart(flight->scene().seed).has_value());
  EXPECT_EQ(engine::stateHash(flight->world().ships()), start);
  for (int i = 0; i < 20; ++i) (void)flight->advance(unlimitedFrame());
  EXPECT_EQ(engine::stateHash(flight->world().ships()), after);
  ASSERT_TRUE(flight->restart(1).has_value());
  EXPECT_NE(engine::stateHash(flight->world().ships()), start);
}

/// Twenty drones, whose collisions are marked as they come.
class MarkedFlight : public testing::Test {
 protected:
  void SetUp() override {
    auto begun = Flight::begin(lamps(20));
    ASSERT_TRUE(begun.has_value());
    flight.emplace(*std::move(begun));
  }
  void flyOn() {
    (void)flight->advance(input);
    clock += input.dt;
    marks.update(*flight, clock, 0.5);
  }
  double clock = 0.0;
  std::optional<Flight> flight;
  CollisionMarks marks;
  engine::FrameInput input = unlimitedFrame();
};

TEST_F(MarkedFlight, MarksCollisionsAndInspectsPairsWithTheirTrueDistance) {
  input.levelCap = 3;
  // Looked at so seldom that some are deep in each other when they are found
  input.dt = input.detectStep = 0.1;
  std::size_t marked = 0, proven = 0, compared = 0, pointed = 0, touched = 0;
  PairInspection inspection;
  UiState ui;
  ui.pace.paused = true;
  for (int frame = 0; frame < 2000 && (frame < 500 || proven == 0); ++frame) {
    flyOn();
    ASSERT_LE(marks.marks().size(), CollisionMarks::maxMarks);
    for (const engine::Collision& collision : flight->output().collisions) {
      ++marked;
      EXPECT_EQ(marks.glow(collision.a), 1.0f);
      EXPECT_EQ(marks.marks().back().contacts.empty(), false);
    }
    if (!flight->output().collisions.empty()) {
      const Verdict last = flight->output().collisions.back().refinement.verdict;
      ASSERT_EQ(marks.marks().back().proven, last == Verdict::Contact);
      const auto& contact = marks.marks().back().contact;
      pointed += contact.has_value();
      if (contact) {
        EXPECT_EQ(last, Verdict::Contact);
        EXPECT_GE(contact->count, 1u);
      }
      proven += marks.marks().back().proven;
    }
    const auto next = contactAfter(*flight, ui.view.picked);
    ui.view.picked = next ? next->ships : PickedShips{};
    if (frame % 50 != 0 || !ui.view.picked.pair()) continue;
    // The answer comes from another thread
    std::optional<PairReport> report;
    for (int i = 0; i < 2000; ++i) {
      report = inspection.report(*flight, ui);
      if (report && report->truth) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(report && report->truth);
    ++compared;
    const ContactManifold& manifold = report->truth->manifold;
    if (report->truth->distance.upper == 0.0) {
      EXPECT_FALSE(manifold.points.empty());
      touched += inspection.manifold(*flight, ui).has_value();
    }
    if (report->inBroadPhase && report->refinement.verdict != Verdict::Separate) {
      EXPECT_LE(report->truth->distance.upper, report->refinement.separationBound + 1e-9);
    }
  }
  EXPECT_GT(marked, 20u);
  // Above the triangles, by spheres inside
  EXPECT_GT(proven, 0u);
  EXPECT_GT(pointed, 0u);
  EXPECT_GT(compared, 3u);
  EXPECT_GT(touched, 0u);
}

TEST_F(MarkedFlight, SaysOfAPairThatAShipOfItWaits) {
  ASSERT_TRUE(setBroadPhase(*flight, "space-time-grid"));
  PairInspection inspection;
  UiState ui;
  ui.view.picked = {flight->output().bodies[0].key, flight->output().bodies[1].key};
  auto report = inspection.report(*flight, ui);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->looked) << "no frame was flown";
  std::size_t waited = 0;
  input.detectionBudget = std::chrono::nanoseconds(1);
  for (int frame = 0; frame < 200; ++frame) {
    flyOn();
    const Detection* found = flight->output().detection;
    ASSERT_TRUE(found);
    for (const PostponedBody& left : found->postponedBodies) {
      const std::size_t other = left.body == 0 ? 1 : 0;
      ui.view.picked = {flight->output().bodies[left.body].key, flight->output().bodies[other].key};
      report = inspection.report(*flight, ui);
      ASSERT_TRUE(report && report->looked);
      EXPECT_TRUE(report->inBroadPhase || report->wait);
      waited += !report->inBroadPhase;
    }
  }
  EXPECT_GT(waited, 0u);
}

TEST_F(MarkedFlight, EveryMarkHasALetterThatItKeepsWhileThePairTouches) {
  input.levelCap = 1;
  std::size_t together = 0, kept = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> before;
  for (int frame = 0; frame < 1500; ++frame) {
    flyOn();
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> slots;
    std::set<std::size_t> used;
    for (const CollisionMark& mark : marks.marks()) {
      ASSERT_LT(mark.slot, CollisionMarks::maxMarks);
      ASSERT_TRUE(used.insert(mark.slot).second) << "two pairs have one letter";
      const auto last = before.find({mark.a, mark.b});
      if (last != before.end()) {
        ASSERT_EQ(mark.slot, last->second);
        ++kept;
      }
      slots[{mark.a, mark.b}] = mark.slot;
    }
    together += used.size() > 1;
    before = slots;
  }
  EXPECT_GT(together, 0u);
  EXPECT_GT(kept, 0u);
}

TEST_F(MarkedFlight, MarksFadeByTheClockThatTheyAreGivenAndNotByTheFlights) {
  for (int frame = 0; frame < 3000 && marks.marks().empty(); ++frame) flyOn();
  ASSERT_FALSE(marks.marks().empty());
  const std::size_t hit = marks.marks().back().a;
  for (int frame = 0; frame < 120; ++frame) {
    (void)flight->advance(input);
    marks.update(*flight, clock, 0.5);
  }
  EXPECT_EQ(marks.glow(hit), 1.0f) << "as long as that clock stands";
  clock += 0.6;
  do {
    (void)flight->advance(input);
  } while (!flight->output().collisions.empty());
  marks.update(*flight, clock, 0.5);
  EXPECT_TRUE(marks.marks().empty());
  EXPECT_EQ(marks.glow(hit), 0.0f);
}

/// Both ships lie in what the camera is to show.
TEST_F(MarkedFlight, FocusesOnBothShipsOfAPair) {
  flyOn();
  const auto next = contactAfter(*flight, {});
  ASSERT_TRUE(next);
  const auto focus = focusOf(*flight, next->ships);
  ASSERT_TRUE(focus);
  for (const std::uint32_t key : {next->ships.a, next->ships.b}) {
    const BodyState& body = flight->output().bodies[*indexOf(*flight, key)];
    EXPECT_LE(glm::distance(body.pose.position, focus->centre) + body.shape.radius(),
              focus->radius * (1.0 + 1e-12));
  }
  EXPECT_FALSE(focusOf(*flight, PickedShips{}));
}

}  // namespace
}  // namespace nearmiss::app::fly
