// SPDX-License-Identifier: MIT
/// Classes of clashes: pairs made so that their class is known, in any poses.
#include <engine/interference/clash.h>
#include <gtest/gtest.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "interference/clash_sorter.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::box;
using nearmiss::test::cases;
using nearmiss::test::cube;
using nearmiss::test::Random;

constexpr ClashLimits limits{.tolerance = 1e-4, .clearance = 0.05};

/// Two meshes in one frame.
struct MadePair {
  TriangleMesh a, b;
};

/// The class of both, in poses that leave the one where it was to the other, and in either order.
Clash sorted(const MadePair& pair, Random& random, bool swapped) {
  const Pose where{random.inCube(3.0), random.rotation()};
  // Each has a frame of its own
  const auto own = [&](TriangleMesh mesh, Pose& pose) {
    const Pose frame{random.inCube(1.0), random.rotation()};
    const Quat back = glm::conjugate(frame.rotation);
    for (Vec3& p : mesh.positions) p = back * (p - frame.position);
    pose = composed(where, frame);
    return nearmiss::test::treelessShape(std::move(mesh));
  };
  Pose poseA, poseB;
  const Shape a = own(pair.a, poseA), b = own(pair.b, poseB);
  Clash clash = swapped ? ClashSorter(b, a, limits).sort(poseB, poseA)
                        : ClashSorter(a, b, limits).sort(poseA, poseB);
  if (swapped) clash.ofB = !clash.ofB;
  // Back into the frame of both
  clash.at = glm::conjugate(where.rotation) * (clash.at - where.position);
  return clash;
}

/// Sorts what `make` makes, in both orders, and gives each to `check`.
void forEachPose(std::uint64_t seed, const auto& make, const auto& check) {
  Random random(seed);
  for (int i = 0; i < cases(20); ++i) {
    SCOPED_TRACE(i);
    Real figure = 0.0;
    const MadePair pair = make(random, figure);
    for (const bool swapped : {false, true}) check(sorted(pair, random, swapped), figure);
  }
}

TEST(ClashSorter, ACornerThatSticksInIsAsDeepAsItIs) {
  forEachPose(
      1,
      [](Random& random, Real& depth) {
        depth = std::pow(10.0, random.between(-3.9, -0.4));
        const Vec3 low(1.0 - depth, random.between(-0.5, 0.0), random.between(-0.5, 0.0));
        return MadePair{cube(1.0), box(low, low + Vec3(1.0, 0.45, 0.45))};
      },
      [](const Clash& clash, Real depth) {
        EXPECT_EQ(clash.kind, ClashClass::Protruding);
        EXPECT_EQ(clash.part, DeepestPart::Vertex);
        EXPECT_TRUE(clash.ofB);
        EXPECT_NEAR(clash.depth, depth, 1e-9);
        EXPECT_NEAR(clash.at.x, 1.0 - depth, 1e-9);
      });
}

TEST(ClashSorter, BarsThatCrossAreDeepWithoutVertices) {
  forEachPose(
      2,
      [](Random& random, Real& depth) {
        const Real shift = random.between(0.01, 0.59);
        depth = std::min({0.3, 0.6 - shift, shift});
        MadePair bars{box({-2.0, -0.3, -0.3}, {2.0, 0.3, 0.3}),
                      box({-0.3, -2.0, -0.3}, {0.3, 2.0, 0.3})};
        for (Vec3& p : bars.b.positions) p.z += shift;
        return bars;
      },
      [](const Clash& clash, Real depth) {
        EXPECT_EQ(clash.kind, ClashClass::Protruding);
        EXPECT_EQ(clash.part, DeepestPart::Edge);
        // Edges between triangles of a face may be deeper than those around it
        EXPECT_LE(clash.depth, 0.3 + 1e-9);
        EXPECT_GE(clash.depth, 0.98 * depth - 1e-4);
        EXPECT_LE(std::max(std::abs(clash.at.x), std::abs(clash.at.y)), 0.3 + 1e-9);
      });
}

/// All edges of both lie on faces of the other, but for the diagonals of faces.
MadePair flushPair(bool crossing, Real half) {
  return {box({-2.0, -half, -half}, {crossing ? 2.0 : 0.0, half, half}),
          crossing ? box({-half, -2.0, -half}, {half, 2.0, half})
                   : box({-1.0, -half, -half}, {1.0, half, half})};
}

TEST(ClashSorter, WhatIsFlushIsDeep) {
  int kind = 0;
  forEachPose(
      12,
      [&kind](Random& random, Real& depth) {
        depth = random.between(0.05, 0.3);
        return flushPair(kind++ % 2, depth);
      },
      [](const Clash& clash, Real depth) {
        EXPECT_EQ(clash.kind, ClashClass::Protruding);
        EXPECT_NE(clash.part, DeepestPart::Vertex);
        EXPECT_LE(clash.depth, depth + 1e-9);
        EXPECT_GE(clash.depth, 0.9 * depth);
      });
}

/// Prisms of one triangle, whose ends have no edge within: the one reaches into the other by less
/// and less.
TEST(ClashSorter, PrismsThatAreFlushAreDeepHoweverThinTheyOverlap) {
  const auto prism = [](Real width, Real low, Real high) {
    TriangleMesh mesh;
    for (const Real z : {low, high})
      for (const auto& [x, y] : {std::pair{1.0, 0.0}, {-0.5, 0.8}, {-0.6, -0.7}})
        mesh.positions.emplace_back(width * x, y, z);
    mesh.triangles = {{0, 2, 1}, {3, 4, 5}};
    for (std::uint32_t k = 0; k < 3; ++k)
      nearmiss::test::addQuad(mesh, k, (k + 1) % 3, 3 + (k + 1) % 3, 3 + k);
    return mesh;
  };
  // Of the narrow ones: the radius of the circle inscribed in the ends
  constexpr Real inscribed = 0.0157;
  int kind = 0;
  forEachPose(
      14,
      [&](Random& random, Real& depth) {
        const bool thin = kind++ % 2;
        const Real overlap = std::pow(10.0, random.between(-3.8, -0.6));
        depth = thin ? std::min(overlap, inscribed) : overlap;
        const Real width = thin ? 0.02 : 1.0;
        return MadePair{prism(width, -1.0, 0.0), prism(width, -overlap, 1.0)};
      },
      [](const Clash& clash, Real depth) {
        EXPECT_EQ(clash.kind, ClashClass::Protruding) << depth;
        EXPECT_GE(clash.depth, 0.8 * depth);
        EXPECT_LE(clash.depth, 1.1 * depth);
      });
}

/// Boxes face to face, edge to face, corner to face, and a peg in its hole.
MadePair touchingPair(int kind, Real overlap) {
  if (kind == 0) return {cube(1.0), box({1.0 - overlap, -0.4, -0.3}, {2.0, 3.0, 0.7})};
  if (kind == 1)
    return {box({-2.0, -0.3, -0.3}, {2.0, 0.3, 0.3}),
            box({-0.3, -2.0, 0.3 - overlap}, {0.3, 2.0, 0.9})};
  if (kind == 2) {
    // A corner that points down
    TriangleMesh tip = nearmiss::test::tetrahedron();
    const Quat turn = glm::angleAxis(0.7, glm::normalize(Vec3(1.0, 2.0, 0.3)));
    Real lowest = 0.0;
    for (Vec3& p : tip.positions) {
      p = turn * p;
      lowest = std::min(lowest, p.z);
    }
    for (Vec3& p : tip.positions) p.z += 1.0 - lowest - overlap;
    return {box({-9.0, -9.0, -1.0}, {9.0, 9.0, 1.0}), tip};
  }
  // A frame about a square hole, and what fits into it
  TriangleMesh frame;
  for (const Real z : {-0.5, 0.5})
    for (const Real size : {1.0, 2.0})
      for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
        frame.positions.emplace_back(size * x, size * y, z);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t n = (k + 1) % 4;
    nearmiss::test::addQuad(frame, 4 + k, 4 + n, 12 + n, 12 + k);
    nearmiss::test::addQuad(frame, n, k, 8 + k, 8 + n);
    nearmiss::test::addQuad(frame, 8 + k, 12 + k, 12 + n, 8 + n);
    nearmiss::test::addQuad(frame, k, n, 4 + n, 4 + k);
  }
  const Real side = 1.0 + overlap;
  return {frame, box({-side, -side, -0.7}, {side, side, 2.0})};
}

TEST(ClashSorter, WhatHasNoDepthTouches) {
  int kind = 0;
  forEachPose(
      3,
      [&kind](Random& random, Real& overlap) {
        overlap = random.chance(0.3) ? 0.0 : random.between(-0.6e-4, 0.6e-4);
        return touchingPair(kind++ % 4, overlap);
      },
      [](const Clash& clash, Real overlap) {
        EXPECT_EQ(clash.kind, ClashClass::Touching) << overlap;
        EXPECT_EQ(clash.depth, 0.0);
        EXPECT_NEAR(clash.gap, std::max(0.0, -overlap), 1e-9);
      });
}

TEST(ClashSorter, MoreThanTheToleranceIsDeep) {
  int kind = 0;
  forEachPose(
      4,
      [&kind](Random& random, Real& overlap) {
        overlap = random.between(1.5e-4, 3e-4);
        return touchingPair(kind++ % 3, overlap);
      },
      [](const Clash& clash, Real overlap) {
        EXPECT_EQ(clash.kind, ClashClass::Protruding);
        EXPECT_NEAR(clash.depth, overlap, 0.3e-4);
      });
}

TEST(ClashSorter, GapsAreWithinTheClearanceOrClear) {
  std::size_t within = 0, clear = 0;
  forEachPose(
      5,
      [](Random& random, Real& gap) {
        gap = random.chance(0.5) ? random.between(0.01, 0.049) : random.between(0.051, 0.2);
        return touchingPair(random.whole(0, 1), -gap);
      },
      [&](const Clash& clash, Real gap) {
        if (gap > limits.clearance) {
          EXPECT_EQ(clash.kind, ClashClass::Clear);
          ++clear;
          return;
        }
        EXPECT_EQ(clash.kind, ClashClass::WithinClearance);
        EXPECT_NEAR(clash.gap, gap, 1e-9);
        EXPECT_TRUE(clash.at.x > 1.0 || clash.at.z > 0.3);
        ++within;
      });
  EXPECT_GT(within, 5u);
  EXPECT_GT(clear, 5u);
}

TEST(ClashSorter, WhatLiesWithinIsEnclosedFlushOrNot) {
  int kind = 0;
  forEachPose(
      6,
      [&kind](Random& random, Real&) {
        const Real cut = random.between(-0.5, 0.5);
        switch (kind++ % 4) {
          case 0:
            return MadePair{cube(1.0), nearmiss::test::torus(12, 8, 0.6, 0.2)};
          case 1:  // flush with five of its sides
            return MadePair{cube(1.0), box(Vec3(-1.0), {1.0, 1.0, cut})};
          case 2:  // flush with one, and out of it by less than the tolerance
            return MadePair{cube(1.0), box({-1.00005, -0.3, cut - 0.4}, {0.3, 0.4, cut})};
          default:
            return MadePair{nearmiss::test::hollowCube(), box({-0.9, -0.9, 0.6}, {0.9, 0.9, 0.8})};
        }
      },
      [](const Clash& clash, Real) {
        EXPECT_EQ(clash.kind, ClashClass::Enclosed);
        EXPECT_TRUE(clash.ofB);
      });
}

TEST(ClashSorter, AHollowIsNotWithinTheSolid) {
  Random random(7);
  // In the hollow: apart; across its walls: through
  EXPECT_EQ(sorted({nearmiss::test::hollowCube(), cube(0.3)}, random, false).kind,
            ClashClass::Clear);
  EXPECT_EQ(sorted({nearmiss::test::hollowCube(), cube(0.49)}, random, false).kind,
            ClashClass::WithinClearance);
  EXPECT_EQ(sorted({nearmiss::test::hollowCube(), cube(0.7)}, random, false).kind,
            ClashClass::Protruding);
  // The same outside, but hollow: no duplicate, and within the full one
  const Clash within = sorted({nearmiss::test::hollowCube(), cube(1.0)}, random, false);
  EXPECT_EQ(within.kind, ClashClass::Enclosed);
  EXPECT_FALSE(within.ofB);
}

TEST(ClashSorter, TheSamePlaceTakenTwiceIsADuplicate) {
  int kind = 0;
  forEachPose(
      8,
      [&kind](Random& random, Real&) {
        const Vec3 shift = 0.9e-4 * random.direction();
        MadePair pair{cube(0.7), cube(0.7)};
        switch (kind++ % 4) {
          case 0:
            break;
          case 1:  // turned onto itself, so that diagonals differ
            for (Vec3& p : pair.b.positions) p = Vec3(-p.y, p.x, p.z);
            break;
          case 2:
            pair.a = pair.b = nearmiss::test::spikyStar(3, 6, 8);
            break;
          default: {
            pair.a = pair.b = nearmiss::test::torus(12, 8);
            const Real step = 2.0 * std::numbers::pi / 12.0;
            for (Vec3& p : pair.b.positions) p = glm::angleAxis(step, Vec3(0, 0, 1)) * p;
          }
        }
        for (Vec3& p : pair.b.positions) p += shift;
        return pair;
      },
      [](const Clash& clash, Real) { EXPECT_EQ(clash.kind, ClashClass::Duplicate); });
}

TEST(ClashSorter, ADuplicateMovedByMoreThanTheToleranceIsNone) {
  forEachPose(
      9,
      [](Random& random, Real&) {
        MadePair pair{nearmiss::test::spikyStar(3, 6, 8), nearmiss::test::spikyStar(3, 6, 8)};
        const Vec3 shift = 4e-3 * random.direction();
        for (Vec3& p : pair.b.positions) p += shift;
        return pair;
      },
      [](const Clash& clash, Real) { EXPECT_EQ(clash.kind, ClashClass::Protruding); });
}

TEST(ClashSorter, OpenSurfacesCrossWithoutADepth) {
  Random random(10);
  const TriangleMesh sheet{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
                           {{0, 1, 2}, {0, 2, 3}}};
  TriangleMesh upright = sheet;
  for (Vec3& p : upright.positions) p = Vec3(0.6 * p.x, p.z + 0.1, 0.6 * p.y);
  const Clash crossing = sorted({sheet, upright}, random, false);
  EXPECT_EQ(crossing.kind, ClashClass::Protruding);
  EXPECT_EQ(crossing.part, DeepestPart::None);
  EXPECT_EQ(sorted({sheet, sheet}, random, false).kind, ClashClass::Duplicate);
  const Clash within = sorted({cube(2.0), sheet}, random, false);
  EXPECT_EQ(within.kind, ClashClass::Enclosed);
  EXPECT_TRUE(within.ofB);
}

TEST(EdgeSearch, FindsFacesThatAreDeep) {
  Random random(13);
  const MeshEdges none;
  for (int i = 0; i < cases(20); ++i) {
    SCOPED_TRACE(i);
    const Real half = random.between(0.05, 0.3);
    const MadePair pair = flushPair(i % 2, half);
    const Polyhedron a(pair.a), b(pair.b);
    const auto found = EdgeSearch(a, none, b, Pose{}, 1e-4).deepOnFace();
    ASSERT_TRUE(found);
    EXPECT_GE(found->away, 0.2 * half);
    EXPECT_LE(found->away, half + 1e-12);
    EXPECT_TRUE(b.contains(found->at));
    if (i % 2) continue;
    // Face to face there is nothing deep
    const Polyhedron beside(box({1.0, -half, -half}, {2.0, half, half}));
    EXPECT_FALSE(EdgeSearch(beside, none, b, Pose{}, 1e-4).deepOnFace());
  }
}

}  // namespace
}  // namespace nearmiss::engine
