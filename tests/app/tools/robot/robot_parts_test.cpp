// SPDX-License-Identifier: MIT
/// What covers a robot's links, part by part: covers of primitives, links alike, shared budgets.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/constants.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "tools/robot/link_mesh.h"
#include "tools/robot/mesh_likeness.h"
#include "tools/robot/primitives.h"
#include "tools/robot/sphere_budget.h"

namespace nearmiss::app::robot {
namespace {

using nearmiss::test::cases;
using nearmiss::test::Random;

/// A point of a primitive in its own frame, often on its surface.
Vec3 pointIn(const LinkShape& shape, Random& random) {
  const auto share = [&random] { return random.chance(0.5) ? 1.0 : random.unit(); };
  const auto side = [&random] { return random.chance(0.5) ? 1.0 : -1.0; };
  if (shape.kind == LinkShapeKind::Box)
    return shape.size * Vec3(side() * share(), side() * share(), side() * share());
  const Real angle = random.between(0.0, glm::two_pi<Real>());
  const Vec3 around(std::cos(angle), std::sin(angle), 0.0);
  const Real half = 0.5 * shape.size.y;
  if (shape.kind == LinkShapeKind::Cylinder)
    return shape.size.x * share() * around + Vec3(0.0, 0.0, side() * share() * half);
  const Vec3 end(0.0, 0.0, side() * share() * half);
  return end + shape.size.x * share() * random.direction();
}

TEST(PrimitiveCovers, HoldEveryPointAndTheirMesh) {
  Random random(1);
  std::size_t covers = 0, most = 0;
  for (int i = 0; i < cases(150); ++i) {
    SCOPED_TRACE(i);
    LinkShape shape;
    constexpr LinkShapeKind kinds[] = {LinkShapeKind::Box, LinkShapeKind::Cylinder,
                                       LinkShapeKind::Capsule};
    shape.kind = kinds[i % 3];
    // The proof of coverage doubts the corners of needles, a few hundred times as long as thick
    const Real size = std::pow(10.0, random.between(-2.0, 1.0));
    const auto length = [&] { return size * std::pow(10.0, random.between(-1.0, 1.0)); };
    shape.size = {length(), length(), length()};
    shape.at = random.inCube(5.0);
    shape.turn = random.rotation();
    const auto count = static_cast<std::size_t>(random.whole(1, i % 5 == 0 ? 200 : 16));
    LinkMesh mesh;
    ASSERT_TRUE(addShape(shape, mesh));
    const Polyhedron polyhedron(mesh.mesh);
    const auto all = primitiveCovers(shape, count);
    ASSERT_FALSE(all.empty());
    for (const std::vector<Sphere>& cover : all) {
      ++covers;
      ASSERT_LE(cover.size(), count);
      most = std::max(most, cover.size());
      if (i % 5 != 0) {
        EXPECT_TRUE(checkFlatSet(polyhedron, cover).covers());
      }
      for (int k = 0; k < 400; ++k) {
        const Vec3 point = shape.turn * pointIn(shape, random) + shape.at;
        Real outside = std::numeric_limits<Real>::infinity();
        for (const Sphere& sphere : cover)
          outside = std::min(outside, glm::distance(sphere.centre, point) - sphere.radius);
        ASSERT_LE(outside, 1e-12 * glm::length(point));
      }
    }
  }
  EXPECT_GT(covers, 150u * 2u);
  EXPECT_GT(most, 100u);
}

TEST(PrimitiveCovers, AreNoneOfOtherShapes) {
  LinkShape shape;
  for (const LinkShapeKind kind :
       {LinkShapeKind::Mesh, LinkShapeKind::Ellipsoid, LinkShapeKind::Sphere}) {
    shape.kind = kind;
    EXPECT_TRUE(primitiveCovers(shape, 8).empty());
  }
}

/// A turn by right angles, mirrored or not, and a shift.
MeshLikeness randomMap(Random& random) {
  MeshLikeness map;
  std::vector<int> order{0, 1, 2};
  for (std::size_t i = 2; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(random.whole(0, static_cast<int>(i)))]);
  map.axes = glm::dmat3(0.0);
  for (int axis = 0; axis < 3; ++axis)
    map.axes[axis][order[static_cast<std::size_t>(axis)]] = random.chance(0.5) ? 1.0 : -1.0;
  map.shift = random.inCube(2.0);
  return map;
}

TriangleMesh moved(TriangleMesh mesh, const MeshLikeness& map) {
  for (Vec3& p : mesh.positions) p = map(p);
  if (glm::determinant(map.axes) < 0.0) nearmiss::test::flip(mesh);
  return mesh;
}

TEST(MeshLikeness, IsFoundForEveryTurnAndMirror) {
  Random random(2);
  int mirrored = 0;
  for (int i = 0; i < cases(100); ++i) {
    const TriangleMesh mesh = nearmiss::test::spikyStar(static_cast<std::uint64_t>(i), 5, 7);
    const MeshLikeness map = randomMap(random);
    const TriangleMesh image = moved(mesh, map);
    const auto found = likenessOf(mesh, image);
    ASSERT_TRUE(found) << i;
    EXPECT_LT(found->deviation, 1e-12);
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(found->axes[axis][k], map.axes[axis][k]);
    mirrored += glm::determinant(found->axes) < 0.0;
    // Spheres follow their points
    const Sphere sphere{mesh.positions[3], 0.2};
    const Sphere there = mapped(*found, {&sphere, 1})[0];
    EXPECT_LT(glm::distance(there.centre, image.positions[3]), 1e-9);
    EXPECT_GE(there.radius, sphere.radius);

    // One vertex off is another mesh, and a hair's breadth is none
    TriangleMesh other = image;
    other.positions[4] += 1e-3 * random.direction();
    EXPECT_FALSE(likenessOf(mesh, other));
    other = image;
    other.positions[4] += 1e-8 * random.direction();
    const auto near = likenessOf(mesh, other);
    ASSERT_TRUE(near);
    EXPECT_GT(near->deviation, 1e-9);
  }
  EXPECT_GT(mirrored, 25);
  EXPECT_LT(mirrored, 75);
}

/// All vertices but one lie within a ten millionth of the size, in one cell.
TEST(MeshLikeness, IsSoughtInNoMoreTimeWhereVerticesCrowd) {
  TriangleMesh mesh;
  mesh.positions.emplace_back(1.0);
  Random random(3);
  for (std::uint32_t i = 1; i <= 100'000; ++i) {
    mesh.positions.push_back(1e-7 * random.inCube(1.0));
    if (i > 1) mesh.triangles.push_back({0, i - 1, i});
  }
  // The square of their number would take longer than a test may
  const auto found = likenessOf(mesh, mesh);
  ASSERT_TRUE(found);
  EXPECT_LT(found->deviation, 1e-6);
}

TEST(MeshLikeness, IsFoundWhereMillionthsOfTheSizeHaveNoWholeNumber) {
  TriangleMesh far = nearmiss::test::box(Vec3(-32.0), Vec3(32.0, 32.0, 96.0));
  for (Vec3& p : far.positions) p += 1e15;
  const auto found = likenessOf(far, far);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->deviation, 0.0);
}

TEST(LinkMesh, KnowsWhatMovingFromFarAwayLoses) {
  using Precise = long double;
  Random random(6);
  for (int i = 0; i < cases(30); ++i) {
    const Vec3 away = 1e6 * random.direction();
    auto mesh = std::make_shared<TriangleMesh>(nearmiss::test::spikyStar(1, 5, 7));
    for (Vec3& p : mesh->positions) p += away;
    LinkShape shape;
    shape.kind = LinkShapeKind::Mesh;
    shape.mesh = mesh;
    shape.turn = random.rotation();
    shape.at = -(shape.turn * away);
    LinkMesh link;
    ASSERT_TRUE(addShape(shape, link));
    Precise most = 0.0;
    for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
      const glm::vec<3, Precise> p(mesh->positions[v]), at(shape.at);
      const glm::qua<Precise> turn(shape.turn.w, shape.turn.x, shape.turn.y, shape.turn.z);
      most = std::max(most, glm::distance(glm::normalize(turn) * p + at,
                                          glm::vec<3, Precise>(link.mesh.positions[v])));
    }
    EXPECT_GT(most, 1e-12);
    EXPECT_LE(most, lostOf(link, Polyhedron(link.mesh).radius()));
  }
}

TEST(MeshLikeness, IsNoneOfOtherMeshes) {
  EXPECT_FALSE(likenessOf(nearmiss::test::spikyStar(1, 5, 7), nearmiss::test::spikyStar(2, 5, 7)));
  EXPECT_FALSE(likenessOf(nearmiss::test::cube(1.0), nearmiss::test::cube(1.1)));
  EXPECT_FALSE(likenessOf(nearmiss::test::cube(1.0), nearmiss::test::tetrahedron()));
  EXPECT_FALSE(likenessOf({}, {}));
}

/// Links whose excess falls with a power of their number.
struct PowerLink {
  Real size, power;
  std::size_t members = 1;
  [[nodiscard]] Real at(std::size_t count) const {
    return size / std::pow(static_cast<Real>(count), power);
  }
};

std::vector<BudgetedLinks> budgetedOf(const std::vector<PowerLink>& links) {
  std::vector<BudgetedLinks> groups;
  for (const PowerLink& link : links)
    groups.push_back(
        {link.members, 64, [link](std::size_t count) -> Result<Real> { return link.at(count); }});
  return groups;
}

Real outsideOf(const std::vector<PowerLink>& links, const SharedBudget& shared) {
  Real sum = 0.0;
  for (std::size_t g = 0; g < links.size(); ++g)
    for (const std::size_t count : shared.counts[g]) sum += links[g].at(count);
  return sum;
}

TEST(SharedSpheres, AddUpAndMoreAreNeverWorse) {
  Random random(3);
  for (int i = 0; i < cases(40); ++i) {
    std::vector<PowerLink> links;
    std::size_t members = 0;
    for (int g = random.whole(1, 5); g > 0; --g) {
      links.push_back({random.between(0.1, 3.0), random.between(0.2, 1.5),
                       static_cast<std::size_t>(random.whole(1, 3))});
      members += links.back().members;
    }
    Real before = std::numeric_limits<Real>::infinity();
    std::vector<std::vector<std::size_t>> fewer;
    for (std::size_t total = members; total < members + 60; ++total) {
      const auto shared = shareSpheres(budgetedOf(links), total);
      ASSERT_TRUE(shared);
      std::size_t sum = shared->unspent;
      for (std::size_t g = 0; g < links.size(); ++g) {
        const auto& counts = shared->counts[g];
        ASSERT_EQ(counts.size(), links[g].members);
        sum += std::accumulate(counts.begin(), counts.end(), std::size_t{0});
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        EXPECT_GE(*least, 1u);
        EXPECT_LE(*most, *least + 1) << "links alike get alike";
        for (std::size_t m = 0; m < counts.size() && !fewer.empty(); ++m)
          EXPECT_GE(counts[m], fewer[g][m]) << "a smaller total is how a larger one begins";
      }
      EXPECT_EQ(sum, total);
      EXPECT_EQ(shared->unspent, 0u);
      const Real outside = outsideOf(links, *shared);
      EXPECT_LE(outside, before);
      before = outside;
      fewer = shared->counts;
    }
  }
}

TEST(SharedSpheres, GoWhereTheyHelpMost) {
  // Beside each other from the best of all ways to share, by trying them all
  Random random(4);
  Real worst = 0.0;
  for (int i = 0; i < cases(40); ++i) {
    const std::vector<PowerLink> links{{random.between(0.1, 3.0), random.between(0.3, 1.2)},
                                       {random.between(0.1, 3.0), random.between(0.3, 1.2)},
                                       {random.between(0.1, 3.0), random.between(0.3, 1.2)}};
    constexpr std::size_t total = 24;
    Real best = std::numeric_limits<Real>::infinity();
    for (std::size_t a = 1; a + 2 <= total; ++a)
      for (std::size_t b = 1; a + b + 1 <= total; ++b)
        best = std::min(best, links[0].at(a) + links[1].at(b) + links[2].at(total - a - b));
    const auto shared = shareSpheres(budgetedOf(links), total);
    ASSERT_TRUE(shared);
    worst = std::max(worst, outsideOf(links, *shared) / best);
  }
  EXPECT_LT(worst, 1.25);
  // Shared alike it would be worse
  const std::vector<PowerLink> uneven{{10.0, 1.0}, {0.01, 1.0}};
  const auto shared = shareSpheres(budgetedOf(uneven), 12);
  ASSERT_TRUE(shared);
  EXPECT_GT(shared->counts[0][0], 8u);
}

TEST(SharedSpheres, AreLeftWhereTheyGainNothing) {
  const std::vector<BudgetedLinks> groups{
      {2, 64, [](std::size_t count) -> Result<Real> { return count < 4 ? 1.0 : 0.5; }},
      {1, 64, [](std::size_t) -> Result<Real> { return 0.0; }}};
  const auto shared = shareSpheres(groups, 20);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->counts, (std::vector<std::vector<std::size_t>>{{4, 4}, {1}}));
  EXPECT_EQ(shared->unspent, 11u);
}

TEST(SharedSpheres, TellOfFaultsAndStop) {
  const std::vector<BudgetedLinks> faulty{{1, 64, [](std::size_t count) -> Result<Real> {
                                             if (count > 2)
                                               return Error{ErrorCode::Cancelled, "stop"};
                                             return 1.0 / static_cast<Real>(count);
                                           }}};
  const auto failed = shareSpheres(faulty, 9);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "stop");
  int requested = 0;
  const auto stopped = shareSpheres(budgetedOf({{1.0, 1.0}, {1.0, 1.0}}), 40,
                                    [&requested] { return ++requested > 4; });
  ASSERT_TRUE(stopped);
  EXPECT_LT(stopped->counts[0][0] + stopped->counts[1][0], 40u);
  EXPECT_GT(stopped->counts[0][0] + stopped->counts[1][0], 2u);
}

/// What hears of the stop first may be the fitting, in the midst of a set.
TEST(SharedSpheres, AreNoMoreThanTheTotalWhenAFitIsStopped) {
  for (const std::size_t fits : {1u, 4u}) {
    std::size_t made = 0;
    const auto outside = [&made, fits](std::size_t count) -> Result<Real> {
      if (++made > fits) return Error{ErrorCode::Cancelled, "stop"};
      return 1.0 / static_cast<Real>(count);
    };
    const std::vector<BudgetedLinks> groups{{3, 64, outside}, {1, 64, outside}};
    const auto shared = shareSpheres(groups, 9, [&made, fits] { return made > fits; });
    ASSERT_TRUE(shared);
    std::size_t sum = 0;
    for (const auto& counts : shared->counts)
      sum = std::accumulate(counts.begin(), counts.end(), sum);
    EXPECT_EQ(shared->counts.size(), 2u);
    EXPECT_GE(sum, 4u);
    EXPECT_LE(sum, 9u);
  }
}

}  // namespace
}  // namespace nearmiss::app::robot
