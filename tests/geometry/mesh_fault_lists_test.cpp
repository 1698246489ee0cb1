// SPDX-License-Identifier: MIT
/// Lists of faults are what comparing all triangles and edges finds, with the numbers of the mesh
/// that was given.
#include <nearmiss/mesh.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "geometry/exact_predicates.h"
#include "geometry/vertex_corners.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;
using Pair = std::array<std::uint32_t, 2>;

/// Surfaces of every kind, small enough to compare all pairs: wavy balls that cross themselves now
/// and then, terrain with spikes, soups, and parts that overlap.
TriangleMesh someMesh(std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  switch (seed % 5) {
    case 0:
      mesh = test::sphere(8, 10);
      break;
    case 1:
      mesh = test::torus(12, 7);
      break;
    case 2:
      mesh = test::hills(4);
      break;
    case 3:
      mesh = test::soup(seed, 60, 0.4);
      break;
    default:
      mesh = test::sphere(6, 8);
      test::append(mesh, test::sphere(6, 8), random.inCube(1.0));
  }
  const Real noise = std::array{0.0, 0.01, 0.05, 0.2}[seed / 5 % 4];
  for (Vec3& p : mesh.positions) p += random.inCube(noise);
  // Vertices in one plane, or on a coarse lattice, where triangles touch and fold
  if (seed % 7 == 3)
    for (Vec3& p : mesh.positions) p = 0.125 * glm::round(8.0 * p);
  // Some triangles are gone, turned, twice there or without area
  for (int i = 0; i < static_cast<int>(seed % 4); ++i) {
    const auto at =
        static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1));
    if (i == 0) mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(at));
    if (i == 1) std::swap(mesh.triangles[at][0], mesh.triangles[at][1]);
    if (i == 2) mesh.triangles.insert(mesh.triangles.begin(), mesh.triangles[at]);
  }
  // A fin on an edge, and a triangle along one
  if (seed % 6 == 5) {
    const auto [a, b, c] = mesh.triangles[mesh.triangles.size() / 2];
    const auto next = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(mesh.positions[c] + Vec3(0.3, 0.1, 0.7));
    mesh.triangles.push_back({a, b, next});
    mesh.triangles.insert(mesh.triangles.begin(), {a, b, a});
  }
  return mesh;
}

bool isFlat(const TriangleMesh& mesh, std::size_t t) {
  const auto [a, b, c] = mesh.corners(t);
  return collinear(a, b, c);
}

/// By vertex the first at its position.
std::vector<std::uint32_t> firstsOf(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> first;
  for (const Vec3& p : mesh.positions)
    first.push_back(static_cast<std::uint32_t>(
        std::find(mesh.positions.begin(), mesh.positions.end(), p) - mesh.positions.begin()));
  return first;
}

/// Whether two triangles meet away from the vertices that they share, by exact predicates.
bool meetBeyond(const std::array<std::uint32_t, 3>& a, const std::array<std::uint32_t, 3>& b,
                const TriangleMesh& mesh) {
  std::vector<std::uint32_t> shared, ofA, ofB;
  for (const std::uint32_t v : a)
    (std::find(b.begin(), b.end(), v) != b.end() ? shared : ofA).push_back(v);
  for (const std::uint32_t v : b)
    if (std::find(a.begin(), a.end(), v) == a.end()) ofB.push_back(v);
  const auto at = [&](std::uint32_t v) { return mesh.positions[v]; };
  const Triangle p{at(a[0]), at(a[1]), at(a[2])}, q{at(b[0]), at(b[1]), at(b[2])};
  if (shared.empty()) return trianglesMeet(p, q);
  if (shared.size() == 3) return true;
  if (shared.size() == 1)
    return segmentMeetsTriangle(at(ofA[0]), at(ofA[1]), q) ||
           segmentMeetsTriangle(at(ofB[0]), at(ofB[1]), p);
  // In one plane and on the same side of the edge: each corner sees a part of the other
  if (orientation(p[0], p[1], p[2], at(ofB[0])) != 0) return false;
  for (const Projection projection : projections) {
    const int mine = orientation2d(projection, at(shared[0]), at(shared[1]), at(ofA[0]));
    if (mine != 0)
      return mine == orientation2d(projection, at(shared[0]), at(shared[1]), at(ofB[0]));
  }
  return false;
}

TEST(MeshFaults, AreThoseOfComparingAll) {
  std::size_t pairs = 0, open = 0, nonManifold = 0, misoriented = 0, flat = 0, doubles = 0;
  for (int i = 0; i < test::cases(210); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    SCOPED_TRACE(i);
    const TriangleMesh mesh = someMesh(seed);
    const auto found = findMeshFaults(mesh);
    ASSERT_TRUE(found) << found.error().message;

    // Corners by position
    const std::vector<std::uint32_t> first = firstsOf(mesh);
    std::vector<std::array<std::uint32_t, 3>> welded = mesh.triangles;
    for (auto& t : welded)
      for (std::uint32_t& v : t) v = first[v];
    std::vector<std::uint32_t> flats, duplicates, kept;
    std::set<std::array<std::uint32_t, 3>> known;
    for (std::uint32_t t = 0; t < welded.size(); ++t) {
      auto turned = welded[t];
      std::rotate(turned.begin(), std::min_element(turned.begin(), turned.end()), turned.end());
      (isFlat(mesh, t) ? flats : known.insert(turned).second ? kept : duplicates).push_back(t);
    }
    EXPECT_EQ(found->degenerateTriangles, flats);
    EXPECT_EQ(found->duplicateTriangles, duplicates);

    std::vector<Pair> meeting;
    for (std::size_t p = 0; p < kept.size(); ++p)
      for (std::size_t q = p + 1; q < kept.size(); ++q)
        if (meetBeyond(welded[kept[p]], welded[kept[q]], mesh))
          meeting.push_back({kept[p], kept[q]});
    EXPECT_EQ(found->selfIntersections, meeting);

    // Uses of each edge, forwards and backwards
    std::map<Pair, std::array<int, 2>> uses;
    for (const std::uint32_t t : kept)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(welded[t][k], welded[t][(k + 1) % 3]);
        ++uses[{low, high}][welded[t][k] > welded[t][(k + 1) % 3]];
      }
    std::set<Pair> openEdges, thick, same;
    for (const auto& [edge, n] : uses) {
      if (n[0] + n[1] == 1) openEdges.insert(edge);
      if (n[0] + n[1] > 2) thick.insert(edge);
      if (n[0] + n[1] == 2 && n[0] != 1) same.insert(edge);
    }
    const auto byPosition = [&](const std::vector<MeshFaults::Edge>& edges) {
      std::set<Pair> set;
      for (const MeshFaults::Edge& edge : edges) {
        const auto& corners = mesh.triangles[edge.triangle];
        for (const std::uint32_t v : edge.vertices)
          EXPECT_NE(std::find(corners.begin(), corners.end(), v), corners.end());
        const auto [low, high] = std::minmax(first[edge.vertices[0]], first[edge.vertices[1]]);
        EXPECT_TRUE(set.insert({low, high}).second);
      }
      return set;
    };
    EXPECT_EQ(byPosition(found->boundaryEdges), openEdges);
    EXPECT_EQ(byPosition(found->nonManifoldEdges), thick);
    EXPECT_EQ(byPosition(found->misorientedEdges), same);

    EXPECT_EQ(found->report.selfIntersections, meeting.size());
    EXPECT_EQ(found->report.boundaryEdges, openEdges.size());
    EXPECT_EQ(found->report.nonManifoldEdges, thick.size());
    EXPECT_EQ(found->report.misorientedEdges, same.size());
    pairs += meeting.size();
    open += openEdges.size();
    nonManifold += thick.size();
    misoriented += same.size();
    flat += flats.size();
    doubles += duplicates.size();
  }
  EXPECT_GT(pairs, 1000u);
  EXPECT_GT(open, 100u);
  EXPECT_GT(nonManifold, 10u);
  EXPECT_GT(misoriented, 10u);
  EXPECT_GT(flat, 10u);
  EXPECT_GT(doubles, 10u);
}

/// The report is that of checkMesh() on the cleaned mesh, and neither depends on threads.
TEST(MeshFaults, AreTheSameForAnyNumberOfThreads) {
  TriangleMesh mesh = test::sphere(130, 150);
  Random random(3);
  for (Vec3& p : mesh.positions) p += random.inCube(0.006);
  test::append(mesh, test::sphere(60, 90), Vec3(0.9, 0.0, 0.0));
  const auto one = findMeshFaults(mesh);
  ASSERT_TRUE(one);
  EXPECT_GT(one->selfIntersections.size(), 100u);
  for (const int workers : {2, 3, 7}) {
    const auto other = findMeshFaults(mesh, {.workers = workers});
    ASSERT_TRUE(other);
    EXPECT_EQ(other->selfIntersections, one->selfIntersections);
    EXPECT_EQ(other->report.volume, one->report.volume);
    TriangleMesh a = mesh, b = mesh;
    ASSERT_TRUE(cleanMesh(a, 1e-3));
    ASSERT_TRUE(cleanMesh(b, 1e-3, nullptr, workers));
    EXPECT_EQ(hashOf(a), hashOf(b));
    const std::atomic<bool> never{false};
    EXPECT_EQ(checkMesh(a, never, {true, workers})->selfIntersections,
              checkMesh(a).selfIntersections);
  }
  const auto without = findMeshFaults(mesh, {.selfIntersections = false});
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->report.selfIntersectionsCounted);
  EXPECT_TRUE(without->selfIntersections.empty());
}

TEST(MeshFaults, ListVerticesWhereFansTouch) {
  TriangleMesh mesh = test::tetrahedron();
  const std::uint32_t tip = mesh.triangles[0][0];
  TriangleMesh other = mesh;
  const Vec3 at = mesh.positions[tip];
  for (Vec3& p : other.positions) p = 2.0 * at - p;
  test::flip(other);
  test::append(mesh, other);
  const auto found = findMeshFaults(mesh);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nonManifoldVertices, std::vector<std::uint32_t>{tip});
  EXPECT_EQ(found->report.components, 1u);
}

TEST(MeshFaults, AreNotLookedForInWhatIsNoMesh) {
  const auto faultOf = [](const TriangleMesh& mesh, const MeshCheckSettings& settings = {}) {
    const auto found = findMeshFaults(mesh, settings);
    return found ? std::string() : found.error().message;
  };
  EXPECT_EQ(faultOf({}), "the mesh has no triangle");
  TriangleMesh mesh = test::cube();
  EXPECT_EQ(faultOf(mesh, {.weldDistance = -1.0}),
            "the distance for welding is -1, but must be finite and not negative");
  mesh.triangles[3][1] = 99;
  EXPECT_EQ(faultOf(mesh), "triangle 3 names vertex 99, but must name one of 8");
  mesh = test::cube();
  mesh.positions[2].y = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(faultOf(mesh),
            "vertex 2: y is inf, but must be 0 or of a magnitude from 1e-60 to 1e15");
  const std::atomic<bool> cancelled{true};
  const auto stopped = findMeshFaults(test::cube(), {}, &cancelled);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
}

/// A plain star is a proof: no two of its triangles meet beyond what they share.
TEST(PlainStars, HaveTrianglesThatMeetNowhereElse) {
  std::size_t plainOnes = 0, others = 0, crossing = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    // A closed fan about a vertex, smooth or crumpled, once around or twice
    Random random(static_cast<std::uint64_t>(i));
    const int spokes = random.whole(3, 12);
    const int turns = i % 5 == 0 ? 2 : 1;
    TriangleMesh mesh{{random.inCube(1.0)}, {}};
    const Real noise = random.between(0.0, 1.2);
    for (int k = 0; k < spokes; ++k) {
      const Real angle = 6.283185307179586 * turns * k / spokes;
      mesh.positions.push_back(mesh.positions[0] + Vec3(std::cos(angle), std::sin(angle), 0.3) +
                               random.inCube(noise));
    }
    for (int k = 0; k < spokes; ++k)
      mesh.triangles.push_back(
          {0, static_cast<std::uint32_t>(1 + k), static_cast<std::uint32_t>(1 + (k + 1) % spokes)});
    std::vector<char> stars;
    findPlainStars(mesh, VertexCorners(mesh, 1), 1, stars);
    const bool plain = stars[0] != 0;
    bool meet = false;
    for (std::size_t p = 0; p < mesh.triangles.size(); ++p)
      for (std::size_t q = p + 1; q < mesh.triangles.size(); ++q)
        meet = meet || meetBeyond(mesh.triangles[p], mesh.triangles[q], mesh);
    EXPECT_FALSE(plain && meet) << i;
    plainOnes += plain;
    others += !plain;
    crossing += meet;
  }
  EXPECT_GT(plainOnes, 80u);
  EXPECT_GT(others, 80u);
  EXPECT_GT(crossing, 50u);
}

}  // namespace
}  // namespace nearmiss
