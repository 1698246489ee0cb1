// SPDX-License-Identifier: MIT
// The promises of concave_collision.h, one by one.
#include "concave_collision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "concave_meshes.h"

namespace {

/// A mesh of concaveMeshes() as a GImpact shape.
struct GImpactMesh {
  explicit GImpactMesh(const std::string& name, btScalar scale = 1.0) {
    for (const NamedMesh& each : concaveMeshes())
      for (std::size_t t = 0; each.name == name && t < each.mesh.triangles.size(); ++t) {
        const auto [a, b, c] = each.mesh.corners(t);
        triangles.addTriangle({a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z});
      }
    shape.emplace(&triangles);
    shape->setLocalScaling({scale, scale, scale});
    shape->updateBound();
  }
  btTriangleMesh triangles;
  std::optional<btGImpactMeshShape> shape;
};

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  ConcaveCollision concave{dispatcher};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
};

struct Object : btCollisionObject {
  explicit Object(btCollisionShape& shape, const btVector3& place = {0, 0, 0}) {
    setCollisionShape(&shape);
    getWorldTransform().setOrigin(place);
  }
};

/// What contactTest() tells.
struct Points : btCollisionWorld::ContactResultCallback {
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    points.push_back(point);
    return 0.0;
  }
  std::vector<btManifoldPoint> points;
};

std::vector<btManifoldPoint> touching(World& world, btCollisionObject& a, btCollisionObject& b) {
  Points found;
  world.world.contactPairTest(&a, &b, found);
  return found.points;
}

bool isGImpact(World& world, btCollisionShape& shapeA, btCollisionShape& shapeB) {
  const Object a(shapeA), b(shapeB);
  const btCollisionObjectWrapper wrapperA(nullptr, &shapeA, &a, a.getWorldTransform(), -1, -1);
  const btCollisionObjectWrapper wrapperB(nullptr, &shapeB, &b, b.getWorldTransform(), -1, -1);
  btCollisionAlgorithm* algorithm =
      world.dispatcher.findAlgorithm(&wrapperA, &wrapperB, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  const bool answer = dynamic_cast<btGImpactCollisionAlgorithm*>(algorithm) != nullptr;
  algorithm->~btCollisionAlgorithm();
  world.dispatcher.freeCollisionAlgorithm(algorithm);
  return answer;
}

TEST(ConcaveCollision, TakesOverMeshesBoxesHullsAndStaticMeshes) {
  World world;
  GImpactMesh ring("ring"), star("star");
  btBoxShape box({1, 1, 1});
  btConvexHullShape hull;
  for (const btVector3& corner :
       {btVector3(0, 0, 0), btVector3(1, 0, 0), btVector3(0, 1, 0), btVector3(0, 0, 1)})
    hull.addPoint(corner);
  btBvhTriangleMeshShape terrain(&star.triangles, true);
  for (btCollisionShape* other :
       {static_cast<btCollisionShape*>(&*star.shape), static_cast<btCollisionShape*>(&box),
        static_cast<btCollisionShape*>(&hull), static_cast<btCollisionShape*>(&terrain)}) {
    EXPECT_FALSE(isGImpact(world, *ring.shape, *other)) << other->getName();
    EXPECT_FALSE(isGImpact(world, *other, *ring.shape)) << other->getName();
  }
}

TEST(ConcaveCollision, LeavesOtherShapesToBullet) {
  World world;
  GImpactMesh ring("ring");
  btSphereShape ball(1.0);
  EXPECT_TRUE(isGImpact(world, *ring.shape, ball));
  const auto added = world.concave.add(ball);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, nearmiss::ErrorCode::Unsupported);
  EXPECT_NE(added.error().message.find("SPHERE"), std::string::npos) << added.error().message;
}

TEST(ConcaveCollision, ContactTestGetsPointsAndHolesAreEmpty) {
  World world;
  GImpactMesh ring("ring");
  btBoxShape box({0.1, 0.1, 0.1});  // the hole has a radius of 0.25
  Object a(*ring.shape), b(box);
  EXPECT_TRUE(touching(world, a, b).empty());

  b.getWorldTransform().setOrigin({0.35, 0.19, 0.0});  // 1 cm into the top of the ring
  const auto points = touching(world, a, b);
  ASSERT_FALSE(points.empty());
  const auto deepest = std::min_element(points.begin(), points.end(), [](auto& p, auto& q) {
    return p.getDistance() < q.getDistance();
  });
  EXPECT_NEAR(deepest->getDistance(), -0.01, 1e-3);
  EXPECT_LT(deepest->m_normalWorldOnB.y(), -0.99);
}

TEST(ConcaveCollision, ScalingIsPartOfTheMesh) {
  GImpactMesh ring("ring"), twice("ring", 2.0);
  const auto small = meshOf(*ring.shape), large = meshOf(*twice.shape);
  ASSERT_TRUE(small && large);
  EXPECT_EQ(small->triangles.size(), 2304u);
  EXPECT_NEAR(nearmiss::boundingBox(*large).extent().x, 1.8, 1e-6);
  EXPECT_NEAR(nearmiss::boundingBox(*small).extent().x, 0.9, 1e-6);
}

TEST(ConcaveCollision, RemovedShapesAreReadAgain) {
  World world;
  GImpactMesh ring("ring");
  btBoxShape box({0.1, 0.1, 0.1});
  Object a(*ring.shape), b(box, {0.35, 0.25, 0.0});
  EXPECT_TRUE(touching(world, a, b).empty());
  ring.shape->setLocalScaling({2, 2, 2});
  ring.shape->updateBound();
  world.concave.remove(*ring.shape);
  b.getWorldTransform().setOrigin({0.7, 0.29, 0.0});
  EXPECT_FALSE(touching(world, a, b).empty());
}

TEST(ConcaveCollision, BodiesWithoutAPlaceTouchNothing) {
  World world;
  GImpactMesh ring("ring");
  btBoxShape box({0.1, 0.1, 0.1});
  Object a(*ring.shape), b(box, {0.35, 0.19, 0.0});
  ASSERT_FALSE(touching(world, a, b).empty());
  a.getWorldTransform().setOrigin({std::numeric_limits<btScalar>::quiet_NaN(), 0, 0});
  EXPECT_TRUE(touching(world, a, b).empty());
}

TEST(ConcaveCollision, ImpulsesLastWhileABodyRests) {
  World world;
  world.world.setGravity({0, -10, 0});
  GImpactMesh mesh("L");
  btBoxShape box({5, 0.5, 5});
  btVector3 inertia;
  mesh.shape->calculateLocalInertia(1.0, inertia);
  btRigidBody floor(0.0, nullptr, &box), body(1.0, nullptr, &*mesh.shape, inertia);
  floor.getWorldTransform().setOrigin({0, -0.5, 0});
  body.getWorldTransform().setRotation(btQuaternion({1, 0, 0}, SIMD_HALF_PI));  // on its flat side
  body.getWorldTransform().setOrigin({0, 0.15, 0});
  body.setActivationState(DISABLE_DEACTIVATION);
  world.world.addRigidBody(&floor);
  world.world.addRigidBody(&body);
  for (int step = 0; step < 240; ++step) world.world.stepSimulation(1.0 / 120.0, 0);

  btScalar sum = 0.0;
  int count = 0;
  for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i, ++count) {
      const btManifoldPoint& point = manifold.getContactPoint(i);
      EXPECT_GT(point.getLifeTime(), 120);
      EXPECT_GT(std::abs(point.m_normalWorldOnB.y()), 0.999);
      sum += point.getAppliedImpulse();
    }
  }
  EXPECT_GE(count, 4);
  EXPECT_NEAR(sum, 10.0 / 120.0, 1e-3);  // they carry its weight
  EXPECT_NEAR(body.getWorldTransform().getOrigin().y(), 0.12, 0.005);
  world.world.removeRigidBody(&body);
  world.world.removeRigidBody(&floor);
}

}  // namespace
