// SPDX-License-Identifier: MIT
/// Contacts of convex solids, which have a search of their own: it overlooks no axis, agrees with
/// the exact tests about whether bodies touch, and with the search for any solids about where.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include "contact/manifold_strata.h"
#include "geometry/polyhedron_pair.h"
#include "pair/convex_solid.h"
#include "pair/least_overlap.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::ManifoldCase;
using test::NamedShape;
using test::Random;
using test::Stratum;

constexpr int convexCases = 400;

/// The same surface, and a speck of dust far away: not convex as a whole.
const NamedShape& withDust(const NamedShape& of) {
  static std::map<const NamedShape*, NamedShape> all;
  const auto found = all.find(&of);
  if (found != all.end()) return found->second;
  TriangleMesh mesh = of.shape.polyhedron().mesh();
  test::append(mesh, test::cube(1e-3), Vec3(0.0, 8.0, 0.0));
  return all.try_emplace(&of, NamedShape{of.name, test::treelessShape(std::move(mesh))})
      .first->second;
}

/// The overlap along the axis that has the least, by trying all.
Real leastOverlapOf(const ConvexSolid& a, const ConvexSolid& b, const Pose& bToA) {
  std::vector<Vec3> placed, axes, alongB;
  for (const Vec3& p : b.positions()) placed.push_back(transformed(bToA, p));
  for (const ConvexSolid::Face& face : a.faces()) axes.push_back(face.normal);
  for (const ConvexSolid::Face& face : b.faces()) axes.push_back(bToA.rotation * -face.normal);
  for (const ConvexSolid::Edge& ofA : a.edges())
    for (const ConvexSolid::Edge& ofB : b.edges()) {
      const Vec3 across = glm::cross(ofA.along, bToA.rotation * ofB.along);
      if (!(glm::length(across) > 1e-9)) continue;
      axes.push_back(glm::normalize(across));
      axes.push_back(-axes.back());
    }
  Real least = std::numeric_limits<Real>::infinity();
  for (const Vec3& axis : axes) {
    const auto along = [&](const Vec3& p) { return glm::dot(axis, p); };
    least = std::min(least, along(std::ranges::max(a.positions(), {}, along)) -
                                along(std::ranges::min(placed, {}, along)));
  }
  return least;
}

TEST(ConvexContacts, OverlookNoAxis) {
  LeastOverlap axis;
  int apart = 0, ofEdges = 0;
  for (int i = 0; i < test::cases(convexCases); ++i) {
    const ManifoldCase of = test::drawCase(Stratum::Convex, i);
    const ConvexSolid &a = *convexSolidOf(of.a->shape), &b = *convexSolidOf(of.b->shape);
    const Pose bToA = relativePose(of.poseA, of.poseB);
    const Real slack = 1e-9 * of.size(), truth = leastOverlapOf(a, b, bToA);
    constexpr Real reach = 0.05;
    if (!axis.search(a, b, bToA, reach, 0.1 * slack)) {
      ++apart;
      ASSERT_LT(truth, -reach + slack) << i << ": " << of;
      continue;
    }
    // Apart, bodies are farther along other axes than along these
    ASSERT_GE(axis.depth(), truth - 1e-6) << i << ": " << of;
    if (truth > 0.0) {
      ASSERT_NEAR(axis.depth(), truth, slack) << i << ": " << of;
    }
    ASSERT_NEAR(glm::length(axis.normal()), 1.0, 1e-12);
    const auto isNormal = [&](const Vec3& normal) {
      return glm::dot(normal, axis.normal()) > 1.0 - 1e-12;
    };
    ofEdges += std::ranges::none_of(a.faces(), isNormal, &ConvexSolid::Face::normal) &&
               std::ranges::none_of(b.faces(), [&](const ConvexSolid::Face& face) {
                 return isNormal(bToA.rotation * -face.normal);
               });
  }
  EXPECT_GT(apart, test::cases(convexCases) / 100);
  EXPECT_GT(ofEdges, test::cases(convexCases) / 20);
}

TEST(ConvexContacts, AreThereIfTheBodiesTouch) {
  int touching = 0, gaps = 0, apart = 0;
  for (int i = 0; i < test::cases(convexCases); ++i) {
    const ManifoldCase of = test::drawCase(Stratum::Convex, i);
    const Real margin = i % 2 ? 0.0 : 0.01, slack = 1e-9 * of.size();
    const ContactManifold found =
        contactManifold(of.a->shape, of.poseA, of.b->shape, of.poseB, {margin, 1000});
    const Real truth = distanceBetween(of.a->shape.polyhedron(), of.b->shape.polyhedron(),
                                       relativePose(of.poseA, of.poseB));
    if (truth <= margin) {
      ASSERT_FALSE(found.points.empty()) << i << ": " << of;
      const Real deepest = found.points.front().depth;
      if (truth == 0.0)
        ASSERT_GE(deepest, -slack) << i << ": " << of;
      else
        // Beside rims, this near counts as on the surface
        ASSERT_NEAR(-deepest, truth, 3e-6 * of.size()) << i << ": " << of;
    } else if (truth > margin + slack) {
      ASSERT_TRUE(found.points.empty()) << i << ": " << of;
    }
    ++(truth == 0.0 ? touching : truth <= margin ? gaps : apart);
  }
  EXPECT_GT(touching, test::cases(convexCases) / 3);
  EXPECT_GT(gaps, test::cases(convexCases) / 20);
  EXPECT_GT(apart, test::cases(convexCases) / 20);
}

/// Bodies that hardly overlap have about the same depth and direction for either search.
TEST(ConvexContacts, AreThoseOfTheSearchForAnySolids) {
  int compared = 0, asDeep = 0, sameNormal = 0, samePatch = 0;
  for (int i = 0; i < test::cases(convexCases); ++i) {
    const ManifoldCase of = test::drawCase(Stratum::Convex, i);
    const ContactManifold found =
        contactManifold(of.a->shape, of.poseA, of.b->shape, of.poseB, {0.001, 1000});
    const ContactManifold other = contactManifold(withDust(*of.a).shape, of.poseA,
                                                  withDust(*of.b).shape, of.poseB, {0.001, 1000});
    ASSERT_EQ(convexSolidOf(withDust(*of.a).shape), nullptr);
    if (found.points.empty() || other.points.empty()) continue;
    const ManifoldPoint &deepest = found.points.front(), &others = other.points.front();
    // The search for any solids takes vertices this far from a surface for on it
    const Real tolerance = 3e-6 * withDust(*of.a).shape.radius();
    ASSERT_LE(others.depth, deepest.depth + tolerance) << i << ": " << of;
    if (deepest.depth > 0.01) continue;
    ++compared;
    // Of edges, the other search proves a part of the depth only
    asDeep += others.depth >= deepest.depth - 0.5 * std::abs(deepest.depth) - 1e-6;
    sameNormal += std::ranges::any_of(other.points, [&](const ManifoldPoint& point) {
      return glm::dot(point.normal, deepest.normal) > 0.999;
    });
    samePatch += std::ranges::all_of(other.points, [&](const ManifoldPoint& point) {
      if (glm::dot(point.normal, deepest.normal) < 0.999) return true;
      return std::ranges::any_of(found.points, [&](const ManifoldPoint& own) {
        return glm::distance(own.onA, point.onA) < 1e-4;
      });
    });
  }
  EXPECT_GT(compared, test::cases(convexCases) / 4);
  EXPECT_GT(asDeep, 0.95 * compared);
  EXPECT_GT(sameNormal, 0.9 * compared);
  EXPECT_GT(samePatch, 0.9 * compared);
}

/// What has one face of many triangles, or sides in pieces, has the contacts of a plain box.
TEST(ConvexContacts, DoNotDependOnTriangles) {
  TriangleMesh fine = test::cube(0.5);
  for (int round = 0; round < 2; ++round) {
    // Each side of a triangle is cut in two
    TriangleMesh finer{fine.positions, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    for (const auto& t : fine.triangles) {
      std::array<std::uint32_t, 3> m{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        const auto [at, isNew] =
            middles.try_emplace({low, high}, static_cast<std::uint32_t>(finer.positions.size()));
        if (isNew) finer.positions.push_back(0.5 * (fine.positions[low] + fine.positions[high]));
        m[k] = at->second;
      }
      finer.triangles.insert(
          finer.triangles.end(),
          {{t[0], m[0], m[2]}, {m[0], t[1], m[1]}, {m[2], m[1], t[2]}, {m[0], m[1], m[2]}});
    }
    fine = std::move(finer);
  }
  const Shape shape = test::treelessShape(std::move(fine));
  const Shape cube = test::treelessShape(test::cube(0.5));
  const ConvexSolid* solid = convexSolidOf(shape);
  ASSERT_NE(solid, nullptr);
  EXPECT_EQ(solid->faces().size(), 6u);
  EXPECT_EQ(solid->vertices().size(), 8u + 12u * 3u) << "vertices within faces are left out";
  EXPECT_NEAR(solid->innerRadius(), 0.5, 1e-12);
  Random random(17);
  for (int i = 0; i < 50; ++i) {
    const Pose on{{random.between(-0.4, 0.4), random.between(-0.4, 0.4), 0.999},
                  glm::angleAxis(random.between(-3.0, 3.0), Vec3(0, 0, 1))};
    const ContactManifold found = contactManifold(shape, {}, shape, on, {0.01, 1000});
    const ContactManifold plain = contactManifold(cube, {}, cube, on, {0.01, 1000});
    for (const ManifoldPoint& point : plain.points)
      EXPECT_TRUE(std::ranges::any_of(found.points, [&](const ManifoldPoint& own) {
        return glm::distance(own.onA, point.onA) < 1e-9 &&
               glm::distance(own.normal, point.normal) < 1e-9;
      })) << i;
  }
}

TEST(ConvexContacts, AreOfConvexSolidsOnly) {
  const auto isConvex = [](TriangleMesh mesh) {
    return convexSolidOf(test::treelessShape(std::move(mesh))) != nullptr;
  };
  EXPECT_TRUE(isConvex(test::cube()));
  EXPECT_TRUE(isConvex(test::tetrahedron()));
  EXPECT_FALSE(isConvex(test::torus(12, 6)));
  EXPECT_FALSE(isConvex(test::sphere(20, 30))) << "too many faces";
  EXPECT_FALSE(isConvex(test::hills(3))) << "open";
  TriangleMesh two = test::cube();
  test::append(two, test::cube(), Vec3(3.0, 0.0, 0.0));
  EXPECT_FALSE(isConvex(std::move(two)));
  // A dent that a contact would feel, and one that rounding could have made
  for (const Real depth : {1e-7, 1e-14}) {
    TriangleMesh dented = test::cube();
    const auto t = dented.triangles[0];
    Vec3 middle(0.0);
    for (const std::uint32_t v : t) middle += dented.positions[v] / 3.0;
    const auto added = static_cast<std::uint32_t>(dented.positions.size());
    dented.positions.push_back((1.0 - depth) * middle);
    dented.triangles[0] = {t[0], t[1], added};
    dented.triangles.push_back({t[1], t[2], added});
    dented.triangles.push_back({t[2], t[0], added});
    EXPECT_EQ(isConvex(std::move(dented)), depth < 1e-10) << depth;
  }
}

}  // namespace
}  // namespace nearmiss
