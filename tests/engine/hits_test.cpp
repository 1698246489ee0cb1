// SPDX-License-Identifier: MIT
/// Collisions reported by detection, against the distances of all triangles at that instant.
#include <engine/flight/near_misses.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/flying.h"
#include "geometry/closest_points.h"

namespace nearmiss::engine {
namespace {

std::vector<Triangle> placed(const BodyState& body, const Pose& pose) {
  const TriangleMesh& mesh = test::plainHangar().polyhedra[body.shape.index()].mesh();
  std::vector<Triangle> triangles;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    triangles.push_back(mesh.corners(t));
    for (Vec3& corner : triangles.back()) corner = transformed(pose, corner);
  }
  return triangles;
}

Real bruteGap(const Collision& collision, std::span<const BodyState> bodies) {
  Real least = 1e30;
  for (const Triangle& p : placed(bodies[collision.a], collision.poseA))
    for (const Triangle& q : placed(bodies[collision.b], collision.poseB))
      least = std::min(least, squaredDistance(p, q));
  return std::sqrt(least);
}

/// Numbers of the user's false and true hits.
struct Kinds {
  int hits = 0, falseHits = 0;
};

Kinds kindsIn(int levelCap, Response response) {
  WorkClock clock;
  const test::Hangar& hangar = test::plainHangar();
  const auto simulation = test::subtractStolen({}, hangar.detector("sphere-tree"), clock, hangar);
  Hits hits;
  Kinds kinds;
  for (int frame = 0; frame < 1500; ++frame) {
    FrameInput input = test::scripted(frame);
    input.levelCap = levelCap;
    input.response = response;
    const FrameOutput& output = simulation->advance(input);
    hits.take(output, simulation->userIndex(), hangar.tables());
    std::size_t n = 0;
    for (const Collision& collision : output.collisions) {
      if (collision.a != simulation->userIndex() && collision.b != simulation->userIndex())
        continue;
      if (n == hits.now().size()) {
        ADD_FAILURE() << "a hit is missing in frame " << frame;
        return kinds;
      }
      const Hit& hit = hits.now()[n++];
      EXPECT_EQ(hit.time, collision.time);
      EXPECT_NEAR(hit.gap, bruteGap(collision, output.bodies), 1e-9);
      ++(hit.falseHit() ? kinds.falseHits : kinds.hits);
    }
    EXPECT_EQ(hits.now().size(), n);
  }
  return kinds;
}

TEST(Hits, AreFalseWhereTheSurfacesWereApart) {
  const Kinds capped = kindsIn(1, Response::Bounce);
  EXPECT_GT(capped.falseHits, 12);
  // The ships may be far from there at the frame's end
  const Kinds teleported = kindsIn(1, Response::Teleport);
  EXPECT_GT(teleported.falseHits, 12);
}

TEST(Hits, AreNeverFalseWhereDetectionGoesToTheTriangles) {
  const Kinds exact = kindsIn(Detector::noLevelCap, Response::Bounce);
  EXPECT_GE(exact.hits, 6);
  EXPECT_EQ(exact.falseHits, 0);
}

}  // namespace
}  // namespace nearmiss::engine
