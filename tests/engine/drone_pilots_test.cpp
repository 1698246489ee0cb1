// SPDX-License-Identifier: MIT
#include <engine/drone_pilots.h>
#include <gtest/gtest.h>

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
    flock.drones.push_back(*flock.world.create(def));
    flock.pilots.add(flock.drones.back());
  }
  return flock;
}

void fly(Flock& flock, int frames) {
  for (int i = 0; i < frames; ++i) {
    flock.pilots.steer(flock.world);
    flock.world.integrate(0.1);
  }
}

bool same(const ShipControl& a, const ShipControl& b) {
  return a.thrust == b.thrust && a.pitch == b.pitch && a.yaw == b.yaw && a.roll == b.roll;
}

TEST(DronePilots, DecideByTheSeed) {
  Flock first = flockOf(5, 1), again = flockOf(5, 1), other = flockOf(5, 2);
  fly(first, 300);
  fly(again, 300);
  fly(other, 300);
  EXPECT_EQ(stateHash(first.world), stateHash(again.world));
  EXPECT_NE(stateHash(first.world), stateHash(other.world));
}

TEST(DronePilots, DrawEveryFewSeconds) {
  // So wide an arena that nobody is ever steered back
  Flock flock = flockOf(1, 9, {.retargetLow = 2.0, .retargetHigh = 4.0}, {1e6, 1.0, 0.0});
  ShipControl last{9.0, 9.0, 9.0, 9.0};
  std::vector<Real> times;
  for (int i = 0; i < 3000; ++i) {
    flock.pilots.steer(flock.world);
    if (!same(flock.world.control(0), last)) times.push_back(flock.world.time());
    last = flock.world.control(0);
    flock.world.integrate(0.1);
  }
  ASSERT_GT(times.size(), 75u);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GT(times[i] - times[i - 1], 2.0 - 1e-9);
    EXPECT_LT(times[i] - times[i - 1], 4.0 + 0.1 + 1e-9) << "a draw is due at the next frame";
  }
}

TEST(DronePilots, OneMoreDroneChangesNoOthersChoices) {
  Flock few = flockOf(4, 3), more = flockOf(5, 3);
  for (int i = 0; i < 500; ++i) {
    fly(few, 1);
    fly(more, 1);
    for (std::size_t place = 0; place < 4; ++place)
      ASSERT_TRUE(same(few.world.control(place), more.world.control(place))) << "frame " << i;
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
    flock.pilots.add(*flock.world.create(def));
    bool home = false;
    for (int i = 0; i < 600 && !home; ++i) {
      fly(flock, 1);
      home = glm::length(flock.world.states()[0].pose.position) < arena.radius;
    }
    EXPECT_TRUE(home) << w;
  }
}

TEST(DronePilots, PassOverTheDead) {
  Flock flock = flockOf(3, 5);
  fly(flock, 10);
  flock.world.destroy(flock.drones[1]);
  fly(flock, 100);
  EXPECT_EQ(flock.world.states().size(), 2u);
}

TEST(DronePilots, SurviveASettingWithoutTime) {
  Flock flock = flockOf(3, 5, {.retargetLow = 0.0, .retargetHigh = -5.0});
  fly(flock, 100);
  EXPECT_NEAR(flock.world.time(), 10.0, 1e-9);
}

}  // namespace
}  // namespace nearmiss::engine
