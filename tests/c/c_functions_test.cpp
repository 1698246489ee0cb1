// SPDX-License-Identifier: MIT
/// The C functions say what the C++ ones do, and survive whatever they are given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/c_shapes.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::atOrigin;
using test::endless;
using test::Held;
using testing::HasSubstr;

/// A shape of the C functions and the same of C++.
struct Both {
  Shape shape;
  Held<nearmiss_shape> plain;
};

Both both(const TriangleMesh& mesh) {
  return {*makeShape(mesh, {.tree = {.levels = 2}}), Held<nearmiss_shape>(test::cShape(mesh, 2))};
}

const std::vector<Both>& someShapes() {
  static const std::vector<Both> all = [] {
    std::vector<Both> made;
    made.push_back(both(test::cube(0.6)));
    made.push_back(both(test::torus(8, 5)));
    made.push_back(both(test::spikyStar(2, 5, 6)));
    return made;
  }();
  return all;
}

nearmiss_pose plain(const Pose& pose) {
  const Quat& q = pose.rotation;
  return {{pose.position.x, pose.position.y, pose.position.z}, {q.w, q.x, q.y, q.z}};
}

Vec3 vectorAt(const double* v) { return {v[0], v[1], v[2]}; }

void expectSame(const nearmiss_refinement& got, const Refinement& truth) {
  EXPECT_EQ(got.verdict, static_cast<int>(truth.verdict));
  EXPECT_EQ(got.stage, static_cast<int>(truth.stage));
  EXPECT_EQ(got.level, truth.level);
  EXPECT_EQ(got.can_refine, truth.canRefine);
  EXPECT_EQ(got.separation_bound, truth.separationBound);
  EXPECT_EQ(vectorAt(got.sphere_a), truth.deepest.a.centre);
  EXPECT_EQ(got.sphere_b[3], truth.deepest.b.radius);
  EXPECT_EQ(got.triangle_a, truth.triangleA);
  EXPECT_EQ(got.triangle_b, truth.triangleB);
}

void expectSame(const nearmiss_distance_bounds& got, const DistanceBounds& truth) {
  EXPECT_EQ(got.lower, truth.lower);
  EXPECT_EQ(got.upper, truth.upper);
  EXPECT_EQ(vectorAt(got.point_a), truth.pointA);
  EXPECT_EQ(vectorAt(got.point_b), truth.pointB);
  EXPECT_EQ(got.triangle_b, truth.triangleB);
  EXPECT_EQ(got.can_refine, truth.canRefine);
}

void expectSame(const nearmiss_penetration_bounds& got, const PenetrationBounds& truth) {
  EXPECT_EQ(got.lower, truth.lower);
  EXPECT_EQ(got.upper, truth.upper);
  EXPECT_EQ(vectorAt(got.direction), truth.direction);
}

TEST(CFunctions, PairsAreAnsweredAsInCpp) {
  test::Random random(5);
  nearmiss_pair* made = nullptr;
  ASSERT_EQ(nearmiss_pair_make(&made), NEARMISS_OK);
  const Held<nearmiss_pair> pair(made);
  int contacts = 0, apart = 0;
  for (int i = 0; i < test::cases(30); ++i) {
    const Both& a = someShapes()[static_cast<std::size_t>(random.whole(0, 2))];
    const Both& b = someShapes()[static_cast<std::size_t>(random.whole(0, 2))];
    const Pose poseA = test::randomPose(random, 1.1), poseB = test::randomPose(random, 1.1);
    const nearmiss_pose here = plain(poseA), there = plain(poseB);
    const Refinement truth = collide(a.shape, poseA, b.shape, poseB);
    ++(truth.verdict == Verdict::Contact ? contacts : apart);

    nearmiss_refinement answer;
    nearmiss_distance_bounds gap;
    nearmiss_penetration_bounds depth;
    const auto* one = a.plain.get();
    const auto* two = b.plain.get();
    ASSERT_EQ(nearmiss_collide(one, &here, two, &there, NEARMISS_UNLIMITED, &answer), NEARMISS_OK);
    expectSame(answer, truth);
    ASSERT_EQ(nearmiss_distance(one, &here, two, &there, NEARMISS_UNLIMITED, &gap), NEARMISS_OK);
    expectSame(gap, distance(a.shape, poseA, b.shape, poseB));
    ASSERT_EQ(nearmiss_penetration(one, &here, two, &there, NEARMISS_UNLIMITED, &depth),
              NEARMISS_OK);
    expectSame(depth, penetration(a.shape, poseA, b.shape, poseB, TimeBudget::unlimited()));

    // The resumable ones come to the same, whatever was interrupted
    ASSERT_EQ(nearmiss_pair_begin(pair.get(), one, &here, two, &there), NEARMISS_OK);
    ASSERT_EQ(nearmiss_pair_collide(pair.get(), 0.0, &answer), NEARMISS_OK);
    EXPECT_TRUE(answer.verdict == NEARMISS_POSSIBLE ||
                answer.verdict == static_cast<int>(truth.verdict));
    ASSERT_EQ(nearmiss_pair_distance(pair.get(), 0.0, &gap), NEARMISS_OK);
    EXPECT_LE(gap.lower, gap.upper);
    ASSERT_EQ(nearmiss_pair_collide(pair.get(), NEARMISS_UNLIMITED, &answer), NEARMISS_OK);
    expectSame(answer, truth);
    ASSERT_EQ(nearmiss_pair_distance(pair.get(), NEARMISS_UNLIMITED, &gap), NEARMISS_OK);
    EXPECT_EQ(gap.upper == 0.0, truth.verdict == Verdict::Contact);
    ASSERT_EQ(nearmiss_pair_penetration(pair.get(), NEARMISS_UNLIMITED, &depth), NEARMISS_OK);
    expectSame(depth, penetration(a.shape, poseA, b.shape, poseB, TimeBudget::unlimited()));
  }
  EXPECT_GT(contacts, 4);
  EXPECT_GT(apart, 4);
}

void expectSame(const nearmiss_manifold& got, const nearmiss_manifold_point* points,
                const ContactManifold& truth) {
  ASSERT_EQ(got.point_count, truth.points.size());
  EXPECT_EQ(got.can_refine, truth.canRefine);
  EXPECT_EQ(got.depth_known, truth.depthKnown);
  for (std::size_t i = 0; i < got.point_count; ++i) {
    EXPECT_EQ(vectorAt(points[i].on_a), truth.points[i].onA);
    EXPECT_EQ(vectorAt(points[i].on_b), truth.points[i].onB);
    EXPECT_EQ(vectorAt(points[i].normal), truth.points[i].normal);
    EXPECT_EQ(points[i].depth, truth.points[i].depth);
    EXPECT_EQ(points[i].id, truth.points[i].id);
  }
}

TEST(CFunctions, ContactsAndProtrusionsAreThoseOfCpp) {
  test::Random random(6);
  nearmiss_pair* made = nullptr;
  ASSERT_EQ(nearmiss_pair_make(&made), NEARMISS_OK);
  const Held<nearmiss_pair> pair(made);
  ManifoldQuery query;
  int touching = 0, protruding = 0, kept = 0;
  Pose poseB;
  std::vector<std::uint64_t> before;
  for (int i = 0; i < 120; ++i) {
    // Four frames of each pair, between which it hardly moves
    const Both& a = someShapes()[static_cast<std::size_t>(i / 4 % 3)];
    const Both& b = someShapes()[static_cast<std::size_t>(i / 12 % 3)];
    const Pose poseA;
    if (i % 4 == 0) poseB = test::randomPose(random, 0.9);
    poseB.position += 1e-4 * random.direction();
    const nearmiss_pose here = plain(poseA), there = plain(poseB);
    const auto *one = a.plain.get(), *two = b.plain.get();
    ASSERT_EQ(nearmiss_pair_begin(pair.get(), one, &here, two, &there), NEARMISS_OK);

    nearmiss_manifold_point points[4];
    nearmiss_manifold found;
    ASSERT_EQ(nearmiss_contact_manifold(one, &here, two, &there, 0.02, NEARMISS_UNLIMITED, points,
                                        4, &found),
              NEARMISS_OK);
    expectSame(found, points, contactManifold(a.shape, poseA, b.shape, poseB, {0.02, 4}));
    touching += found.point_count > 0;
    ASSERT_EQ(nearmiss_pair_manifold(pair.get(), 0.02, 0.0, points, 4, &found), NEARMISS_OK);
    ASSERT_EQ(nearmiss_pair_manifold(pair.get(), 0.02, NEARMISS_UNLIMITED, points, 4, &found),
              NEARMISS_OK);
    query.begin(a.shape, poseA, b.shape, poseB, {0.02, 4});
    expectSame(found, points, query.refine());
    std::vector<std::uint64_t> ids;
    for (std::size_t k = 0; k < found.point_count; ++k) {
      ids.push_back(points[k].id);
      kept += i % 4 != 0 && std::ranges::count(before, points[k].id) == 1;
    }
    before = ids;

    nearmiss_protruding deepest;
    const Protrusion truth = protrusion(a.shape, poseA, b.shape, poseB);
    for (const bool resumed : {false, true}) {
      ASSERT_EQ(resumed
                    ? nearmiss_pair_protrusion(pair.get(), NEARMISS_UNLIMITED, &deepest)
                    : nearmiss_protrusion(one, &here, two, &there, NEARMISS_UNLIMITED, &deepest),
                NEARMISS_OK);
      EXPECT_EQ(deepest.depth, truth.depth);
      EXPECT_EQ(vectorAt(deepest.from), truth.from);
      EXPECT_EQ(vectorAt(deepest.to), truth.to);
      EXPECT_EQ(deepest.of_b, truth.ofB);
      EXPECT_EQ(deepest.vertex, truth.vertex);
      EXPECT_EQ(deepest.can_refine, 0);
    }
    protruding += truth.depth > 0.0;
  }
  EXPECT_GT(touching, 40);
  EXPECT_GT(protruding, 30);
  EXPECT_GT(kept, 60) << "names last from frame to frame";
}

TEST(CFunctions, TimeToContactIsThatOfCpp) {
  const Both& cube = someShapes()[0];
  const nearmiss_motion falling{plain(Pose{{0, 0, 3}}), {0, 0, -0.5}, {0.1, 0, 0}},
      still{atOrigin, {}, {}};
  nearmiss_contact_time time;
  ASSERT_EQ(nearmiss_time_to_contact(cube.plain.get(), &falling, cube.plain.get(), &still, 10.0,
                                     1e-5, NEARMISS_UNLIMITED, &time),
            NEARMISS_OK);
  DistanceQuery query;
  const ContactTime truth = timeToContact(
      query, cube.shape, {Pose{{0, 0, 3}}, {0, 0, -0.5}, {0.1, 0, 0}}, cube.shape, {}, 10.0, 1e-5);
  EXPECT_EQ(time.no_contact_before, truth.noContactBefore);
  EXPECT_TRUE(time.reached);
  EXPECT_GT(time.no_contact_before, 2.0);
  const double before = time.no_contact_before;
  EXPECT_EQ(nearmiss_time_to_contact(cube.plain.get(), &falling, cube.plain.get(), &still, 10.0,
                                     0.0, NEARMISS_UNLIMITED, &time),
            NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("tolerance"));
  EXPECT_EQ(time.no_contact_before, before);
}

TEST(CFunctions, BytesHoldTheShape) {
  const test::TemporaryFolder folder;
  for (const Both& one : someShapes()) {
    std::size_t size = 0;
    ASSERT_EQ(nearmiss_shape_write(one.plain.get(), nullptr, 0, &size), NEARMISS_OK);
    std::vector<char> bytes(size);
    EXPECT_EQ(nearmiss_shape_write(one.plain.get(), bytes.data(), size - 1, &size),
              NEARMISS_TOO_LARGE);
    ASSERT_EQ(nearmiss_shape_write(one.plain.get(), bytes.data(), size, &size), NEARMISS_OK);
    // They are those of the file
    ASSERT_TRUE(writeShape(folder / "one.shape", one.shape));
    EXPECT_EQ(test::readText(folder / "one.shape"), std::string(bytes.begin(), bytes.end()));
    nearmiss_shape* read = nullptr;
    ASSERT_EQ(nearmiss_shape_read(bytes.data(), size, &read), NEARMISS_OK) << nearmiss_error();
    const Held<nearmiss_shape> again(read);
    EXPECT_EQ(nearmiss_shape_radius(read), one.shape.radius());
    EXPECT_EQ(nearmiss_shape_is_solid(read), 1);
    EXPECT_EQ(nearmiss_shape_level_count(read), 3);

    // One bit less or more, or the end missing, and they are refused
    test::Random random(size);
    for (int i = 0; i < 200; ++i) {
      std::vector<char> damaged = bytes;
      if (i % 2)
        damaged.resize(static_cast<std::size_t>(random.whole(0, static_cast<int>(size) - 1)));
      else
        damaged[static_cast<std::size_t>(random.whole(0, static_cast<int>(size) - 1))] ^=
            static_cast<char>(1 << random.whole(0, 7));
      nearmiss_shape* none = nullptr;
      EXPECT_NE(nearmiss_shape_read(damaged.data(), damaged.size(), &none), NEARMISS_OK);
      EXPECT_EQ(none, nullptr);
      EXPECT_STRNE(nearmiss_error(), "");
    }
  }
}

TEST(CFunctions, TreesOfFilesAreTakenUpAndForeignOnesRefused) {
  const test::TemporaryFolder folder;
  const Both &torus = someShapes()[1], &star = someShapes()[2];
  const Shape coarse = *makeShape(test::torus(8, 5), {.tree = {.levels = 1}});
  SphereTreeFile contents;
  contents.key.meshHash = coarse.polyhedron().hash();
  contents.builder = "variational";
  contents.triangleCount = static_cast<std::uint32_t>(coarse.polyhedron().mesh().triangles.size());
  contents.tree = *coarse.sphereTree();
  ASSERT_TRUE(writeSphereTree(folder / "torus.tree", contents));
  const std::string bytes = test::readText(folder / "torus.tree");
  nearmiss_shape* made = nullptr;
  ASSERT_EQ(nearmiss_shape_with_tree(torus.plain.get(), bytes.data(), bytes.size(), &made),
            NEARMISS_OK)
      << nearmiss_error();
  EXPECT_EQ(nearmiss_shape_level_count(made), 2);
  std::size_t count = 0;
  ASSERT_EQ(nearmiss_shape_spheres(made, 1, nullptr, 0, &count), NEARMISS_OK);
  std::vector<double> spheres(4 * count);
  ASSERT_EQ(nearmiss_shape_spheres(made, 1, spheres.data(), count, &count), NEARMISS_OK);
  EXPECT_GT(count, 1u);
  for (std::size_t i = 0; i < count; ++i) EXPECT_GT(spheres[4 * i + 3], 0.0);
  EXPECT_EQ(nearmiss_shape_spheres(made, 2, nullptr, 0, &count), NEARMISS_UNSUPPORTED);
  nearmiss_shape_free(made);
  EXPECT_EQ(nearmiss_shape_with_tree(star.plain.get(), bytes.data(), bytes.size(), &made),
            NEARMISS_MISMATCH);
}

TEST(CFunctions, SamplesNeverSayCertainlyApart) {
  const Shape& cube = someShapes()[0].shape;
  SphereTree::Data data = cube.sphereTree()->data();
  data.coverage = Coverage::Samples;
  data.boxes = {};
  const auto sampled = cube.with(SphereTree(std::move(data)));
  ASSERT_TRUE(sampled);
  const auto bytes = bytesOf(*sampled);
  ASSERT_TRUE(bytes);
  nearmiss_shape* made = nullptr;
  ASSERT_EQ(nearmiss_shape_read(bytes->data(), bytes->size(), &made), NEARMISS_OK)
      << nearmiss_error();
  const Held<nearmiss_shape> read(made);
  const nearmiss_pose beside = plain(Pose{{1.5, 0, 0}});
  nearmiss_refinement answer;
  const auto* whole = someShapes()[0].plain.get();
  ASSERT_EQ(nearmiss_collide(whole, &atOrigin, whole, &beside, NEARMISS_UNLIMITED, &answer),
            NEARMISS_OK);
  EXPECT_EQ(answer.verdict, NEARMISS_SEPARATE);
  ASSERT_EQ(nearmiss_collide(made, &atOrigin, made, &beside, NEARMISS_UNLIMITED, &answer),
            NEARMISS_OK);
  EXPECT_EQ(answer.verdict, NEARMISS_POSSIBLE);
  EXPECT_EQ(answer.can_refine, 0);
}

TEST(CFunctions, AWorldFindsWhatPairsFind) {
  test::Random random(9);
  nearmiss_world* made = nullptr;
  ASSERT_EQ(nearmiss_world_make(&made), NEARMISS_OK);
  const Held<nearmiss_world> world(made);
  std::vector<nearmiss_body> bodies;
  std::vector<std::pair<const Both*, Pose>> where;
  for (int i = 0; i < 24; ++i) {
    where.emplace_back(&someShapes()[static_cast<std::size_t>(i % 3)], test::randomPose(random, 2));
    const nearmiss_pose pose = plain(where.back().second);
    bodies.emplace_back();
    ASSERT_EQ(nearmiss_world_add(world.get(), where.back().first->plain.get(), &pose, nullptr,
                                 &bodies.back()),
              NEARMISS_OK);
  }
  EXPECT_EQ(nearmiss_world_size(world.get()), 24u);
  std::vector<std::pair<nearmiss_body, nearmiss_body>> expected;
  double least = endless;
  for (std::size_t i = 0; i < where.size(); ++i)
    for (std::size_t j = i + 1; j < where.size(); ++j) {
      const auto& [a, poseA] = where[i];
      const auto& [b, poseB] = where[j];
      if (collide(a->shape, poseA, b->shape, poseB).verdict == Verdict::Contact)
        expected.emplace_back(bodies[i], bodies[j]);
      least = std::min(least, distance(a->shape, poseA, b->shape, poseB).upper);
    }
  nearmiss_collisions detection;
  ASSERT_EQ(nearmiss_world_collisions(world.get(), NEARMISS_UNLIMITED, &detection), NEARMISS_OK);
  EXPECT_EQ(detection.complete, 1);
  std::vector<nearmiss_touching_pair> found(detection.pair_count);
  EXPECT_EQ(nearmiss_world_pairs(world.get(), found.data(), found.size()), expected.size());
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_GT(expected.size(), 5u);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(std::pair(found[i].a, found[i].b), expected[i]);
  EXPECT_EQ(nearmiss_world_waiting(world.get(), nullptr, 0), 0u);
  nearmiss_nearest_bodies nearest;
  ASSERT_EQ(nearmiss_world_min_distance(world.get(), endless, NEARMISS_UNLIMITED, &nearest),
            NEARMISS_OK);
  EXPECT_NEAR(nearest.bounds.upper, least, 1e-9);

  // Groups: nothing meets a body that meets no group
  for (const nearmiss_body body : bodies) {
    const nearmiss_traits lonely{1, 0, 0, NEARMISS_FULL_IMPORTANCE};
    ASSERT_EQ(nearmiss_world_set_traits(world.get(), body, &lonely), NEARMISS_OK);
  }
  ASSERT_EQ(nearmiss_world_collisions(world.get(), NEARMISS_UNLIMITED, &detection), NEARMISS_OK);
  EXPECT_EQ(detection.pair_count, 0u);
}

}  // namespace
}  // namespace nearmiss
