// SPDX-License-Identifier: MIT
/// Where the orders of refinement that have a viewer look from: the view, or the user's ship.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using test::hangar;

const std::array<Vec3, 6> ways{Vec3(1, 0, 0),  Vec3(-1, 0, 0), Vec3(0, 1, 0),
                               Vec3(0, -1, 0), Vec3(0, 0, 1),  Vec3(0, 0, -1)};
constexpr Real apartBy = 20.0;
/// Where the user's ship is: far from the origin, so that whoever looks from there sees all pairs
/// on one side.
const Vec3 middle{300.0, -200.0, 100.0};

/// Turns -z, the nose, towards a direction.
Quat noseTowards(const Vec3& way) {
  const Vec3 nose(0.0, 0.0, -1.0);
  if (glm::dot(way, nose) < -0.999) return glm::angleAxis(glm::pi<Real>(), Vec3(0.0, 1.0, 0.0));
  return glm::normalize(Quat(1.0 + glm::dot(nose, way), glm::cross(nose, way)));
}

/// The user's ship amid six pairs of tori, each linked or nearly so.
std::unique_ptr<Simulation> amid(const Quat& turned, Clock& clock) {
  World world(Arena{2000.0, 0.0, 0.0});
  ShipDef user;
  user.pose = {middle, turned};
  user.shape = ShapeRef::ofRadius(hangar().polyhedra[0].radius());
  const ShipId own = *world.ships().create(user);
  for (const Vec3& way : ways)
    for (int k = 0; k < 2; ++k) {
      ShipDef torus;
      torus.shape = ShapeRef::ofRadius(hangar().polyhedra[1].radius(), 1);
      torus.pose = {middle + way * apartBy + Vec3{0.3 * k, 0.05 * k, 0.1 * k},
                    {0.8, 0.6 * k, 0.6 * (1 - k), 0.0}};
      EXPECT_TRUE(world.ships().create(torus));
    }
  return std::make_unique<Simulation>(std::move(world), own, DronePilots(1, PilotSettings{}),
                                      hangar().detector("sphere-tree"), clock, Shapes());
}

/// The first pair, by its way, that gets more than one level as the budget grows.
std::optional<std::size_t> firstDeepened(RefinementOrder order, const Quat& turned,
                                         const std::optional<View>& view) {
  for (int us = 0; us < 200; ++us) {
    WorkClock clock;
    const auto simulation = amid(turned, clock);
    FrameInput input;
    input.dt = 0.0;
    input.order = order;
    input.view = view;
    input.importance.fullWithin = std::numeric_limits<Real>::infinity();
    input.detectionBudget = microseconds(us);
    const FrameOutput& output = simulation->advance(input);
    if (output.detection->pairs.size() != ways.size()) return std::nullopt;
    std::optional<std::size_t> deepened;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (output.detection->pairs[i].refinement.level <= 1) continue;
      if (deepened) return std::nullopt;
      deepened = i;
    }
    if (deepened) return deepened;
  }
  return std::nullopt;
}

TEST(Viewer, IsTheNoseOfTheUsersShipWhereThereIsNoView) {
  for (std::size_t at = 0; at < ways.size(); ++at) {
    const auto first =
        firstDeepened(RefinementOrder::Eccentricity, noseTowards(ways[at]), std::nullopt);
    ASSERT_TRUE(first.has_value()) << at;
    EXPECT_EQ(*first, at);
  }
}

TEST(Viewer, IsTheViewWhereverTheShipPoints) {
  for (std::size_t at = 0; at < ways.size(); ++at) {
    const View view{middle, ways[at], 0.0};
    const auto first =
        firstDeepened(RefinementOrder::Eccentricity, noseTowards(ways[(at + 1) % 6]), view);
    ASSERT_TRUE(first.has_value()) << at;
    EXPECT_EQ(*first, at);
    // What is nearest to the eye looks the largest
    const View near{middle + 0.3 * apartBy * ways[at], ways[at], 0.0};
    const auto largest =
        firstDeepened(RefinementOrder::Visibility, noseTowards(ways[(at + 1) % 6]), near);
    ASSERT_TRUE(largest.has_value()) << at;
    EXPECT_EQ(*largest, at);
  }
}

/// A flight short of time goes another way by every order, the same way twice, and once more by the
/// work that was granted, as a replay repeats it, which knows no order.
TEST(Viewer, MakesFlightsOfTheirOwnThatReplaysRepeat) {
  std::vector<std::uint64_t> hashes;
  for (const RefinementOrder order :
       {RefinementOrder::InTurn, RefinementOrder::Visibility, RefinementOrder::Eccentricity}) {
    constexpr int frames = 400;
    std::vector<std::vector<GrantedWork>> granted;
    const auto flown = [&](bool repeats, RefinementOrder by) {
      WorkClock clock;
      const auto simulation =
          test::subtractStolen({.seed = 3, .drones = 20}, hangar().detector("sphere-tree"), clock);
      for (int i = 0; i < frames; ++i) {
        FrameInput input = test::scripted(i);
        input.order = by;
        input.detectionBudget = test::tightBudget;
        const auto at = static_cast<std::size_t>(i);
        if (repeats) input.repeated = granted[at];
        const FrameOutput& output = simulation->advance(input);
        if (!repeats && granted.size() <= at)
          granted.emplace_back(output.granted.begin(), output.granted.end());
      }
      return stateHash(simulation->world().ships());
    };
    hashes.push_back(flown(false, order));
    EXPECT_EQ(flown(false, order), hashes.back());
    EXPECT_EQ(flown(true, RefinementOrder::InTurn), hashes.back());
  }
  EXPECT_NE(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], hashes[2]);
  EXPECT_NE(hashes[1], hashes[2]);
}

}  // namespace
}  // namespace nearmiss::engine
