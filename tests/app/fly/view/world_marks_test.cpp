// SPDX-License-Identifier: MIT
/// The lattice of the wall: where it is, and when it shows.
#include "fly/view/world_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <vector>

namespace nearmiss::app::fly {
namespace {

std::vector<DrawLine> wallAt(const Vec3& place, const Vec3& velocity, bool always) {
  BodyState own;
  own.shape = ShapeRef::ofRadius(1.0);
  own.pose.position = place;
  own.velocity = velocity;
  std::vector<DrawLine> lines;
  addWall(lines, own, 42.0, always);
  return lines;
}

float brightest(const std::vector<DrawLine>& lines) {
  float most = 0.0f;
  for (const DrawLine& line : lines) most = std::max(most, line.alpha);
  return most;
}

TEST(WallLattice, FadesInBeforeTheShipIsTurned) {
  EXPECT_TRUE(wallAt({27.9, 0.0, 0.0}, Vec3(0.0), true).empty());
  float before = 0.0f;
  for (const double out : {30.0, 34.0, 38.0, 42.0}) {
    const auto lines = wallAt({0.6 * out, 0.8 * out, 0.0}, Vec3(0.0), true);
    EXPECT_GT(brightest(lines), before) << out;
    before = brightest(lines);
    for (const DrawLine& line : lines) {
      EXPECT_NEAR(glm::length(line.from), 42.0, 1e-9);
      EXPECT_NEAR(glm::length(line.to), 42.0, 1e-9);
    }
  }
  EXPECT_LE(before, 1.0f);
}

/// Arenas of headless flights begin at the ship's start, so they show only to a ship that leaves.
TEST(WallLattice, ShowsWithoutAWallOnlyToAShipThatFliesOutwards) {
  EXPECT_TRUE(wallAt({0.0, 0.0, 42.0}, Vec3(0.0), false).empty());
  EXPECT_TRUE(wallAt({0.0, 0.0, 42.0}, {1.0, 0.0, -2.0}, false).empty());
  EXPECT_FALSE(wallAt({0.0, 0.0, 42.0}, {0.0, 0.0, 2.0}, false).empty());
}

TEST(WallLattice, StaysWhereItIsAsTheShipMoves) {
  // Near the middle of a cell both ships see the same corners there
  const auto a = wallAt({40.0, 0.3, 0.2}, Vec3(0.0), true),
             b = wallAt({40.0, 0.5, 0.4}, Vec3(0.0), true);
  const auto has = [&](const DrawLine& line) {
    return std::ranges::any_of(b, [&](const DrawLine& other) {
      return glm::distance(line.from, other.from) < 1e-9 && glm::distance(line.to, other.to) < 1e-9;
    });
  };
  EXPECT_GT(std::ranges::count_if(a, has), static_cast<std::ptrdiff_t>(a.size() * 3 / 4));
}

TEST(TowBeamLines, LeadFromTheNoseToARingAroundTheBody) {
  BodyState ship, body;
  ship.shape = body.shape = ShapeRef::ofRadius(1.0);
  body.pose.position = {0.5, 0.0, -4.0};
  std::vector<DrawLine> lines;
  std::vector<DrawLight> lights;
  addBeam(lines, lights, ship, body, 3.7);
  std::size_t rays = 0, around = 0;
  for (const DrawLine& line : lines) {
    const double apart = glm::distance(line.to, body.pose.position);
    EXPECT_LT(std::min(apart, glm::distance(line.to, ship.pose.position)), 4.0);
    if (glm::distance(line.from, line.to) > 2.0) {
      ++rays;
      EXPECT_LT(glm::distance(line.from, {0.0, 0.0, -0.6}), 0.1);
    }
    around += apart > 0.8 && apart < 0.9;
  }
  EXPECT_GE(rays, 3u) << "seen without its colour";
  EXPECT_GE(around, 20u);
  EXPECT_FALSE(lights.empty());
  // A body in the ship has no beam
  body.pose.position = {0.0, 0.0, -0.6};
  lines.clear();
  addBeam(lines, lights, ship, body, 3.7);
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace nearmiss::app::fly
