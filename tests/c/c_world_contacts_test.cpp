// SPDX-License-Identifier: MIT
/// Contacts, rays and points of a world by the C functions: as in C++, and refused with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/world.h>

#include <cstdint>
#include <vector>

#include "support/c_shapes.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::atOrigin;
using test::endless;
using test::Held;
using test::notANumber;
using test::Random;
using testing::HasSubstr;

Held<nearmiss_shape> treeless(const TriangleMesh& mesh) {
  std::vector<double> vertices;
  for (const Vec3& p : mesh.positions) vertices.insert(vertices.end(), {p.x, p.y, p.z});
  nearmiss_shape_settings settings{};
  settings.size = sizeof settings;
  settings.builder = "";
  nearmiss_shape* made = nullptr;
  EXPECT_EQ(nearmiss_shape_make(vertices.data(), mesh.positions.size(), &mesh.triangles[0][0],
                                mesh.triangles.size(), &settings, &made),
            NEARMISS_OK)
      << nearmiss_error();
  EXPECT_EQ(nearmiss_shape_level_count(made), 0) << "it has no sphere tree";
  return Held<nearmiss_shape>(made);
}

nearmiss_pose posed(const Pose& pose) {
  const Quat& q = pose.rotation;
  return {{pose.position.x, pose.position.y, pose.position.z}, {q.w, q.x, q.y, q.z}};
}

Vec3 at(const double* v) { return {v[0], v[1], v[2]}; }

/// The same bodies in both languages.
class CWorldContacts : public testing::Test {
 protected:
  CWorldContacts() {
    nearmiss_world* made = nullptr;
    EXPECT_EQ(nearmiss_world_make(&made), NEARMISS_OK);
    world_.reset(made);
    for (const TriangleMesh& mesh : {test::cube(0.5), test::torus(12, 8)}) {
      plainShapes_.push_back(treeless(mesh));
      shapes_.push_back(test::treelessShape(mesh));
    }
  }
  nearmiss_body add(std::size_t shape, const Pose& pose) {
    const nearmiss_pose there = posed(pose);
    nearmiss_body body = 0;
    EXPECT_EQ(nearmiss_world_add(world(), plainShapes_[shape].get(), &there, nullptr, &body),
              NEARMISS_OK)
        << nearmiss_error();
    EXPECT_EQ(static_cast<nearmiss_body>(*cpp_.add(shapes_[shape], pose)), body);
    return body;
  }
  nearmiss_world* world() { return world_.get(); }

  std::vector<Held<nearmiss_shape>> plainShapes_;
  std::vector<Shape> shapes_;
  Held<nearmiss_world> world_;
  World cpp_;
};

TEST_F(CWorldContacts, AreThoseOfCpp) {
  Random random(1);
  std::vector<nearmiss_body> bodies;
  for (std::size_t i = 0; i < 16; ++i) bodies.push_back(add(i % 2, test::randomPose(random, 1.6)));
  for (const auto& shape : plainShapes_)
    ASSERT_EQ(nearmiss_shape_prepare(shape.get()), NEARMISS_OK);
  std::size_t touching = 0;
  for (int step = 0; step < 10; ++step) {
    const Pose pose = test::randomPose(random, 1.6);
    const nearmiss_pose there = posed(pose);
    ASSERT_EQ(nearmiss_world_set_pose(world(), bodies[3], &there), NEARMISS_OK);
    ASSERT_TRUE(cpp_.setPose(BodyHandle{bodies[3]}, pose));
    ASSERT_EQ(nearmiss_world_set_sensor(world(), bodies[5], step % 2), NEARMISS_OK);
    BodyTraits traits;
    traits.sensor = step % 2 != 0;
    ASSERT_TRUE(cpp_.setTraits(BodyHandle{bodies[5]}, traits));

    nearmiss_contacts found;
    ASSERT_EQ(nearmiss_world_contacts(world(), 0.02, 4, NEARMISS_UNLIMITED, &found), NEARMISS_OK);
    const WorldContacts& truth = **cpp_.contacts({0.02, 4});
    ASSERT_EQ(found.pair_count, truth.size());
    EXPECT_EQ(found.complete, 1);
    std::vector<nearmiss_pair_contacts> pairs(found.pair_count);
    std::vector<nearmiss_manifold_point> points(found.point_count);
    ASSERT_EQ(nearmiss_world_contact_pairs(world(), pairs.data(), pairs.size()), pairs.size());
    ASSERT_EQ(nearmiss_world_contact_points(world(), points.data(), points.size()), points.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const nearmiss_pair_contacts& pair = pairs[i];
      const PairContacts& other = truth.pairs[i];
      EXPECT_EQ(BodyHandle{pair.a}, other.bodies.a);
      EXPECT_EQ(BodyHandle{pair.b}, other.bodies.b);
      EXPECT_EQ(pair.depth_known, other.depthKnown);
      EXPECT_EQ(pair.can_refine, 0);
      EXPECT_EQ(pair.sensed, other.sensed);
      ASSERT_EQ(pair.point_count, other.points.size());
      ASSERT_LE(pair.first_point + pair.point_count, points.size());
      for (std::size_t k = 0; k < pair.point_count; ++k) {
        const nearmiss_manifold_point& point = points[pair.first_point + k];
        EXPECT_EQ(at(point.on_a), other.points[k].onA);
        EXPECT_EQ(at(point.on_b), other.points[k].onB);
        EXPECT_EQ(at(point.normal), other.points[k].normal);
        EXPECT_EQ(point.depth, other.points[k].depth);
        EXPECT_EQ(point.id, other.points[k].id);
      }
    }
    touching += pairs.size();
    // No more are written than there is room for
    std::vector<nearmiss_pair_contacts> few(1, nearmiss_pair_contacts{});
    EXPECT_EQ(nearmiss_world_contact_pairs(world(), few.data(), 1), pairs.size());
    EXPECT_EQ(few[0].a, pairs[0].a);
    EXPECT_EQ(nearmiss_world_contact_points(world(), nullptr, 5), points.size());
  }
  EXPECT_GT(touching, 50u);
  // The list stays when its bodies go
  const std::size_t before = nearmiss_world_contact_pairs(world(), nullptr, 0);
  for (const nearmiss_body body : bodies)
    ASSERT_EQ(nearmiss_world_remove(world(), body), NEARMISS_OK);
  std::vector<nearmiss_manifold_point> points(4 * before);
  EXPECT_GT(nearmiss_world_contact_points(world(), points.data(), points.size()), 0u);
  nearmiss_contacts found;
  ASSERT_EQ(nearmiss_world_contacts(world(), 0.02, 4, 0.0, &found), NEARMISS_OK);
  EXPECT_EQ(found.pair_count, 0u);
}

TEST_F(CWorldContacts, BodiesWithoutSphereTreesAreDetected) {
  const nearmiss_body one = add(0, {}), other = add(1, {{0.9, 0, 0}});
  add(0, {{30, 0, 0}});
  nearmiss_collisions detection;
  ASSERT_EQ(nearmiss_world_collisions(world(), NEARMISS_UNLIMITED, &detection), NEARMISS_OK)
      << nearmiss_error();
  nearmiss_touching_pair pair;
  ASSERT_EQ(nearmiss_world_pairs(world(), &pair, 1), 1u);
  EXPECT_EQ(pair.a, one);
  EXPECT_EQ(pair.b, other);
  EXPECT_EQ(pair.answer.verdict, NEARMISS_CONTACT);
}

TEST_F(CWorldContacts, RaysAndPointsFindTheirBodies) {
  Random random(2);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < 12; ++i) {
    poses.push_back(test::randomPose(random, 3.0));
    add(i % 2, poses.back());
  }
  int hits = 0, held = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3 from = 6.0 * random.direction(), way = random.inCube(2.0) - from;
    // Cubes hold every other one
    const Vec3 point = i % 2 ? random.inCube(2.5) : poses[0].position + random.inCube(0.25);
    const nearmiss_body except = i % 3 ? 0u : 4u;
    const nearmiss_ray ray{{from.x, from.y, from.z}, {way.x, way.y, way.z}, 2.0, 0.0};
    nearmiss_ray_hit hit;
    nearmiss_body body = 77;
    ASSERT_EQ(nearmiss_world_raycast(world(), &ray, except, NEARMISS_UNLIMITED, &body, &hit),
              NEARMISS_OK);
    const RayHit truth = *cpp_.raycast({from, way, 2.0}, BodyHandle{except});
    EXPECT_EQ(BodyHandle{body}, truth.body);
    EXPECT_EQ(hit.t, truth.t);
    hits += body != 0;

    const double asked[3] = {point.x, point.y, point.z};
    nearmiss_point_bounds bounds;
    ASSERT_EQ(nearmiss_world_nearest_point(world(), asked, 9.0, except, NEARMISS_UNLIMITED, &body,
                                           &bounds),
              NEARMISS_OK);
    const auto nearest = *cpp_.nearestPoint(point, 9.0, BodyHandle{except});
    EXPECT_EQ(BodyHandle{body}, nearest.body);
    EXPECT_EQ(bounds.upper, nearest.upper);

    std::vector<nearmiss_body> bodies(12, 0);
    std::size_t count = 0;
    std::int32_t complete = 0;
    ASSERT_EQ(nearmiss_world_containing(world(), asked, NEARMISS_UNLIMITED, bodies.data(),
                                        bodies.size(), &count, &complete),
              NEARMISS_OK);
    EXPECT_EQ(complete, 1);
    std::vector<BodyHandle> holders;
    ASSERT_TRUE(*cpp_.containing(point, holders));
    ASSERT_EQ(count, holders.size());
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(BodyHandle{bodies[k]}, holders[k]);
    held += static_cast<int>(count);
  }
  EXPECT_GT(hits, 10);
  EXPECT_GE(held, 30);
}

TEST_F(CWorldContacts, WhatTheyCannotWorkWithIsRefused) {
  add(0, {});
  const double once = NEARMISS_UNLIMITED;
  nearmiss_contacts found;
  EXPECT_EQ(nearmiss_world_contact_pairs(world(), nullptr, 3), 0u) << "before any";
  EXPECT_EQ(nearmiss_world_contact_points(nullptr, nullptr, 3), 0u);
  for (const double margin : {notANumber, -1.0, endless}) {
    EXPECT_EQ(nearmiss_world_contacts(world(), margin, 4, once, &found), NEARMISS_UNSUPPORTED);
    EXPECT_THAT(nearmiss_error(), HasSubstr("margin"));
  }
  EXPECT_EQ(nearmiss_world_contacts(world(), 0.0, 0, once, &found), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("room"));
  EXPECT_EQ(nearmiss_world_contacts(world(), 0.0, 4, -3.0, &found), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("budget"));
  EXPECT_EQ(nearmiss_world_contacts(nullptr, 0.0, 4, once, &found), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`world` must not be null");
  EXPECT_EQ(nearmiss_world_contacts(world(), 0.0, 4, once, nullptr), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_prepare(nullptr), NEARMISS_UNSUPPORTED);

  nearmiss_body body = 77;
  nearmiss_ray_hit hit;
  nearmiss_ray ray{{0, 0, 5}, {0, 0, -1}, endless, 0};
  EXPECT_EQ(nearmiss_world_raycast(world(), &ray, 9, once, &body, &hit), NEARMISS_NOT_FOUND);
  EXPECT_THAT(nearmiss_error(), HasSubstr("no body 9"));
  EXPECT_EQ(nearmiss_world_raycast(world(), &ray, 0, once, nullptr, &hit), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_raycast(world(), nullptr, 0, once, &body, &hit), NEARMISS_UNSUPPORTED);
  ray.origin[1] = notANumber;
  EXPECT_EQ(nearmiss_world_raycast(world(), &ray, 0, once, &body, &hit), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("origin.y is nan"));
  const double point[3] = {0, 0, 0}, lost[3] = {0, notANumber, 0};
  nearmiss_point_bounds bounds;
  EXPECT_EQ(nearmiss_world_nearest_point(world(), lost, 1.0, 0, once, &body, &bounds),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_nearest_point(world(), point, -1.0, 0, once, &body, &bounds),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_nearest_point(world(), point, 1.0, 9, once, &body, &bounds),
            NEARMISS_NOT_FOUND);
  std::size_t count = 5;
  std::int32_t complete = 7;
  EXPECT_EQ(nearmiss_world_containing(world(), lost, once, nullptr, 0, &count, &complete),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_containing(world(), point, once, nullptr, 3, &count, &complete),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(count, 5u) << "an error leaves it";
  EXPECT_EQ(body, 77u);
  EXPECT_EQ(nearmiss_world_containing(world(), point, once, nullptr, 0, &count, &complete),
            NEARMISS_OK);
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace nearmiss
