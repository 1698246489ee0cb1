// SPDX-License-Identifier: MIT
/// Bodies that deform from frame to frame: every promise holds in every frame, nothing grows with
/// the frames, and nothing is allocated.
#include <gtest/gtest.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "geometry/surface_boxes.h"
#include "shape/box_hierarchy.h"
#include "support/allocations.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using Positions = std::vector<Vec3>;

/// A bend, a twist and a wave that change with time.
Positions deformed(const Shape& built, Real time, Real strength = 1.0) {
  Positions positions = built.polyhedron().mesh().positions;
  const Real size = built.radius();
  for (Vec3& p : positions) {
    const Real bend = 0.3 * strength * std::sin(time),
               twist = 0.4 * strength * std::cos(0.7 * time);
    p = glm::angleAxis(twist * p.z / size, Vec3(0.0, 0.0, 1.0)) * p;
    p = glm::angleAxis(bend * p.x / size, Vec3(0.0, 1.0, 0.0)) * p;
    p.y += 0.03 * strength * size * std::sin(6.0 * p.x / size + time);
  }
  return positions;
}

Shape shapeOf(TriangleMesh mesh, TreeQuality quality = TreeQuality::Fast) {
  ShapeSettings settings;
  settings.quality = quality;
  return *makeShape(std::move(mesh), settings);
}

TriangleMesh twoPieces() {
  TriangleMesh mesh = test::torus();
  test::append(mesh, test::sphere(8, 10, 0.2));
  return mesh;
}

/// Two tori through each other, in one mesh.
TriangleMesh crossing() {
  TriangleMesh mesh = test::torus(16, 8);
  test::append(mesh, test::torus(16, 8), {0.3, 0.1, 0.05});
  return mesh;
}

std::vector<Shape> deformingShapes() {
  std::vector<Shape> shapes;
  for (const TreeQuality quality : {TreeQuality::None, TreeQuality::Fast})
    for (const TriangleMesh& mesh : {test::torus(), test::spikyStar(3), test::cube(0.6),
                                     test::hills(6), twoPieces(), crossing()})
      shapes.push_back(shapeOf(mesh, quality));
  return shapes;
}

/// Every box of the hierarchy holds all corners below it.
void expectBoxesHold(const Shape& shape) {
  const TriangleMesh& mesh = shape.polyhedron().mesh();
  const WideBoxes& boxes = surfaceOf(shape.polyhedron()).boxes();
  const BoxHierarchy& turned = boxHierarchyOf(shape);
  std::vector<std::uint32_t> below;
  std::size_t outside = 0;
  for (std::uint32_t at = 0; at < boxes.nodeCount(); ++at)
    for (std::uint32_t lane = 0; lane < boxes.node(at).count; ++lane) {
      below.clear();
      boxes.addItemsBelow(boxes.node(at).child[lane], below);
      const Box box = boxes.boxOf(WideBoxes::width * at + lane);
      const BoxPack& pack = turned.packs()[at];
      for (const std::uint32_t t : below)
        for (const Vec3& corner : mesh.corners(t)) {
          outside += !box.contains(corner);
          for (int k = 0; k < 3; ++k) {
            Real along = 0.0;
            for (int i = 0; i < 3; ++i)
              along += Real{pack.axis[k][i][lane]} * (corner[i] - Real{pack.centre[i][lane]});
            outside += std::abs(along) > Real{pack.half[k][lane]};
          }
          EXPECT_LE(pack.half[0][lane], pack.half[1][lane]);
          EXPECT_LE(pack.half[1][lane], pack.half[2][lane]);
        }
    }
  EXPECT_EQ(outside, 0u);
}

TEST(DeformableShape, KeepsEveryPromiseInEveryFrame) {
  int solids = 0, surfaces = 0;
  for (const Shape& built : deformingShapes()) {
    DeformableShape body = *DeformableShape::of(built);
    for (int frame = 0; frame < test::cases(4); ++frame) {
      const Positions positions = deformed(built, 0.9 * frame, 0.5 * (frame % 4));
      const Result<Refit> made = body.refit(positions);
      ASSERT_TRUE(made) << made.error().message;
      const Shape& shape = made->shape;
      EXPECT_EQ(shape.polyhedron().mesh().positions, positions);
      EXPECT_EQ(shape.polyhedron().mesh().triangles, built.polyhedron().mesh().triangles);
      // As of a polyhedron that is made of these vertices
      const Polyhedron fresh(shape.polyhedron().mesh());
      EXPECT_EQ(shape.polyhedron().hash(), fresh.hash());
      EXPECT_EQ(shape.radius(), fresh.radius());
      EXPECT_EQ(shape.polyhedron().bounds().low, fresh.bounds().low);
      EXPECT_EQ(shape.polyhedron().report().volume, fresh.report().volume);
      EXPECT_EQ(shape.polyhedron().components().size(), fresh.components().size());
      if (fresh.report().selfIntersections == 0) {
        EXPECT_EQ(shape.solid(), fresh.report().solid());
      }
      expectBoxesHold(shape);
      if (shape.sphereTree()) {
        EXPECT_TRUE(checkTree(*shape.sphereTree(), shape.polyhedron()));
        const SphereTreeCertificate proof =
            checkSphereTree(*shape.sphereTree(), shape.polyhedron());
        EXPECT_TRUE(proof.covers && proof.bounds) << proof.complaint;
        EXPECT_EQ(proof.brokenInner, 0u) << proof.complaint;
        EXPECT_EQ(shape.sphereTree()->boundsSolid(), shape.solid());
        if (shape.solid()) {
          EXPECT_FALSE(shape.sphereTree()->data().inner.empty());
        }
      }
      ++(shape.solid() ? solids : surfaces);
    }
  }
  EXPECT_GT(solids, 8);
  EXPECT_GT(surfaces, 8);
}

TEST(DeformableShape, AnswersEveryQueryAsANewShapeDoes) {
  test::Random random(5);
  int contacts = 0, apart = 0, hits = 0, inside = 0;
  for (const TreeQuality quality : {TreeQuality::None, TreeQuality::Fast})
    for (const TriangleMesh& mesh : {test::torus(), twoPieces(), test::hills(4)}) {
      const Shape built = shapeOf(mesh, quality);
      DeformableShape bodyA = *DeformableShape::of(built), bodyB = *DeformableShape::of(built);
      for (int i = 0; i < test::cases(12); ++i) {
        const Shape a = bodyA.refit(deformed(built, i))->shape;
        const Shape b = bodyB.refit(deformed(built, 1.3 * i + 1.0))->shape;
        const Shape freshA = Shape::of(Polyhedron(a.polyhedron().mesh()));
        const Shape freshB = Shape::of(Polyhedron(b.polyhedron().mesh()));
        if (freshA.solid() != a.solid() || freshB.solid() != b.solid()) continue;
        const Real reach = 1.1 * built.radius();
        const Pose here{random.inCube(reach), random.rotation()}, there;
        const Verdict truth = collide(freshA, here, freshB, there).verdict;
        EXPECT_EQ(collide(a, here, b, there).verdict, truth);
        const DistanceBounds gap = distance(a, here, b, there);
        const DistanceBounds expected = distance(freshA, here, freshB, there);
        EXPECT_NEAR(gap.upper, expected.upper, 1e-9);
        EXPECT_NEAR(gap.lower, expected.lower, 1e-9);
        const Vec3 from = here.position + 2.0 * reach * random.direction();
        const Ray ray{from, glm::normalize(here.position + random.inCube(0.5 * reach) - from)};
        const RayHit hit = raycast(a, here, ray), other = raycast(freshA, here, ray);
        EXPECT_EQ(hit.hit(), other.hit());
        if (hit.hit()) {
          EXPECT_NEAR(hit.t, other.t, 1e-9);
        }
        const Vec3 point = here.position + random.inCube(0.8 * reach);
        EXPECT_NEAR(nearestPoint(a, here, point).upper, nearestPoint(freshA, here, point).upper,
                    1e-12);
        const PointSide side = sideOf(a, here, point);
        EXPECT_EQ(side, sideOf(freshA, here, point));
        const ContactManifold manifold = contactManifold(a, here, b, there, {.margin = 0.01}),
                              freshOne =
                                  contactManifold(freshA, here, freshB, there, {.margin = 0.01});
        EXPECT_EQ(manifold.points.empty(), freshOne.points.empty());
        ++(truth == Verdict::Contact ? contacts : apart);
        hits += hit.hit();
        inside += side == PointSide::Inside;
      }
    }
  EXPECT_GT(contacts, 10);
  EXPECT_GT(apart, 10);
  EXPECT_GT(hits, 3);
  EXPECT_GT(inside, 3);
}

TEST(DeformableShape, DependsOnThePositionsAlone) {
  for (const Shape& built : deformingShapes()) {
    DeformableShape body = *DeformableShape::of(built);
    for (int frame = 0; frame < 30; ++frame) static_cast<void>(body.refit(deformed(built, frame)));
    const Positions back = built.polyhedron().mesh().positions;
    const Refit made = *body.refit(back), once = *refit(built, back);
    EXPECT_LE(made.growth, 1.001);
    EXPECT_FALSE(made.rebuildPays);
    EXPECT_EQ(made.growth, once.growth);
    if (!built.sphereTree()) continue;
    const auto& packs = made.shape.sphereTree()->data().packs;
    const auto& others = once.shape.sphereTree()->data().packs;
    for (std::size_t i = 0; i < packs.size(); ++i)
      for (int lane = 0; lane < SpherePack::width; ++lane) {
        EXPECT_EQ(packs[i].r[lane], others[i].r[lane]);
        EXPECT_EQ(packs[i].x[lane], others[i].x[lane]);
      }
  }
}

TEST(DeformableShape, GrowsWithTheDeformation) {
  const Shape built = shapeOf(test::torus(40, 20));
  DeformableShape body = *DeformableShape::of(built);
  const Real little = body.refit(deformed(built, 1.0, 0.1))->growth;
  const Refit much = *body.refit(deformed(built, 1.0, 6.0));
  EXPECT_LT(little, 1.2);
  EXPECT_GT(much.growth, maxRefitGrowth);
  EXPECT_TRUE(much.rebuildPays);
}

TEST(DeformableShape, AllocatesNothingOnceThereAreEnoughFrames) {
  for (const Shape& built : deformingShapes()) {
    // Intersections are found anew
    if (built.polyhedron().report().selfIntersections > 0) continue;
    std::vector<Positions> frames;
    for (int frame = 0; frame < 6; ++frame) frames.push_back(deformed(built, frame));
    for (const bool holds : {false, true}) {
      DeformableShape body = *DeformableShape::of(built);
      std::vector<Shape> held;
      held.reserve(8);
      for (std::size_t frame = 0; frame < frames.size(); ++frame) {
        const std::size_t allocated = test::allocationsIn([&] {
          const Result<Refit> made = body.refit(frames[frame]);
          if (!holds) return;
          // The world has the last shape until it gets the next
          held.clear();
          held.push_back(made->shape);
        });
        if (frame >= (holds ? 2u : 1u)) {
          EXPECT_EQ(allocated, 0u) << frame;
        } else if (frame == 0) {
          EXPECT_GT(allocated, 0u);
        }
      }
    }
  }
}

TEST(DeformableShape, ShowsItsSelfContactsWithoutNewMemory) {
  const Shape built = shapeOf(test::torus(40, 12));
  std::vector<Positions> frames;
  for (int frame = 0; frame < 6; ++frame)
    frames.push_back(deformed(built, frame, frame % 2 == 0 ? 1.0 : 12.0));
  DeformableShape body = *DeformableShape::of(built);
  SelfContactQuery query;
  int touching = 0;
  for (int round = 0; round < 2; ++round)
    for (const Positions& positions : frames) {
      const std::size_t allocated = test::allocationsIn([&] {
        query.begin(body.refit(positions)->shape);
        touching += !query.refine().pairs.empty();
      });
      if (round == 1) {
        EXPECT_EQ(allocated, 0u);
      }
    }
  EXPECT_GE(touching, 2);
  EXPECT_LE(touching, 10);
}

/// Whatever allocation fails: the next refit is what it would have been.
TEST(DeformableShape, GoesOnAfterALackOfMemory) {
  const Shape built = shapeOf(test::torus());
  Positions mirrored = built.polyhedron().mesh().positions;
  for (Vec3& p : mirrored) p.x = -p.x;
  const Positions sound = deformed(built, 1.0);
  const Shape expected = refit(built, sound)->shape;
  int failed = 0;
  for (std::size_t after = 0; after < 60; ++after) {
    DeformableShape body = *DeformableShape::of(built);
    static_cast<void>(body.refit(mirrored));
    Shape held = body.refit(mirrored)->shape;
    failed += !test::shortOfMemory(after, 1000, [&] { return bool(body.refit(sound)); });
    const Result<Refit> made = body.refit(sound);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(checkTree(*made->shape.sphereTree(), made->shape.polyhedron()));
    EXPECT_EQ(made->shape.sphereTree()->reach(), expected.sphereTree()->reach());
    EXPECT_FALSE(held.solid());
  }
  EXPECT_GT(failed, 10);
}

TEST(DeformableShape, LeavesShapesThatAreHeldAsTheyAre) {
  const Shape built = shapeOf(test::torus());
  const std::uint64_t before = built.polyhedron().hash();
  DeformableShape body = *DeformableShape::of(built);
  std::vector<Shape> held;
  std::vector<std::vector<std::byte>> bytes;
  for (int frame = 0; frame < 5; ++frame) {
    held.push_back(body.refit(deformed(built, frame))->shape);
    bytes.push_back(*bytesOf(held.back()));
    // A copy of a part is enough
    static_cast<void>(Shape::of(Polyhedron(held.back().polyhedron().mesh())));
  }
  for (std::size_t i = 0; i < held.size(); ++i) EXPECT_EQ(*bytesOf(held[i]), bytes[i]);
  EXPECT_EQ(built.polyhedron().hash(), before);
  // Queries keep what they search
  NearestPointQuery query;
  query.begin(held.back(), Pose{}, Vec3(3.0));
  held.clear();
  static_cast<void>(body.refit(deformed(built, 100.0, 4.0)));
  EXPECT_NEAR(query.refine().upper,
              nearestPoint(*shapeFromBytes(bytes.back()), Pose{}, Vec3(3.0)).upper, 1e-12);
}

TEST(DeformableShape, IsNoSolidWhileItIsInsideOut) {
  for (const TreeQuality quality : {TreeQuality::None, TreeQuality::Fast}) {
    const Shape built = shapeOf(test::torus(), quality);
    DeformableShape body = *DeformableShape::of(built);
    Positions mirrored = built.polyhedron().mesh().positions;
    for (Vec3& p : mirrored) p.x = -p.x;
    const Vec3 within(0.7, 0.0, 0.0);
    for (int round = 0; round < 3; ++round) {
      const Shape out = body.refit(mirrored)->shape;
      EXPECT_FALSE(out.solid());
      EXPECT_EQ(sideOf(out, Pose{}, within), PointSide::Unknown);
      const Shape back = body.refit(built.polyhedron().mesh().positions)->shape;
      EXPECT_TRUE(back.solid());
      EXPECT_EQ(sideOf(back, Pose{}, within), PointSide::Inside);
    }
  }
}

TEST(DeformableShape, FindsCrossingsOfASurfaceThatCrossedItselfAnew) {
  const Shape built = shapeOf(crossing());
  ASSERT_GT(built.polyhedron().report().selfIntersections, 0u);
  DeformableShape body = *DeformableShape::of(built);
  Positions apart = built.polyhedron().mesh().positions;
  for (std::size_t v = apart.size() / 2; v < apart.size(); ++v) apart[v].z += 3.0;
  const Shape parted = body.refit(apart)->shape;
  EXPECT_EQ(parted.polyhedron().report().selfIntersections, 0u);
  EXPECT_TRUE(parted.solid());
  const Shape again = body.refit(built.polyhedron().mesh().positions)->shape;
  EXPECT_EQ(again.polyhedron().report().selfIntersections,
            built.polyhedron().report().selfIntersections);
  EXPECT_TRUE(selfContacts(parted).pairs.empty());
  EXPECT_EQ(selfContacts(again).pairs.size(), again.polyhedron().report().selfIntersections);
}

TEST(DeformableShape, RefusesWhatDoesNotFitAndGoesOn) {
  const Shape built = shapeOf(test::torus());
  DeformableShape body = *DeformableShape::of(built);
  const Positions sound = deformed(built, 1.0);
  const Shape first = body.refit(sound)->shape;
  const auto codeOf = [&](const Positions& positions) {
    const Result<Refit> none = body.refit(positions);
    EXPECT_FALSE(none);
    EXPECT_FALSE(none.error().message.empty());
    return none.error().code;
  };
  Positions wrong = sound;
  wrong.pop_back();
  EXPECT_EQ(codeOf(wrong), ErrorCode::Mismatch);
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(),
                         std::numeric_limits<Real>::infinity(), 1e300, 1e-100}) {
    wrong = sound;
    wrong[7].y = bad;
    EXPECT_EQ(codeOf(wrong), ErrorCode::BadFormat) << bad;
  }
  EXPECT_EQ(body.refit(sound)->shape.polyhedron().hash(), first.polyhedron().hash());
  EXPECT_EQ(first.polyhedron().mesh().positions, sound);
  // Coverage by samples cannot be moved
  SphereTree::Data data = built.sphereTree()->data();
  data.coverage = Coverage::Samples;
  data.boxes = {};
  const auto sampled = Shape::of(Polyhedron(built.polyhedron().mesh())).with(SphereTree(data));
  ASSERT_TRUE(sampled) << sampled.error().message;
  EXPECT_FALSE(DeformableShape::of(*sampled));
}

TEST(DeformableShape, MayBeReadByOtherThreadsWhileItMovesOn) {
  const Shape built = shapeOf(test::torus());
  DeformableShape body = *DeformableShape::of(built);
  std::vector<Positions> frames;
  for (int frame = 0; frame < 4; ++frame) frames.push_back(deformed(built, frame));
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> readers;
    for (std::size_t i = 0; i < 3; ++i) {
      Shape shape = body.refit(frames[(i + static_cast<std::size_t>(round)) % 4])->shape;
      readers.emplace_back([shape = std::move(shape)] {
        const Verdict verdict = collide(shape, Pose{}, shape, Pose{{0.1, 0.0, 0.0}}).verdict;
        EXPECT_EQ(verdict, Verdict::Contact);
      });
    }
    for (std::thread& reader : readers) reader.join();
  }
}

}  // namespace
}  // namespace nearmiss
