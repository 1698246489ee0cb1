// SPDX-License-Identifier: MIT
/// Duels as rules, from made-up frames and from real flights; the computer's pilot.
#include <engine/game/duel.h>
#include <engine/game/duel_pilot.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace nearmiss::engine {
namespace {

constexpr Real frameSeconds = 0.1;
constexpr std::uint32_t rock = 3;  // index, and key less 10

BodyState bodyWith(std::uint32_t key, const Vec3& place = Vec3(0.0)) {
  BodyState body;
  body.key = key;
  body.shape = ShapeRef::ofRadius(1.0);
  body.pose.position = place;
  return body;
}

/// Frames whose acts and collisions a test makes up: two ships, two rocks, and the shots.
struct MadeUp {
  std::vector<BodyState> bodies{bodyWith(10), bodyWith(11), bodyWith(12), bodyWith(13)};
  std::vector<HandAct> acts;
  std::vector<Collision> collisions;
  std::size_t shots = 0;
  Real time = 0.0;
  Duel duel;

  MadeUp() { duel.begin(bodies, 0, 1); }

  void shoot(std::uint32_t key) {
    acts.push_back({HandAct::Kind::Shoot, key, {}, {}, {}});
    if (shots == Shots::most) return;
    ++shots;
    bodies.push_back(bodyWith(static_cast<std::uint32_t>(100 + shots)));
  }
  void meet(std::size_t a, std::size_t b) {
    Collision collision;
    const BodyPair pair = pairOf(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    collision.a = pair.a;
    collision.b = pair.b;
    collision.time = time + 0.5 * frameSeconds;
    collisions.push_back(collision);
  }
  DuelState fly(int frames = 1) {
    for (int frame = 0; frame < frames; ++frame) {
      time += frameSeconds;
      FrameOutput output;
      output.bodies = bodies;
      output.shots = shots;
      output.collisions = collisions;
      output.profile.simTime = time;
      (void)duel.take(output, acts);
      acts.clear();
      collisions.clear();
    }
    return duel.state();
  }
  [[nodiscard]] std::size_t shot(std::size_t place) const { return bodies.size() - shots + place; }
  [[nodiscard]] std::array<std::uint32_t, 2> hits() const {
    return {duel.hits(0).total(), duel.hits(1).total()};
  }
};

using Hits = std::array<std::uint32_t, 2>;

TEST(Duel, CountsShotsThatHitTheOtherShipOnce) {
  MadeUp made;
  made.shoot(0);
  made.shoot(11);
  made.fly();
  made.meet(made.shot(0), 0);  // its own
  made.meet(made.shot(1), 1);
  made.meet(made.shot(0), 2);
  made.meet(made.shot(0), made.shot(1));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{0, 0}));
  made.meet(1, made.shot(0));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 0}));
  ASSERT_NE(made.duel.lastHit(), nullptr);
  EXPECT_EQ(made.duel.lastHit()->player, 0u);
  EXPECT_FALSE(made.duel.lastHit()->thrown);
  made.meet(1, made.shot(0));
  made.meet(0, made.shot(1));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 1}));
  EXPECT_EQ(made.duel.hits(1).shots, 1u);
}

TEST(Duel, CountsRammingForNobody) {
  MadeUp made;
  made.shoot(0);
  made.meet(0, 1);
  made.meet(1, 2);
  made.meet(0, 3);
  EXPECT_EQ(made.fly(), DuelState::Flying);
  EXPECT_EQ(made.hits(), (Hits{0, 0}));
}

/// At the maximum the oldest body is shot again, maybe by the other player.
TEST(Duel, KnowsWhoShotABodyAgain) {
  MadeUp made;
  for (std::size_t i = 0; i < Shots::most; ++i) made.shoot(0);
  made.fly();
  made.meet(1, made.shot(0));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 0}));
  made.shoot(11);
  made.shoot(0);
  made.fly();
  made.meet(1, made.shot(0));  // now its own
  made.meet(0, made.shot(0));
  made.meet(0, made.shot(1));
  made.meet(1, made.shot(1));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{2, 1}));
  // The shots of others, and acts of ships that do not exist, score for nobody
  made.shoot(12);
  made.acts.push_back({HandAct::Kind::Shoot, 77, {}, {}, {}});
  made.fly();
  made.meet(1, made.shot(2));
  made.meet(0, made.shot(2));
  made.meet(1, made.shot(3));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{3, 1})) << "the fourth place still holds a shot of player 1";
}

TEST(Duel, CountsThrownBodiesForAFewSeconds) {
  MadeUp made;
  made.meet(0, rock);
  made.fly();
  made.duel.noteThrow(1, 10 + rock);
  made.fly(20);
  made.meet(1, rock);
  made.meet(0, 2);
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{0, 0}));
  made.meet(0, rock);
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{0, 1}));
  EXPECT_EQ(made.duel.hits(1).throws, 1u);
  EXPECT_TRUE(made.duel.lastHit()->thrown);
  made.meet(0, rock);
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{0, 1})) << "once";
  // Too late, and thrown again by the other player
  made.duel.noteThrow(1, 10 + rock);
  made.fly(41);
  made.meet(0, rock);
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{0, 1}));
  made.duel.noteThrow(1, 10 + rock);
  made.duel.noteThrow(0, 10 + rock);
  made.meet(0, rock);
  made.meet(1, rock);
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 1}));
}

TEST(Duel, EndsWithTheFifthHit) {
  MadeUp made;
  for (std::uint32_t hit = 1; hit <= Duel::goal; ++hit) {
    made.shoot(11);
    made.meet(0, made.shot((hit - 1) % Shots::most));
    EXPECT_EQ(made.fly(), hit < Duel::goal ? DuelState::Flying : DuelState::SecondWon) << hit;
  }
  const Real flown = made.duel.flown();
  made.shoot(0);
  made.meet(1, made.shot(Duel::goal));
  EXPECT_EQ(made.fly(), DuelState::SecondWon);
  EXPECT_EQ(made.hits(), (Hits{0, Duel::goal}));
  EXPECT_EQ(made.duel.flown(), flown);
  EXPECT_EQ(made.duel.points(0), 0);
  EXPECT_EQ(made.duel.points(1), Duel::goal * Duel::shotPoints + 179 * Duel::secondPoints);
}

TEST(Duel, IsADrawIfBothReachTheGoalInOneFrame) {
  MadeUp made;
  for (std::uint32_t hit = 1; hit < Duel::goal; ++hit) {
    made.duel.noteThrow(0, 12);
    made.duel.noteThrow(1, 13);
    made.meet(1, 2);
    made.meet(0, 3);
    EXPECT_EQ(made.fly(), DuelState::Flying);
  }
  made.duel.noteThrow(0, 12);
  made.duel.noteThrow(1, 13);
  made.meet(1, 2);
  made.meet(0, 3);
  EXPECT_EQ(made.fly(), DuelState::Draw);
}

TEST(Duel, EndsAfterItsTime) {
  for (const int hits : {-1, 0, 1}) {
    MadeUp made;
    if (hits != 0) {
      made.shoot(hits > 0 ? 0 : 11);
      made.meet(hits > 0 ? 1 : 0, made.shot(0));
    }
    EXPECT_EQ(made.fly(1799), DuelState::Flying);
    EXPECT_NEAR(made.duel.left(), 0.1, 1e-9);
    EXPECT_EQ(made.fly(), hits > 0   ? DuelState::FirstWon
                          : hits < 0 ? DuelState::SecondWon
                                     : DuelState::Draw);
    EXPECT_EQ(made.fly(), made.duel.state());
  }
}

TEST(Duel, KeepsWeaponsColdAtTheStartAndReloadsThem) {
  MadeUp made;
  EXPECT_FALSE(made.duel.mayShoot(0));
  made.fly(29);
  EXPECT_FALSE(made.duel.mayShoot(1));
  made.fly();
  EXPECT_TRUE(made.duel.mayShoot(0) && made.duel.mayShoot(1));
  made.shoot(0);
  made.fly();
  EXPECT_FALSE(made.duel.mayShoot(0));
  EXPECT_TRUE(made.duel.mayShoot(1));
  made.fly(3);
  EXPECT_FALSE(made.duel.mayShoot(0));
  made.fly();
  EXPECT_TRUE(made.duel.mayShoot(0));
  EXPECT_FALSE(made.duel.mayShoot(0, DuelPilot::reload));
  EXPECT_EQ(made.duel.shots(0), 1u);
  EXPECT_EQ(made.duel.shots(1), 0u);
}

/// As if the undone frames had never been flown.
TEST(Duel, FliesBack) {
  MadeUp made, other;
  for (MadeUp* each : {&made, &other}) {
    each->shoot(0);
    each->fly(2);
  }
  const Real kept = made.time;
  // Undone: the shot scores, nine more shots, a throw, and a victory
  made.meet(1, made.shot(0));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 0}));
  for (int i = 0; i < 9; ++i) made.shoot(11);
  made.fly();
  made.duel.noteThrow(1, 10 + rock);
  for (std::size_t i = 0; i < 4; ++i) made.meet(0, made.shot(i + 2));
  made.meet(0, rock);
  EXPECT_EQ(made.fly(), DuelState::SecondWon);
  made.duel.flyBack(kept);
  EXPECT_EQ(made.duel.state(), DuelState::Flying);
  EXPECT_EQ(made.hits(), (Hits{0, 0}));
  EXPECT_EQ(made.duel.flown(), kept);
  EXPECT_EQ(made.duel.shots(1), 0u);
  made.time = kept;
  made.shots = 1;
  made.bodies.resize(5);
  for (MadeUp* each : {&made, &other}) {
    each->meet(0, rock);
    each->shoot(11);
    each->meet(1, each->shot(0));
    each->meet(0, each->shot(1));
    each->fly();
    EXPECT_EQ(each->hits(), (Hits{1, 1}));
  }
  EXPECT_EQ(made.duel.flown(), other.duel.flown());
  // Hits of frames that are kept stay, and their bodies remain spent
  made.duel.flyBack(made.time);
  EXPECT_EQ(made.hits(), (Hits{1, 1}));
  made.meet(1, made.shot(0));
  made.fly();
  EXPECT_EQ(made.hits(), (Hits{1, 1}));
}

/// The scene of duels with trees that are built soon, flown by two pilots of the computer.
struct SceneFlight {
  Scene scene;
  std::shared_ptr<const ShapeSet> shapes;

  SceneFlight() {
    scene = *readScene(*findScene(std::string(Duel::scene)));
    scene.arena.flown = true;
    scene.playerLimits = {7.2, 7.2, 1.68, 0.5};
    scene.tree = "octree";
    ShapeOptions options;
    options.treeBuilder = scene.tree;
    options.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-duel";
    shapes = *buildShapeSet(*modelFilesOf(scene), options);
  }
  /// Which players shoot; one who does not shoot stands still.
  struct Outcome {
    Hits hits{};
    Real flown = 0.0;
    std::uint64_t state = 0;
    bool operator==(const Outcome&) const = default;
  };
  [[nodiscard]] Outcome fight(const std::array<bool, 2>& shooting, std::uint64_t seed) const {
    Scene seeded = scene;
    seeded.seed = seed;
    WorkClock clock;
    const auto simulation = *makeSimulation(seeded, *shapes, clock);
    const std::uint32_t rival = simulation->world().states()[Duel::rival].key;
    Duel duel;
    duel.begin(simulation->world().states(), simulation->userIndex(), Duel::rival);
    std::vector<HandAct> acts;
    while (duel.state() == DuelState::Flying) {
      const auto bodies = simulation->world().states();
      const auto ships = bodies.first(bodies.size() - simulation->shots().count());
      acts.clear();
      FrameInput input;
      input.dt = 1.0 / 60.0;
      input.detectStep = 1.0 / 120.0;
      HandAct steer{HandAct::Kind::Steer, rival, {}, {}, {}};
      const std::array<ShipControl*, 2> controls{&input.control, &steer.control};
      for (std::size_t player = 0; player < 2; ++player) {
        if (!shooting[player]) continue;
        *controls[player] =
            DuelPilot::control(ships, player, 1 - player, simulation->world().time());
        if (DuelPilot::hasAim(ships, player, 1 - player) &&
            duel.mayShoot(player, DuelPilot::reload))
          acts.push_back({HandAct::Kind::Shoot, player == 0 ? 0 : rival, {}, {}, {}});
      }
      acts.push_back(steer);
      input.acts = acts;
      (void)duel.take(simulation->advance(input), acts);
    }
    return {{duel.hits(0).total(), duel.hits(1).total()},
            duel.flown(),
            stateHash(simulation->world().ships())};
  }
};

TEST(Duel, IsFoughtInARealFlight) {
  const SceneFlight flight;
  for (const std::uint64_t seed : {1u, 42u}) {
    const auto first = flight.fight({true, false}, seed),
               second = flight.fight({false, true}, seed);
    EXPECT_EQ(first.hits[0], Duel::goal);
    EXPECT_EQ(first.hits[1], 0u);
    EXPECT_EQ(second.hits[0], 0u);
    EXPECT_EQ(second.hits[1], Duel::goal);
    const auto both = flight.fight({true, true}, seed);
    EXPECT_GE(both.hits[0] + both.hits[1], Duel::goal);
    EXPECT_EQ(flight.fight({true, true}, seed), both);
  }
}

TEST(DuelPilot, ShootsAtWhatIsNearAndAhead) {
  std::vector<BodyState> ships{bodyWith(1), bodyWith(2)};
  const auto aims = [&](const Vec3& place, const Vec3& velocity = Vec3(0.0)) {
    ships[1].pose.position = place;
    ships[1].velocity = velocity;
    return DuelPilot::hasAim(ships, 0, 1);
  };
  EXPECT_TRUE(aims({0.0, 0.0, -10.0}));
  EXPECT_TRUE(aims({2.0, 0.0, -10.0}));
  EXPECT_FALSE(aims({4.0, 0.0, -10.0})) << "aside";
  EXPECT_FALSE(aims({0.0, 0.0, 10.0})) << "behind";
  EXPECT_FALSE(aims({0.0, 0.0, -15.0})) << "far";
  EXPECT_FALSE(aims({0.0, 0.0, -9.0}, {5.0, 0.0, 0.0})) << "a shot would miss it";
  EXPECT_TRUE(aims({-5.0, 0.0, -9.0}, {5.0, 0.0, 0.0})) << "it flies into the shot";
  ships.push_back(bodyWith(3, {0.5, 0.0, -5.0}));
  EXPECT_FALSE(aims({0.0, 0.0, -10.0})) << "behind a rock";
  EXPECT_TRUE(aims({0.0, 0.0, -4.0})) << "in front of it";
}

TEST(DuelPilot, TurnsToItsTargetAndAsideBeforeBodies) {
  std::vector<BodyState> ships{bodyWith(1), bodyWith(2, {20.0, 0.0, -5.0})};
  ShipControl control = DuelPilot::control(ships, 0, 1, 0.0);
  EXPECT_LT(control.yaw, -0.9) << "to the right";
  ships[1].pose.position = {0.0, 0.0, -20.0};
  control = DuelPilot::control(ships, 0, 1, 0.65);
  EXPECT_GT(control.thrust, 0.3);
  ships[1].pose.position = {0.0, 0.0, -4.0};
  EXPECT_LT(DuelPilot::control(ships, 0, 1, 0.65).yaw, -0.9) << "it passes by";
  ships[1].pose.position = {6.0, 0.0, 4.0};
  ships[0].velocity = {0.0, 0.0, -4.0};
  control = DuelPilot::control(ships, 0, 1, 0.65);
  EXPECT_LT(std::abs(control.yaw), 0.2) << "it makes room for a turn";
  ships[0].velocity = {0.0, 0.0, 0.0};
  EXPECT_LT(DuelPilot::control(ships, 0, 1, 0.65).yaw, -0.9);
  ships[1].pose.position = {0.0, 0.0, -20.0};
  ships[0].velocity = {0.0, 0.0, -4.0};
  const Real before = DuelPilot::control(ships, 0, 1, 0.65).yaw;
  ships.push_back(bodyWith(3, {-3.0, 0.0, -3.0}));
  EXPECT_LT(DuelPilot::control(ships, 0, 1, 0.65).yaw, before - 0.1) << "away from the rock";
  ships[0].velocity = {0.0, 0.0, 4.0};
  const ShipControl leaving = DuelPilot::control(ships, 0, 1, 0.65);
  EXPECT_NEAR(leaving.yaw, before, 1e-9) << "which it leaves behind";
}

}  // namespace
}  // namespace nearmiss::engine
