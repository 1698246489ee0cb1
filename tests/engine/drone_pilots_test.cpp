// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

namespace nearmiss::engine {
namespace {

struct Flock {
  World world;
  DronePilots pilots;
  std::vector<ShipId> drones;
};

Flock flockOf(int count, std::uint64_t seed, const PilotSettings& settings = {},
              const Arena& arena = {}) {
  Flock flock{World(arena), DronePilots(seed, settings), {}};
  for (int i = 0; i < count; ++i) {
    ShipDef def;
    def.pose.position = {3.0 * i - 6.0, 0.0, 0.0};
    flock.drones.push_back(*flock.world.ships().create(def));
    flock.pilots.add(flock.drones.back());
  }
  return flock;
}

void fly(Flock& flock, int frames) {
  for (int i = 0; i < frames; ++i) {
    flock.pilots.steer(flock.world.ships());
    flock.world.integrate(0.1);
  }
}

bool same(const ShipControl& a, const ShipControl& b) {
  return a.thrust == b.thrust && a.pitch == b.pitch && a.yaw == b.yaw && a.roll == b.roll;
}

TEST(DronePilots, SteerTowardsADirectionWithoutOtherControls) {
  const Pose ship{Vec3(1.0, 2.0, 3.0), glm::normalize(Quat(1.0, 0.0, 0.3, 0.0))};
  const auto towards = [&ship](const Vec3& seen) {
    return steerTowards({.thrust = 0.25, .roll = -0.5}, ship, ship.rotation * seen);
  };
  for (const Real away : {1e-3, 1.0, 1e3}) {
    EXPECT_GT(towards(away * Vec3(-1, 0, -1)).yaw, 0.5);
    EXPECT_LT(towards(away * Vec3(1, 0, -1)).yaw, -0.5);
    EXPECT_GT(towards(away * Vec3(0, 1, -1)).pitch, 0.5);
    EXPECT_EQ(std::abs(towards(away * Vec3(0.1, 0, 1)).yaw), 1.0);
    EXPECT_NEAR(towards(away * Vec3(0, 0, -1)).yaw, 0.0, 1e-12);
  }
  EXPECT_EQ(towards(Vec3(0.0)).yaw, 0.0);
  EXPECT_EQ(towards(Vec3(1, 1, 1)).thrust, 0.25);
  EXPECT_EQ(towards(Vec3(1, 1, 1)).roll, -0.5);
}

TEST(DronePilots, DecideByTheSeed) {
  Flock first = flockOf(5, 1), again = flockOf(5, 1), other = flockOf(5, 2);
  fly(first, 300);
  fly(again, 300);
  fly(other, 300);
  EXPECT_EQ(stateHash(first.world.ships()), stateHash(again.world.ships()));
  EXPECT_NE(stateHash(first.world.ships()), stateHash(other.world.ships()));
}

TEST(DronePilots, DrawEveryFewSeconds) {
  // So wide an arena that no drone is ever steered back
  Flock flock = flockOf(1, 9, {.retargetLow = 2.0, .retargetHigh = 4.0}, {1e6, 1.0, 0.0});
  ShipControl last{9.0, 9.0, 9.0, 9.0};
  std::vector<Real> times;
  for (int i = 0; i < 3000; ++i) {
    flock.pilots.steer(flock.world.ships());
    if (!same(flock.world.ships().control(0), last)) times.push_back(flock.world.time());
    last = flock.world.ships().control(0);
    flock.world.integrate(0.1);
  }
  ASSERT_GT(times.size(), 75u);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GT(times[i] - times[i - 1], 2.0 - 1e-9);
    EXPECT_LT(times[i] - times[i - 1], 4.0 + 0.1 + 1e-9) << "a draw is due at the next frame";
  }
}

/// A drone that comes from behind, on its way through the user's ship to where drones gather,
/// passes it by, wherever it would have met it.
TEST(DronePilots, MakeWayForTheUserWhereTheyGather) {
  constexpr Real clearance = 0.9, radii = 2.0;
  int near = 0, through = 0;
  SplitMix random(17);
  for (int round = 0; round < 200; ++round) {
    Real nearest[2];
    const Real side = random.between(-1.0, 1.0), up = random.between(-1.0, 1.0);
    for (const bool polite : {false, true}) {
      World world;
      ShipDef def;
      def.limits = {12.24, 6.12, 1.68, 3.0};
      const ShipId user = *world.ships().create(def);
      def.limits.accelerationMax *= 1.7;
      def.pose.position = {side, up, 9.0};
      def.velocity = {0.0, 0.0, -6.0};
      const ShipId drone = *world.ships().create(def);
      DronePilots pilots(static_cast<std::uint64_t>(round) + 1, {0.7, 1.7});
      pilots.follow(user);
      pilots.gather(6.0, polite ? clearance : 0.0);
      pilots.add(drone);
      nearest[polite] = 1e9;
      for (int frame = 0; frame < 180; ++frame) {
        pilots.steer(world.ships());
        world.integrate(1.0 / 60.0);
        nearest[polite] = std::min(nearest[polite], glm::distance(world.states()[0].pose.position,
                                                                  world.states()[1].pose.position));
      }
    }
    near += nearest[0] < 0.5 * clearance * radii;
    through += nearest[1] < 0.5 * clearance * radii;
  }
  EXPECT_GT(near, 60);
  EXPECT_LT(through, near / 6);
}

/// The same flight at another pace: ships that do everything `pace` times as fast.
struct Pace {
  Real factor = 1.0;
  [[nodiscard]] ShipLimits limits() const {
    const ShipLimits slow{0.34, 0.17, 0.28, 0.5};
    return {slow.accelerationMax * factor * factor, slow.reverseMax * factor * factor,
            slow.turnMax * factor, slow.drag * factor};
  }
  [[nodiscard]] PilotSettings pilot() const { return {4.0 / factor, 10.0 / factor}; }
};

/// An onlooker's view of drones in an arena whose rim does not push, from positions and controls.
struct Watched {
  int frames = 0;                  ///< of all drones
  int steered = 0;                 ///< the controls are not those of the frame before
  int inner = 0, outer = 0;        ///< within, beyond 0.7 radii of the origin
  Real farthest = 0.0;             ///< from the origin, in radii
  Real shortestWait = 1e9;         ///< from a change of controls to one within 0.7 radii, seconds
  std::vector<ShipControl> drawn;  ///< there
};

Watched watch(const Pace& pace, std::uint64_t seed) {
  constexpr Real radius = 7.0;
  constexpr std::size_t count = 12;
  World world(Arena{radius, 1.0, 0.0});
  DronePilots pilots(seed, pace.pilot());
  SplitMix random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    ShipDef def;
    def.limits = pace.limits();
    const Real x = random.between(-3.0, 3.0), y = random.between(-3.0, 3.0);
    def.pose.position = {x, y, random.between(-3.0, 3.0)};
    const Real w = random.between(-1.0, 1.0), a = random.between(-1.0, 1.0);
    def.pose.rotation = glm::normalize(Quat(w, a, random.between(-1.0, 1.0), 0.3));
    pilots.add(*world.ships().create(def));
  }
  Watched seen;
  std::vector<ShipControl> before(count);
  std::vector<Real> changed(count, -1.0);
  for (int frame = 0; frame < 3000; ++frame) {
    pilots.steer(world.ships());
    for (std::size_t i = 0; i < count; ++i) {
      const Real away = glm::length(world.states()[i].pose.position) / radius;
      const bool inner = away < 0.7;
      ++seen.frames;
      ++(inner ? seen.inner : seen.outer);
      seen.farthest = std::max(seen.farthest, away);
      if (same(world.ships().control(i), before[i])) continue;
      before[i] = world.ships().control(i);
      ++seen.steered;
      if (inner && changed[i] >= 0.0) {
        seen.shortestWait = std::min(seen.shortestWait, world.time() - changed[i]);
        seen.drawn.push_back(before[i]);
      }
      changed[i] = world.time();
    }
    world.integrate(0.1 / pace.factor);
  }
  return seen;
}

/// The squared deviation from an even spread over [low, high] in ten bins: 9 on average, above 28
/// once in a thousand.
Real unevenness(const std::vector<ShipControl>& controls, Real ShipControl::*stick, Real low,
                Real high) {
  std::array<int, 10> bins{};
  for (const ShipControl& control : controls) {
    const Real share = (control.*stick - low) / (high - low);
    EXPECT_TRUE(share >= 0.0 && share <= 1.0) << control.*stick;
    ++bins[static_cast<std::size_t>(std::clamp(share * 10.0, 0.0, 9.0))];
  }
  const Real expected = static_cast<Real>(controls.size()) / 10.0;
  Real sum = 0.0;
  for (const int bin : bins) sum += (bin - expected) * (bin - expected) / expected;
  return sum;
}

class DronesAtEveryPace : public testing::TestWithParam<Real> {};

TEST_P(DronesAtEveryPace, AreTurnedByTheWallAlone) {
  const Pace pace{GetParam()};
  std::vector<ShipControl> drawn;
  int frames = 0, steered = 0, outer = 0;
  for (const std::uint64_t seed : {11u, 12u, 13u, 14u}) {
    const Watched seen = watch(pace, seed);
    // Away from the wall nothing but the pilot's own time changes the controls
    EXPECT_GE(seen.shortestWait, pace.pilot().retargetLow * (1.0 - 1e-9));
    // At the wall all turn, with a frame's motion to spare
    EXPECT_LT(seen.farthest, 1.02);
    frames += seen.frames;
    steered += seen.steered;
    outer += seen.outer;
    drawn.insert(drawn.end(), seen.drawn.begin(), seen.drawn.end());
  }
  EXPECT_LT(steered, frames / 4);
  EXPECT_GT(outer, frames / 3) << "they use the arena";
  EXPECT_LT(outer, frames * 9 / 10);
  ASSERT_GT(drawn.size(), 400u);
  EXPECT_LT(unevenness(drawn, &ShipControl::thrust, 0.5, 1.0), 28.0);
  EXPECT_LT(unevenness(drawn, &ShipControl::pitch, -1.0, 1.0), 28.0);
  EXPECT_LT(unevenness(drawn, &ShipControl::yaw, -1.0, 1.0), 28.0);
  EXPECT_LT(unevenness(drawn, &ShipControl::roll, -1.0, 1.0), 28.0);
}

INSTANTIATE_TEST_SUITE_P(DronePilots, DronesAtEveryPace, testing::Values(1.0, 6.0));

TEST(DronePilots, OneMoreDroneChangesNoOthersChoices) {
  Flock few = flockOf(4, 3), more = flockOf(5, 3);
  for (int i = 0; i < 500; ++i) {
    fly(few, 1);
    fly(more, 1);
    for (std::size_t place = 0; place < 4; ++place)
      ASSERT_TRUE(same(few.world.ships().control(place), more.world.ships().control(place)))
          << "frame " << i;
  }
}

TEST(DronePilots, ComeHomeFromOutside) {
  // Without the arena's push: by steering alone, whatever way they point at first
  const Arena arena{5.0, 1.0, 0.0};
  for (const Real w : {1.0, 0.5, 0.0, -0.5}) {
    Flock flock{World(arena), DronePilots(4, PilotSettings{}), {}};
    ShipDef def;
    def.pose.position = {4.0, 12.0, -3.0};
    def.pose.rotation = glm::normalize(Quat(w, 0.3, 0.5, 0.1));
    flock.pilots.add(*flock.world.ships().create(def));
    bool home = false;
    for (int i = 0; i < 600 && !home; ++i) {
      fly(flock, 1);
      home = glm::length(flock.world.states()[0].pose.position) < arena.radius;
    }
    EXPECT_TRUE(home) << w;
  }
}

/// Two noses against each other, pushed together by their thrust: once struck they part for good.
TEST(DronePilots, TurnAwayFromTheShipThatTheyStruck) {
  for (const bool told : {false, true}) {
    Flock flock{
        World({1e6, 1.0, 0.0}), DronePilots(4, {.retargetLow = 50.0, .retargetHigh = 60.0}), {}};
    for (const Real side : {-1.0, 1.0}) {
      ShipDef def;
      def.pose.position = {0.0, 0.0, side};
      // -z is ahead: each looks at the other
      if (side < 0.0) def.pose.rotation = Quat(0.0, 0.0, 1.0, 0.0);
      def.limits.turnMax = 1e-3;  // what was drawn must not turn them
      flock.drones.push_back(*flock.world.ships().create(def));
      flock.pilots.add(flock.drones.back());
    }
    const std::array struck{BodyPair{0, 1}};
    const auto apart = [&] {
      const auto states = flock.world.states();
      return glm::distance(states[0].pose.position, states[1].pose.position);
    };
    Real nearest = apart(), farthest = nearest;
    for (int i = 0; i < 100; ++i) {
      flock.pilots.steer(flock.world.ships(), told && i == 0 ? std::span<const BodyPair>(struck)
                                                             : std::span<const BodyPair>());
      flock.world.integrate(0.1);
      nearest = std::min(nearest, apart());
      farthest = std::max(farthest, apart());
    }
    if (told) {
      EXPECT_GT(farthest, 3.0) << "clear of each other";
      EXPECT_GE(nearest, 2.0 - 1e-6);
    } else {
      EXPECT_LT(nearest, 1.0) << "they fly into each other";
    }
  }
}

TEST(DronePilots, PassOverTheDead) {
  Flock flock = flockOf(3, 5);
  fly(flock, 10);
  flock.world.ships().destroy(flock.drones[1]);
  fly(flock, 100);
  EXPECT_EQ(flock.world.states().size(), 2u);
}

TEST(DronePilots, SurviveASettingWithoutTime) {
  Flock flock = flockOf(3, 5, {.retargetLow = 0.0, .retargetHigh = -5.0});
  fly(flock, 100);
  EXPECT_NEAR(flock.world.time(), 10.0, 1e-9);
}

/// The mean distance of drones of one temper from a ship that flies straight on, and how often one
/// is before its bow.
struct Company {
  Real distance = 0.0;
  int beforeBow = 0;
};

Company companyOf(Temper temper) {
  Flock flock =
      flockOf(8, 6, {.retargetLow = 0.5, .retargetHigh = 1.5, .temper = temper}, {1e6, 1.0, 0.0});
  ShipDef user;
  user.pose.position = {0.0, 0.0, 20.0};
  const ShipId id = *flock.world.ships().create(user);
  flock.pilots.follow(id);
  Company company;
  int looks = 0;
  for (int i = 0; i < 1200; ++i) {
    flock.world.ships().setControl(flock.world.ships().ids().indexOf(id), {.thrust = 0.5});
    flock.pilots.steer(flock.world.ships());
    flock.world.integrate(0.1);
    const BodyState& ship = flock.world.states()[flock.world.ships().ids().indexOf(id)];
    for (const ShipId drone : flock.drones) {
      const BodyState& other = flock.world.states()[flock.world.ships().ids().indexOf(drone)];
      const Vec3 offset =
          glm::conjugate(ship.pose.rotation) * (other.pose.position - ship.pose.position);
      company.distance += glm::length(offset);
      company.beforeBow += -offset.z > 1.0 && glm::length(offset) < 6.0;
      ++looks;
    }
  }
  company.distance /= looks;
  return company;
}

TEST(DronePilots, HuntFleeAndCrossByTheirTemper) {
  const Company random = companyOf(Temper::Random), hunting = companyOf(Temper::Hunt);
  const Company fleeing = companyOf(Temper::Flee), crossing = companyOf(Temper::Cross);
  EXPECT_LT(hunting.distance, 0.7 * random.distance);
  EXPECT_GT(fleeing.distance, 1.2 * random.distance);
  EXPECT_GT(crossing.beforeBow, 2 * random.beforeBow);
  EXPECT_GT(crossing.beforeBow, hunting.beforeBow);
}

}  // namespace
}  // namespace nearmiss::engine
