// SPDX-License-Identifier: MIT
/// A world, whose ships move in blocks, against its ships one by one: every bit of what they are
/// and promise, whatever is set, comes and goes between and within predictions.
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/flying.h"
#include "engine/hard_flights.h"
#include "flight/ship_motion.h"
#include "support/campaign.h"
#include "support/same_bits.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using nearmiss::test::sameBits;
using test::magnitude;
using test::randomStick;

/// The plain way: each ship by itself, from one piece to the next.
class OneByOne {
 public:
  struct Ship {
    ShipId id;
    ShipDef def;
    MotionState state;
    ShipControl control;
    Real step = longestStep;
    std::vector<MotionPiece> pieces;
    Real start = 0.0;
    bool stale = true;
  };
  std::vector<Ship> ships;
  std::uint64_t steps = 0, stopped = 0, several = 0;
  Real time = 0.0, until = 0.0;

  explicit OneByOne(const Arena& arena) : arena_(arena) {}

  void predict(Real dt) {
    until = time + dt;
    for (Ship& ship : ships) predict(ship, time, dt);
  }
  void moveTo(Real to) {
    const Real before = time;
    if (!(to > before) || !(before < until)) return;
    time = std::min(to, until);
    for (Ship& ship : ships) {
      if (ship.stale) predict(ship, before, until - before);
      move(ship);
    }
  }

 private:
  void predict(Ship& ship, Real from, Real dt) {
    ship.pieces.clear();
    ship.start = from;
    ship.stale = false;
    const std::uint64_t taken = integrate(ship.state, ship.control, ship.def.limits, arena_, dt,
                                          ship.step, ship.pieces, ship.def.inverseInertia);
    steps += taken;
    several += taken > 1;
    const MotionState& end = ship.pieces.back().start;
    if (!faultOf(Pose{end.position, end.rotation}) && !faultOfVelocity(end.velocity) &&
        !faultOfVelocity(end.angularMomentum))
      return;
    ship.state.velocity = ship.state.angularMomentum = Vec3(0.0);
    ship.pieces.assign(1, {});
    ship.pieces[0].start = ship.state;
    ++stopped;
  }
  void move(Ship& ship) {
    if (time == until) {
      ship.state = ship.pieces.back().start;
      ship.stale = true;
      return;
    }
    const Real s = time - ship.start;
    std::size_t now = 0;
    while (now + 1 < ship.pieces.size() && ship.pieces[now + 1].from <= s) ++now;
    ship.state = stateAt(ship.pieces[now], s - ship.pieces[now].from);
  }

  Arena arena_;
};

ShipDef randomDef(Random& random, bool hard) {
  ShipDef def;
  def.pose = {random.inCube(9.0), random.rotation()};
  def.velocity = random.inCube(2.0);
  def.limits = {magnitude(random, 0.01, 3.0), magnitude(random, 0.01, 3.0),
                magnitude(random, 0.01, hard && random.chance(0.1) ? 30.0 : 3.0),
                magnitude(random, 0.01, hard && random.chance(0.2) ? 90.0 : 0.6)};
  // Over the edge of the range within a frame or two, with drag or, so that a step may stand,
  // without
  if (hard && random.chance(0.15)) {
    def.pose.position.x = def.velocity.x = 9.9e49;
    if (random.chance(0.7)) def.limits.drag = 0.0;
  }
  if (random.chance(0.2)) def.articulation = test::chainOf(test::hangar());
  def.inverseInertia.diagonal = Vec3(1.0) + random.inCube(0.9);
  def.inverseInertia.mixed = random.inCube(0.3);
  return def;
}

class Fleet {
 public:
  Fleet(Random& random, const Arena& arena, int count, bool hard, bool tumbling)
      : random_(random), world_(arena), plain_(arena), hard_(hard), tumbling_(tumbling) {
    for (int i = 0; i < count; ++i) create();
  }

  void fly(Real dt) {
    for (std::size_t i = 0; i < plain_.ships.size(); ++i)
      if (random_.chance(0.3)) steer(i);
    world_.predict(dt);
    plain_.predict(dt);
    for (int look = random_.whole(0, 3); look > 0; --look) {
      const Real to = plain_.time + random_.between(0.0, 0.6) * (plain_.until - plain_.time);
      moveTo(random_.chance(0.1) ? std::nextafter(plain_.until, 0.0) : to);
      disturb();
    }
    moveTo(plain_.until);
    disturb();
  }
  void expectSame() const {
    ASSERT_EQ(world_.states().size(), plain_.ships.size());
    ASSERT_EQ(world_.stepsTaken(), plain_.steps);
    for (std::size_t i = 0; i < plain_.ships.size(); ++i) expectSame(i);
  }
  [[nodiscard]] const OneByOne& plain() const noexcept { return plain_; }

 private:
  void create() {
    const ShipDef def = randomDef(random_, hard_);
    const auto id = world_.ships().create(def);
    if (!id) return;
    OneByOne::Ship& ship = plain_.ships.emplace_back();
    ship.id = *id;
    ship.def = world_.ships().definition(plain_.ships.size() - 1);
    ship.state = {ship.def.pose.position, ship.def.velocity, ship.def.pose.rotation, Vec3(0.0)};
  }
  void steer(std::size_t i) {
    const ShipControl control{randomStick(random_), randomStick(random_), randomStick(random_),
                              randomStick(random_)};
    world_.ships().setControl(i, control);
    const ShipControl& old = plain_.ships[i].control;
    if (!sameBits(old, control)) plain_.ships[i].stale = true;
    plain_.ships[i].control = world_.ships().control(i);
  }
  void moveTo(Real time) {
    world_.moveTo(time);
    plain_.moveTo(time);
    ASSERT_EQ(world_.time(), plain_.time);
    ASSERT_NO_FATAL_FAILURE(expectSame());
  }
  /// A jump, a ship that comes or one that goes.
  void disturb() {
    if (plain_.ships.empty() || random_.chance(0.5)) return;
    const std::size_t i = random_.bits() % plain_.ships.size();
    OneByOne::Ship& ship = plain_.ships[i];
    switch (random_.whole(0, tumbling_ ? 3 : 2)) {
      case 0:
        ship.state.velocity = random_.inCube(1.0);
        EXPECT_TRUE(world_.ships().setVelocity(i, ship.state.velocity));
        ship.stale = true;
        break;
      case 1:
        create();
        break;
      case 2:
        world_.ships().destroy(ship.id);
        plain_.ships.erase(plain_.ships.begin() + static_cast<std::ptrdiff_t>(i));
        for (std::size_t p = i; p < plain_.ships.size(); ++p) plain_.ships[p].stale = true;
        break;
      default:
        ship.state.angularMomentum = random_.chance(0.2) ? -Vec3(0.0) : random_.inCube(0.5);
        EXPECT_TRUE(world_.ships().setAngularMomentum(i, ship.state.angularMomentum));
        ship.stale = true;
    }
  }
  void expectSame(std::size_t i) const {
    const BodyState& body = world_.states()[i];
    const OneByOne::Ship& ship = plain_.ships[i];
    ASSERT_TRUE(sameBits(body.pose.position, ship.state.position)) << i;
    ASSERT_TRUE(sameBits(body.pose.rotation, ship.state.rotation)) << i;
    ASSERT_TRUE(sameBits(body.velocity, ship.state.velocity)) << i;
    ASSERT_TRUE(sameBits(world_.ships().angularMomentum(i), ship.state.angularMomentum)) << i;
    if (ship.def.articulation) {
      std::vector<Link> links(body.links.size());
      placeLinksAt(*ship.def.articulation, body.key, plain_.time, links);
      for (std::size_t k = 0; k < links.size(); ++k)
        ASSERT_TRUE(sameBits(body.links[k].pose, links[k].pose)) << i;
    }
    if (plain_.time != plain_.until) return;
    const MotionPromise promise = motionPromise(ship.state, nullptr, ship.def.limits,
                                                world_.ships().arena(), ship.def.inverseInertia);
    ASSERT_EQ(body.accelerationBound, promise.acceleration) << i;
    ASSERT_EQ(body.planes.size(), promise.hasPlane ? 1u : 0u) << i;
    if (promise.hasPlane) {
      ASSERT_TRUE(sameBits(body.planes[0].direction, promise.plane.direction)) << i;
      ASSERT_EQ(body.planes[0].reverse, promise.plane.reverse) << i;
    }
  }

  Random& random_;
  World world_;
  OneByOne plain_;
  bool hard_, tumbling_;
};

TEST(MotionInBlocks, IsThatOfEachShipAlone) {
  Random random(20261127);
  std::uint64_t steps = 0, several = 0, stopped = 0;
  for (int i = 0; i < nearmiss::test::cases(60); ++i) {
    const Arena arena{random.between(2.0, 10.0), i % 4 == 0 ? 0.0 : 1.5, 0.6};
    Fleet fleet(random, arena, i % 20 == 19 ? 300 : random.whole(1, 40), i % 3 == 0, i % 2 == 0);
    for (int frame = 0; frame < 25; ++frame) {
      const Real dt = frame % 9 == 8 ? 0.25 : frame % 5 == 4 ? 1.0 / 30.0 : 1.0 / 60.0;
      ASSERT_NO_FATAL_FAILURE(fleet.fly(dt)) << "fleet " << i << ", frame " << frame;
    }
    steps += fleet.plain().steps;
    several += fleet.plain().several;
    stopped += fleet.plain().stopped;
  }
  EXPECT_GT(steps, 30000 * nearmiss::test::campaignFactor());
  EXPECT_GT(several, 1000 * nearmiss::test::campaignFactor());
  EXPECT_GT(stopped, 10 * nearmiss::test::campaignFactor());
}

}  // namespace
}  // namespace nearmiss::engine
