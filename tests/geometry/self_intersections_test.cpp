// SPDX-License-Identifier: MIT
/// Meeting triangles are found as by comparing all pairs, and with little work where boxes overlap.
#include "geometry/mesh_check.h"

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "geometry/exact_predicates.h"
#include "geometry/surface_boxes.h"
#include "geometry/tight_boxes.h"
#include "oracle/rational.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// A fan about one vertex: cones that cross now and then.
TriangleMesh fan(int count, std::uint64_t seed, Real width) {
  Random random(seed);
  TriangleMesh mesh{{random.inCube(0.1)}, {}};
  for (int i = 0; i < count; ++i) {
    const Vec3 to = random.direction();
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(mesh.positions[0] + random.between(0.2, 2.0) * to);
    mesh.positions.push_back(mesh.positions[0] + to + width * random.direction());
    mesh.triangles.push_back({first, 0, first + 1});
  }
  return mesh;
}

/// Two triangles whose only common vertex is a corner meet beyond it iff the edge opposite of it in
/// one meets the other.
bool meetBeyondHub(const TriangleMesh& mesh, std::size_t i, std::size_t j) {
  const auto opposite = [&](std::size_t t) {
    const auto& c = mesh.triangles[t];
    return Triangle{mesh.positions[c[0]], mesh.positions[c[2]], mesh.positions[c[2]]};
  };
  return test::trianglesMeetByClipping(opposite(i), mesh.corners(j)) ||
         test::trianglesMeetByClipping(opposite(j), mesh.corners(i));
}

constexpr std::size_t all = static_cast<std::size_t>(-1);

SelfIntersections counted(const TriangleMesh& mesh, std::size_t most = all) {
  return countSelfIntersections(mesh, SurfaceBoxes(mesh).boxes(), most);
}

TEST(SelfIntersections, AreThoseOfAllPairsInAHeap) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    TriangleMesh mesh = test::heap(60, seed);
    if (seed % 2 == 0)
      for (Vec3& p : mesh.positions) p.z *= 1e-9;
    std::size_t expected = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        expected += test::trianglesMeetByClipping(mesh.corners(i), mesh.corners(j));
    ASSERT_GT(expected, 100u);
    ASSERT_EQ(counted(mesh).pairs, expected);
  }
}

TEST(SelfIntersections, AreThoseOfAllPairsAboutOneVertex) {
  std::size_t sum = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    // With widths from slivers to half circles, and a hub in each
    const TriangleMesh mesh = fan(70, seed, 0.02 * std::pow(10.0, 0.5 * Real(seed)));
    std::size_t expected = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) expected += meetBeyondHub(mesh, i, j);
    sum += expected;
    ASSERT_EQ(counted(mesh).pairs, expected) << "seed " << seed;
  }
  EXPECT_GT(sum, 100u);
}

TEST(SelfIntersections, OfTwoHubsCountOnce) {
  // Pages of a book: each pair shares the two ends of its spine. Two pages lie in one plane
  TriangleMesh book{{{0, 0, -1}, {0, 0, 1}}, {}};
  for (int i = 0; i < 60; ++i) {
    book.positions.push_back({1.0, 1.0 + i, 0.0});
    book.triangles.push_back({0, 1, static_cast<std::uint32_t>(2 + i)});
  }
  EXPECT_EQ(counted(book).pairs, 0u);
  book.positions.push_back(2.0 * book.positions[10]);
  book.triangles.push_back({0, 1, 62});
  EXPECT_EQ(counted(book).pairs, 1u);
}

TEST(SelfIntersections, StopAtTheLimit) {
  const TriangleMesh mesh = test::heap(200);
  const std::size_t found = counted(mesh).pairs;
  ASSERT_GT(found, 1000u);
  for (const std::size_t most : {std::size_t{1}, std::size_t{100}, found - 1, found, found + 1}) {
    const SelfIntersections some = counted(mesh, most);
    EXPECT_EQ(some.pairs, std::min(found, most));
    EXPECT_LE(some.compared, 50 + 20 * most);
  }
}

/// The work is counted, not timed: comparisons for each triangle, within ten times of a torus.
TEST(SelfIntersections, CostLittleWhereAllBoxesOverlap) {
  const auto perTriangle = [](const TriangleMesh& mesh) {
    const SelfIntersections found = counted(mesh, 4 * mesh.triangles.size());
    return static_cast<Real>(found.compared) / static_cast<Real>(mesh.triangles.size());
  };
  const Real usual = perTriangle(test::torus(60, 40));
  EXPECT_LT(usual, 20.0);
  for (const auto& [name, mesh] : {std::pair{"slivers", test::slivers(4800)},
                                   {"spikes", test::spikes(1600)},
                                   {"heap", test::heap(4800)}})
    EXPECT_LT(perTriangle(mesh), 10.0 * usual) << name;
  EXPECT_EQ(counted(test::slivers(4800)).pairs, 0u);
  EXPECT_EQ(counted(test::spikes(1600)).pairs, 0u);
}

/// All used slots, with the triangles below each.
struct SlotTriangles {
  explicit SlotTriangles(const WideBoxes& boxes) {
    for (std::uint32_t node = 0; node < boxes.nodeCount(); ++node)
      for (std::uint32_t lane = 0; lane < boxes.node(node).count; ++lane) {
        slots.push_back(WideBoxes::width * node + lane);
        boxes.addItemsBelow(boxes.childOf(slots.back()), below.emplace_back());
      }
  }
  std::vector<std::uint32_t> slots;
  std::vector<std::vector<std::uint32_t>> below;  ///< by place in `slots`
};

bool anyMeet(const TriangleMesh& mesh, const std::vector<std::uint32_t>& some,
             const std::vector<std::uint32_t>& others) {
  for (const std::uint32_t t : some)
    for (const std::uint32_t u : others)
      if (trianglesMeet(mesh.corners(t), mesh.corners(u))) return true;
  return false;
}

/// Parting is a proof: slots that are parted hold no triangles that meet.
TEST(TightBoxes, PartOnlyWhatDoesNotMeet) {
  int parted = 0, meeting = 0;
  for (const Real aside : {0.01, 0.05, 0.2}) {
    // Spikes that are free of each other, and others through them
    TriangleMesh mesh = test::spikes(80);
    test::append(mesh, test::spikes(80), aside * Vec3(1.0, 0.7, 0.4));
    const SurfaceBoxes surface(mesh);
    const TightBoxes tight(mesh, surface.boxes());
    const SlotTriangles of(surface.boxes());
    for (std::size_t a = 0; a < of.slots.size(); ++a)
      for (std::size_t b = 0; b < of.slots.size(); ++b) {
        const bool meet = anyMeet(mesh, of.below[a], of.below[b]);
        meeting += meet;
        for (const std::uint32_t t : of.below[a])
          if (!tight.mayMeet(of.slots[b], mesh.corners(t))) {
            ASSERT_FALSE(anyMeet(mesh, {t}, of.below[b]));
          }
        if (tight.mayMeet(of.slots[a], of.slots[b])) continue;
        ASSERT_FALSE(meet);
        ++parted;
      }
  }
  EXPECT_GT(parted, 100);
  EXPECT_GT(meeting, 100);
  // Spikes are what they are for
  const TriangleMesh mesh = test::spikes(300);
  const SurfaceBoxes surface(mesh);
  const TightBoxes tight(mesh, surface.boxes());
  const SlotTriangles of(surface.boxes());
  int boxes = 0, left = 0;
  for (std::size_t a = 0; a < of.slots.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (of.below[a].size() > WideBoxes::width || of.below[b].size() > WideBoxes::width) continue;
      if (!surface.boxes().overlap(of.slots[a], of.slots[b])) continue;
      for (const std::uint32_t t : of.below[a]) {
        ++boxes;
        left +=
            tight.mayMeet(of.slots[a], of.slots[b]) && tight.mayMeet(of.slots[b], mesh.corners(t));
      }
    }
  EXPECT_GT(boxes, 200);
  EXPECT_LT(3 * left, 2 * boxes);
}

/// A plate with a pole that leans a little, and its mirror image about the tip of the pole: hardly
/// anything is left of the plate's normal at a right angle to the pole.
TEST(TightBoxes, PartNoPlatesWhosePolesTouch) {
  Random random(8);
  const auto rounded = [](const Vec3& p) { return 0x1p-40 * glm::round(0x1p40 * p); };
  for (int i = 0; i < 400; ++i) {
    const Vec3 tip = rounded(random.inCube(1.0)), pole = random.direction();
    const Vec3 aside = glm::normalize(glm::cross(pole, random.direction()));
    const Vec3 across = glm::cross(pole, aside) + random.between(1.1e-3, 3e-3) * pole;
    const Vec3 foot = rounded(tip - pole);
    const Vec3 corners[] = {foot + 0.4 * aside, foot - 0.2 * aside + 0.35 * across,
                            foot - 0.2 * aside - 0.35 * across};
    TriangleMesh mesh{{tip, foot, rounded(foot + 1e-3 * aside), rounded(corners[0]),
                       rounded(corners[1]), rounded(corners[2])},
                      {{0, 1, 2}, {3, 4, 5}}};
    // A node that is no leaf holds each part, more than the triangles of a leaf
    for (const Vec3& corner : corners)
      for (const Vec3& other : corners) {
        if (corner == other) continue;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(rounded(foot + 0.1 * (corner - foot)));
        mesh.positions.push_back(rounded(foot + 0.1 * (other - foot)));
        mesh.triangles.push_back({first, first + 1, 1});
      }
    TriangleMesh mirrored = mesh;
    for (Vec3& p : mirrored.positions) p = 2.0 * tip - p;
    test::append(mesh, mirrored);
    const SurfaceBoxes surface(mesh);
    const TightBoxes tight(mesh, surface.boxes());
    const SlotTriangles of(surface.boxes());
    for (std::size_t a = 0; a < of.slots.size(); ++a)
      for (std::size_t b = 0; b < of.slots.size(); ++b)
        if (!tight.mayMeet(of.slots[a], of.slots[b])) {
          ASSERT_FALSE(anyMeet(mesh, of.below[a], of.below[b])) << i;
        }
  }
}

TEST(SelfIntersections, AreNoLongerLookedForOnceCancelled) {
  const TriangleMesh mesh = test::heap(400);
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(countSelfIntersections(mesh, SurfaceBoxes(mesh).boxes(), all, &cancelled).compared, 0u);
  const auto report = checkMesh(mesh, cancelled);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
  const auto polyhedron = makePolyhedron(mesh, &cancelled);
  ASSERT_FALSE(polyhedron);
  EXPECT_EQ(polyhedron.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(closedSurfaces(test::cube(), 1).surfaces.size(), 1u);
  EXPECT_TRUE(closedSurfaces(test::cube(), 1, &cancelled).surfaces.empty());
}

/// Whenever it comes: the work that is left is not done, and what is whole is right.
TEST(SelfIntersections, CanBeCancelledAtAnyMoment) {
  test::Random random(7);
  // So many that another thread has its turn before they are counted, however busy the machine is
  const TriangleMesh mesh = test::heap(2000);
  const std::size_t whole = counted(mesh).compared;
  std::size_t cutShort = 0;
  for (int attempt = 0; attempt < 200 && cutShort < 5; ++attempt) {
    const int turns = static_cast<int>(random.between(1.0, 200.0));
    std::atomic<bool> started{false}, cancelled{false};
    std::jthread canceller([&] {
      while (!started) std::this_thread::yield();
      for (int i = 0; i < turns; ++i) std::this_thread::yield();
      cancelled = true;
    });
    const SurfaceBoxes surface(mesh);
    started = true;
    const SelfIntersections found = countSelfIntersections(mesh, surface.boxes(), all, &cancelled);
    ASSERT_LE(found.compared, whole);
    cutShort += found.compared < whole;
    if (found.compared == whole) {
      ASSERT_EQ(found.pairs, counted(mesh).pairs);
    }
  }
  EXPECT_GE(cutShort, 5u);
}

}  // namespace
}  // namespace nearmiss
