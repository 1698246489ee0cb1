// SPDX-License-Identifier: MIT
/// Delaunay tetrahedra and Voronoi cells: exactly what they must be, of any points.
#include "builders/delaunay.h"

#include <gtest/gtest.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "builders/voronoi_diagram.h"
#include "geometry/exact_predicates.h"
#include "spheres/point_tree.h"
#include "spheres/surface_samples.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

struct PointSet {
  std::string name;
  std::vector<Vec3> points;
};

std::ostream& operator<<(std::ostream& out, const PointSet& set) { return out << set.name; }

PointSet random(std::size_t count) {
  Random random(1);
  PointSet set{"random" + std::to_string(count), {}};
  for (std::size_t i = 0; i < count; ++i) set.points.push_back(random.inCube(1.0));
  return set;
}

/// Each cell of a lattice has eight corners on one sphere.
PointSet grid(int side, Real noise, const std::string& name) {
  Random random(2);
  PointSet set{name, {}};
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        set.points.push_back(0.1 * Vec3(x, y, z) + noise * random.inCube(1.0));
  return set;
}

/// On a sphere to the bit: whole numbers with the same sum of squares.
PointSet cospherical(int square) {
  PointSet set{"cospherical", {}};
  const int reach = static_cast<int>(std::sqrt(square));
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z)
        if (x * x + y * y + z * z == square) set.points.emplace_back(x, y, z);
  return set;
}

PointSet aroundACircle(std::size_t count) {
  PointSet set{"circle", {{0, 0, 1}}};
  for (std::size_t i = 0; i < count; ++i) {
    const Real angle = 2.0 * std::numbers::pi * static_cast<Real>(i) / static_cast<Real>(count);
    set.points.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  return set;
}

PointSet flat(int side) {
  PointSet set{"plane", {}};
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y) set.points.emplace_back(x, y, 0.0);
  return set;
}

PointSet inARow(int count) {
  PointSet set{"row", {}};
  for (int x = 0; x < count; ++x) set.points.emplace_back(x, 2.0 * x, -x);
  return set;
}

PointSet onABox(std::size_t count) {
  PointSet set{"box", {}};
  for (const SurfaceSample& p : evenPoints(test::box(Vec3(-1, -2, -3), Vec3(1, 2, 3)), count))
    set.points.push_back(p.position);
  return set;
}

class EveryPointSet : public testing::TestWithParam<PointSet> {
 protected:
  const std::vector<Vec3>& points() const { return GetParam().points; }
  Delaunay delaunay_{GetParam().points, std::vector<bool>(GetParam().points.size(), false)};
};

TEST_P(EveryPointSet, FillsSpaceWithTetrahedraThatFitTogether) {
  const auto& all = delaunay_.tetrahedra();
  Real volume = 0.0;
  std::vector<bool> seen(delaunay_.points().size(), false);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto at = [&](std::size_t k) { return delaunay_.points()[all[i].corners[k]]; };
    ASSERT_EQ(orientation(at(0), at(1), at(2), at(3)), 1) << i;
    volume += std::abs(glm::dot(at(1) - at(0), glm::cross(at(2) - at(0), at(3) - at(0))));
    for (std::size_t k = 0; k < 4; ++k) {
      seen[all[i].corners[k]] = true;
      const std::uint32_t next = all[i].across[k];
      if (next == Delaunay::none) continue;
      // Both sides refer to each other, and share all but one corner
      const auto& back = all[next].across;
      ASSERT_EQ(std::count(back.begin(), back.end(), i), 1);
      for (std::size_t other = 0; other < 4; ++other)
        if (other != k) {
          const auto& corners = all[next].corners;
          ASSERT_EQ(std::count(corners.begin(), corners.end(), all[i].corners[other]), 1);
        }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
  // All of the outermost tetrahedron is filled, once
  const std::size_t far = points().size();
  const auto corner = [&](std::size_t k) { return delaunay_.points()[far + k]; };
  const Real whole = std::abs(
      glm::dot(corner(1) - corner(0), glm::cross(corner(2) - corner(0), corner(3) - corner(0))));
  EXPECT_NEAR(volume, whole, 1e-9 * whole);
}

/// Decided exactly, for all tetrahedra: against their neighbours, which suffices,
/// and against all points for a share of them.
TEST_P(EveryPointSet, HasNoPointInsideOfASphere) {
  const auto& all = delaunay_.tetrahedra();
  std::size_t looked = 0;
  const std::size_t step = 1 + all.size() * points().size() / 200000;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto inside = [&](std::uint32_t point) {
      const auto at = [&](std::size_t k) { return delaunay_.points()[all[i].corners[k]]; };
      return inSphere(at(0), at(1), at(2), at(3), delaunay_.points()[point]) > 0;
    };
    for (const std::uint32_t next : all[i].across) {
      if (next == Delaunay::none) continue;
      // The corners of both are on the sphere
      for (const std::uint32_t p : all[next].corners)
        ASSERT_TRUE(std::ranges::count(all[i].corners, p) > 0 || !inside(p)) << i;
    }
    if (i % step != 0) continue;
    for (std::uint32_t p = 0; p < points().size(); ++p, ++looked) ASSERT_FALSE(inside(p)) << i;
  }
  EXPECT_GE(looked, 5 * points().size());
}

/// V - E + F = 2 for each cell that the far corners do not bound; a corner has three edges.
TEST_P(EveryPointSet, HasCellsThatAreClosedPolyhedra) {
  const VoronoiDiagram diagram = voronoiDiagram(points());
  ASSERT_EQ(diagram.cornerBegin.size(), points().size() + 1);
  std::size_t inner = 0, faces = 0;
  for (std::uint32_t p = 0; p < points().size(); ++p) {
    const std::uint32_t begin = diagram.cornerBegin[p], end = diagram.cornerBegin[p + 1];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<int> uses(end - begin, 0);
    for (const auto& face : diagram.facesOf(p)) {
      ++faces;
      ASSERT_GE(face.end - face.begin, 3u);
      for (std::uint32_t i = face.begin; i < face.end; ++i) {
        const std::uint32_t a = diagram.faceCorners[i];
        const std::uint32_t b = diagram.faceCorners[i + 1 < face.end ? i + 1 : face.begin];
        ASSERT_TRUE(a >= begin && a < end);
        edges.push_back(std::minmax(a, b));
        ++uses[a - begin];
      }
      // Both cells see the face, with as many corners
      const auto back = diagram.facesOf(face.neighbour);
      ASSERT_EQ(std::count_if(back.begin(), back.end(),
                              [&](const auto& other) {
                                return other.neighbour == p &&
                                       other.end - other.begin == face.end - face.begin;
                              }),
                1);
    }
    if (std::any_of(uses.begin(), uses.end(), [](int use) { return use < 3; })) continue;
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size(); i += 2) ASSERT_EQ(edges[i], edges[i + 1]);
    const auto count = static_cast<std::ptrdiff_t>(edges.size() / 2);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(uses.size()) - count +
                  static_cast<std::ptrdiff_t>(diagram.facesOf(p).size()),
              2)
        << p;
    ++inner;
  }
  EXPECT_GT(faces, points().size() - 1);
  if (points().size() == 10000) {
    EXPECT_GT(inner, points().size() / 4);
  }
}

/// Corners within the points' box are as far from the points whose cells meet there as from no
/// other point.
TEST_P(EveryPointSet, HasCornersInTheMiddleOfTheNearestPoints) {
  const VoronoiDiagram diagram = voronoiDiagram(points());
  Box bounds;
  for (const Vec3& p : points()) bounds.include(p);
  const Real size = glm::length(bounds.extent());
  const PointTree tree(points());
  std::size_t looked = 0;
  for (std::uint32_t p = 0; p < points().size(); ++p)
    for (const auto& face : diagram.facesOf(p))
      for (std::uint32_t i = face.begin; i < face.end; ++i) {
        const Vec3 corner = diagram.corners[diagram.faceCorners[i]];
        if (!bounds.contains(corner) || ++looked % 5 != 0) continue;
        const Real own = glm::distance(corner, points()[p]);
        ASSERT_NEAR(glm::distance(corner, points()[face.neighbour]), own, 1e-12 * size);
        const Vec3 nearest = points()[tree.nearest(corner)];
        ASSERT_GE(glm::distance(corner, nearest), own - 1e-12 * size);
      }
}

INSTANTIATE_TEST_SUITE_P(, EveryPointSet,
                         testing::Values(random(4), random(50), random(10000), grid(8, 0.0, "grid"),
                                         grid(8, 1e-13, "shakenGrid"),
                                         grid(6, 1e-16, "roundedGrid"), cospherical(1105),
                                         aroundACircle(200), flat(25), inARow(100), onABox(3000)),
                         [](const auto& set) { return set.param.name; });

/// Whatever is added to the set of degenerate cases: the diagram of shuffled points is the same.
TEST(Delaunay, DoesNotDependOnHowPointsAreNumbered) {
  Random shuffle(5);
  std::vector<Vec3> points = random(300).points;
  const auto facesOf = [](const std::vector<Vec3>& all) {
    const VoronoiDiagram diagram = voronoiDiagram(all);
    std::vector<std::pair<std::array<Real, 3>, std::array<Real, 3>>> faces;
    for (std::uint32_t p = 0; p < all.size(); ++p)
      for (const auto& face : diagram.facesOf(p)) {
        const Vec3 &a = all[p], &b = all[face.neighbour];
        faces.push_back({{a.x, a.y, a.z}, {b.x, b.y, b.z}});
      }
    std::sort(faces.begin(), faces.end());
    return faces;
  };
  const auto before = facesOf(points);
  EXPECT_GT(before.size(), 2000u);
  for (std::size_t i = points.size(); i > 1; --i)
    std::swap(points[i - 1],
              points[static_cast<std::size_t>(shuffle.whole(0, static_cast<int>(i) - 1))]);
  EXPECT_EQ(facesOf(points), before);
}

}  // namespace
}  // namespace nearmiss
