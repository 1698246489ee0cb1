// SPDX-License-Identifier: MIT
/// Discrete Voronoi diagrams by graphics hardware, pixel by pixel beside the exact distances.
#include <engine/base/resources.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "app/fly/offscreen_window.h"
#include "app/fly/quick_lamps.h"
#include "fly/choices/ui_state.h"
#include "fly/diagram/distance_diagram.h"
#include "fly/diagram/ship_diagram.h"
#include "fly/gfx/camera.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::app::fly {
namespace {

using nearmiss::test::Random;

constexpr int pixels = 96;

class Diagram : public testing::Test {
 protected:
  static void SetUpTestSuite() { window_ = new nearmiss::test::OffscreenWindow(64, 64); }
  static void TearDownTestSuite() {
    delete window_;
    window_ = nullptr;
  }
  void SetUp() override {
    ASSERT_EQ(window_->failure(), "") << "tests draw with OpenGL 3.3 off screen";
    window_->forgetComplaints();
    auto made = DistanceDiagram::create(engine::resourceRoot().value() / "shaders", pixels);
    ASSERT_TRUE(made) << made.error().message;
    diagram_.emplace(*std::move(made));
  }
  void TearDown() override {
    if (window_->reports()) {
      EXPECT_TRUE(window_->complaints().empty());
    }
    diagram_.reset();
  }

  static double distanceTo(const PlaneSite& site, const glm::dvec2& p) {
    return glm::distance(nearestOf(site, p), p);
  }

  static nearmiss::test::OffscreenWindow* window_;
  std::optional<DistanceDiagram> diagram_;
};
nearmiss::test::OffscreenWindow* Diagram::window_ = nullptr;

PlaneSite randomSite(Random& random, double half) {
  const auto point = [&] {
    const double y = random.between(-half, half), x = random.between(-half, half);
    return glm::dvec2(x, y);
  };
  PlaneSite site{point(), point()};
  if (random.chance(0.5)) site.b = site.a + 0.1 * (site.b - site.a);
  if (random.chance(0.1)) site.b = site.a;  // a point
  return site;
}

TEST_F(Diagram, IsTheSameInPieces) {
  Random random(35);
  std::vector<PlaneSite> sites;
  for (int i = 0; i < 40; ++i) {
    const auto at = [&] {
      const double y = random.between(-1.0, 1.0), x = random.between(-1.0, 1.0);
      return glm::dvec2(x, y);
    };
    sites.push_back({at(), at()});
  }
  const DiagramPicture whole = diagram_->draw(sites, glm::dvec2(-1.5), 3.0);
  diagram_->begin(glm::dvec2(-1.5), 3.0);
  for (std::size_t from = 0; from < sites.size(); from += 7)
    diagram_->add(std::span(sites).subspan(from, std::min<std::size_t>(7, sites.size() - from)),
                  static_cast<std::uint32_t>(from));
  const DiagramPicture& pieces = diagram_->finish();
  EXPECT_EQ(pieces.sites, whole.sites);
  EXPECT_EQ(pieces.distances, whole.distances);
  EXPECT_NE(whole.sites.front(), whole.sites.back());
}

/// Every pixel names a site that is the nearest up to the error, and no other; its distance is that
/// site's, less by no more than the shortfall.
TEST_F(Diagram, NamesTheNearestSiteOfEveryPixel) {
  Random random(1);
  std::size_t checked = 0, near = 0;
  for (int round = 0; round < nearmiss::test::cases(30); ++round) {
    const double half = random.between(0.01, 100.0);
    std::vector<PlaneSite> sites;
    const int count = random.whole(1, 60);
    // Some outside of the square
    for (int i = 0; i < count; ++i) sites.push_back(randomSite(random, 1.2 * half));
    sites.push_back({glm::dvec2(0.5 * half), glm::dvec2(0.5 * half)});
    const DiagramPicture& picture = diagram_->draw(sites, glm::dvec2(-half), 2.0 * half);
    ASSERT_LE(picture.error, 1.1 * half / pixels) << "half a pixel";
    for (int k = 0; k < 1500; ++k) {
      const int x = random.whole(0, pixels - 1), y = random.whole(0, pixels - 1);
      const std::uint32_t named = picture.sites[picture.indexOf(x, y)];
      ASSERT_LT(named, sites.size());
      const glm::dvec2 p = picture.middleOf(x, y);
      double least = std::numeric_limits<double>::infinity(), second = least;
      for (const PlaneSite& site : sites) {
        const double d = distanceTo(site, p);
        second = std::min(second, std::max(d, least));
        least = std::min(least, d);
      }
      const double own = distanceTo(sites[named], p);
      const double shown = static_cast<double>(picture.distances[picture.indexOf(x, y)]);
      ASSERT_LE(own, least + picture.error);
      ASSERT_LE(shown, least + 1.001 * picture.error);
      ASSERT_GE(shown, least - picture.shortfall);
      ++checked;
      near += second < least + picture.error;
    }
  }
  EXPECT_GT(checked, 1000u);
  EXPECT_GT(near, checked / 200) << "cases in which the error could matter";
}

TEST_F(Diagram, NamesNothingWhereThereIsNothing) {
  const DiagramPicture& picture = diagram_->draw({}, glm::dvec2(-1.0), 2.0);
  for (const std::uint32_t site : picture.sites) ASSERT_EQ(site, DiagramPicture::none);
  EXPECT_FALSE(gapOf(picture, {}, 0));
}

/// What it says of the distance between two bodies holds, and is worth something.
TEST_F(Diagram, BoundsTheDistanceOfTwoBodies) {
  Random random(2);
  int apart = 0, tight = 0, touching = 0;
  for (int round = 0; round < nearmiss::test::cases(80); ++round) {
    std::vector<PlaneSite> sites;
    const double y = random.between(-0.5, 0.5), x = random.between(0.0, 1.4);
    const glm::dvec2 aside(x, y);
    const auto ring = [&](const glm::dvec2& middle, double radius, int corners) {
      const double turn = random.between(0.0, 6.0);
      glm::dvec2 before{};
      for (int i = 0; i <= corners; ++i) {
        const double r = radius * (i % 2 ? 1.0 : 0.55);
        const double angle = turn + 6.283185307 * (i % corners) / corners;
        const glm::dvec2 p = middle + r * glm::dvec2(std::cos(angle), std::sin(angle));
        if (i > 0) sites.push_back({before, p});
        before = p;
      }
    };
    const int cornersOfA = 2 * random.whole(3, 7);
    ring(-aside, random.between(0.3, 0.8), cornersOfA);
    const auto firstOfB = static_cast<std::uint32_t>(sites.size());
    const int cornersOfB = 2 * random.whole(3, 7);
    ring(aside, random.between(0.3, 0.8), cornersOfB);
    const DiagramPicture& picture = diagram_->draw(sites, glm::dvec2(-2.5), 5.0);
    double truth = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < firstOfB; ++i)
      for (std::size_t j = firstOfB; j < sites.size(); ++j) {
        const auto cross = [](const glm::dvec2& p, const glm::dvec2& q) {
          return p.x * q.y - p.y * q.x;
        };
        const PlaneSite &a = sites[i], &b = sites[j];
        const bool meet = cross(a.b - a.a, b.a - a.a) * cross(a.b - a.a, b.b - a.a) < 0.0 &&
                          cross(b.b - b.a, a.a - b.a) * cross(b.b - b.a, a.b - b.a) < 0.0;
        if (meet) truth = 0.0;
        truth = std::min({truth, distanceTo(a, b.a), distanceTo(a, b.b), distanceTo(b, a.a),
                          distanceTo(b, a.b)});
      }
    const auto gap = gapOf(picture, sites, firstOfB);
    ASSERT_TRUE(gap);
    EXPECT_LE(gap->lower, truth + 1e-9);
    EXPECT_GE(gap->upper, truth - 1e-9);
    EXPECT_NEAR(glm::distance(gap->a, gap->b), gap->upper, 1e-9);
    touching += truth == 0.0;
    apart += truth > 0.3;
    tight += truth > 0.3 && gap->upper < 1.02 * truth && gap->lower > truth - 0.35;
  }
  EXPECT_GT(touching, 8);
  EXPECT_GT(apart, 15);
  EXPECT_GT(tight, 0.9 * apart);
}

/// The section of a solid is closed, lies on its surface, and is where the plane is.
TEST(CrossSection, IsWhereThePlaneMeetsTheSurface) {
  Random random(3);
  std::size_t segments = 0, empty = 0;
  for (int round = 0; round < nearmiss::test::cases(60); ++round) {
    const Polyhedron polyhedron(round % 2 ? nearmiss::test::torus(20, 10)
                                          : nearmiss::test::spikyStar(round, 8, 10));
    const Pose pose{random.inCube(5.0), random.rotation()};
    const Quat turn = random.rotation();
    const Vec3 aside = random.direction();
    const CuttingFrame plane{pose.position + random.between(0.0, 1.3) * aside,
                             turn * Vec3(1.0, 0.0, 0.0), turn * Vec3(0.0, 1.0, 0.0)};
    std::vector<PlaneSite> sites{{glm::dvec2(9.0), glm::dvec2(9.0)}};
    addSection(polyhedron, pose, plane, sites);
    ASSERT_EQ(sites[0].a, glm::dvec2(9.0)) << "it appends";
    empty += sites.size() == 1;
    segments += sites.size() - 1;
    // Every end is the end of another segment
    for (std::size_t i = 1; i < sites.size(); ++i) {
      for (const glm::dvec2& end : {sites[i].a, sites[i].b}) {
        const Vec3 own = glm::conjugate(pose.rotation) * (plane.at(end) - pose.position);
        ASSERT_LT(polyhedron.nearest(own).distance, 1e-9);
        int shared = 0;
        for (std::size_t j = 1; j < sites.size(); ++j)
          shared +=
              (glm::distance(sites[j].a, end) < 1e-9) + (glm::distance(sites[j].b, end) < 1e-9);
        ASSERT_GE(shared, 2) << "the outline is closed";
      }
    }
  }
  EXPECT_GT(segments, 500u);
  EXPECT_GT(empty, 2u);
}

/// Whoever draws a plane keeps the picture of its revision.
TEST_F(Diagram, ThatIsSwitchedOnAgainIsAnotherPicture) {
  auto flight = Flight::begin(quickLamps(2));
  ASSERT_TRUE(flight.has_value());
  ShipDiagram ships;
  UiState ui;
  const auto revision = [&]() -> std::uint64_t {
    ui.view.nearestShips = true;
    for (int turn = 0; turn < 1000 && !ships.plane(); ++turn)
      EXPECT_FALSE(ships.update(*flight, ui, Camera()));
    return ships.plane() ? ships.plane()->revision : 0;
  };
  const std::uint64_t first = revision();
  ui.view.nearestShips = false;
  EXPECT_FALSE(ships.update(*flight, ui, Camera()));
  EXPECT_FALSE(ships.plane());
  EXPECT_GT(revision(), first);
}

}  // namespace
}  // namespace nearmiss::app::fly
