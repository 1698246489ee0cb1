// SPDX-License-Identifier: MIT
/// Budgets of counted work, progress of builds, and many poses at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/nearmiss_c.h>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "support/c_shapes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::Held;
using testing::HasSubstr;

nearmiss_pose at(double x) { return {{x, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}; }

TEST(CWork, BudgetsOfWorkGiveTheSameAnswerEveryTime) {
  const Held<nearmiss_shape> shape(test::cShape(test::torus(40, 20), 3));
  const nearmiss_pose a = at(0.0), b = at(0.4);
  ASSERT_EQ(nearmiss_set_clock(NEARMISS_WORK), NEARMISS_OK);
  int cutShort = 0;
  for (int step = 0; step < 40; ++step) {
    const double budget = 5e-7 * step;
    nearmiss_distance_bounds first{}, second{};
    ASSERT_EQ(nearmiss_distance(shape.get(), &a, shape.get(), &b, budget, &first), NEARMISS_OK);
    ASSERT_EQ(nearmiss_distance(shape.get(), &a, shape.get(), &b, budget, &second), NEARMISS_OK);
    EXPECT_EQ(first.lower, second.lower);
    EXPECT_EQ(first.upper, second.upper);
    EXPECT_EQ(first.can_refine, second.can_refine);
    cutShort += first.can_refine;
  }
  EXPECT_GT(cutShort, 0);
  EXPECT_EQ(nearmiss_set_clock(NEARMISS_WALL_TIME), NEARMISS_OK);
  EXPECT_EQ(nearmiss_set_clock(2), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("clock must be"));
}

struct Reports {
  std::vector<std::pair<int, double>> all;
  std::size_t cancelAfter = std::numeric_limits<std::size_t>::max();
};

int note(void* context, int stage, double fraction) {
  auto& reports = *static_cast<Reports*>(context);
  reports.all.emplace_back(stage, fraction);
  return reports.all.size() >= reports.cancelAfter;
}

nearmiss_status build(const TriangleMesh& mesh, Reports& reports, nearmiss_shape** shape) {
  nearmiss_shape_settings settings{};
  settings.size = sizeof settings;
  settings.builder = "octree";
  settings.progress = note;
  settings.context = &reports;
  std::vector<double> vertices;
  for (const Vec3& p : mesh.positions) vertices.insert(vertices.end(), {p.x, p.y, p.z});
  return nearmiss_shape_make(vertices.data(), mesh.positions.size(), mesh.triangles.front().data(),
                             mesh.triangles.size(), &settings, shape);
}

TEST(CProgress, StagesIncreaseAndAnyReportCanCancel) {
  const TriangleMesh mesh = test::torus(24, 12);
  Reports reports;
  nearmiss_shape* made = nullptr;
  ASSERT_EQ(build(mesh, reports, &made), NEARMISS_OK) << nearmiss_error();
  nearmiss_shape_free(made);
  ASSERT_GT(reports.all.size(), 2u);
  for (std::size_t i = 0; i < reports.all.size(); ++i) {
    EXPECT_GE(reports.all[i].second, 0.0);
    EXPECT_LE(reports.all[i].second, 1.0);
    EXPECT_GE(reports.all[i].first, reports.all[i == 0 ? 0 : i - 1].first);
  }
  Reports cancelling;
  cancelling.cancelAfter = 1;
  nearmiss_shape* none = nullptr;
  EXPECT_EQ(build(mesh, cancelling, &none), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("cancelled"));
  EXPECT_EQ(none, nullptr);
}

TEST(CWorld, ManyPosesAreSetAtOnceOrNotAtAll) {
  const Held<nearmiss_shape> shape(test::cShape(test::cube(1.0), 2));
  nearmiss_world* world = nullptr;
  ASSERT_EQ(nearmiss_world_make(&world), NEARMISS_OK);
  std::array<nearmiss_body, 3> bodies{};
  const nearmiss_pose start = at(0.0);
  for (nearmiss_body& body : bodies)
    ASSERT_EQ(nearmiss_world_add(world, shape.get(), &start, nullptr, &body), NEARMISS_OK);
  const auto touching = [world] {
    nearmiss_collisions found{};
    EXPECT_EQ(nearmiss_world_collisions(world, NEARMISS_UNLIMITED, &found), NEARMISS_OK);
    return found.pair_count;
  };
  EXPECT_EQ(touching(), 3u);

  std::array<nearmiss_pose, 3> poses{at(0.0), at(10.0),
                                     at(std::numeric_limits<double>::quiet_NaN())};
  EXPECT_EQ(nearmiss_world_set_poses(world, bodies.data(), poses.data(), 3), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("poses[2]: position.x is nan"));
  EXPECT_EQ(touching(), 3u);
  poses[2] = at(20.0);
  std::array<nearmiss_body, 3> unknown = bodies;
  unknown[1] = 999;
  EXPECT_EQ(nearmiss_world_set_poses(world, unknown.data(), poses.data(), 3), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("bodies[1] is 999"));
  EXPECT_EQ(touching(), 3u);
  EXPECT_EQ(nearmiss_world_set_poses(world, bodies.data(), poses.data(), 3), NEARMISS_OK);
  EXPECT_EQ(touching(), 0u);

  EXPECT_EQ(nearmiss_world_set_poses(world, nullptr, nullptr, 0), NEARMISS_OK);
  EXPECT_EQ(nearmiss_world_set_poses(nullptr, bodies.data(), poses.data(), 3),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_set_poses(world, bodies.data(), nullptr, 3), NEARMISS_UNSUPPORTED);
  nearmiss_world_free(world);
}

}  // namespace
}  // namespace nearmiss
