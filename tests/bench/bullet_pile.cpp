// SPDX-License-Identifier: MIT
#include "bullet_pile.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "thread_clock.h"

namespace nearmiss::bench {
namespace {

btVector3 vectorOf(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
btTransform transformOf(const Pose& pose) {
  const auto real = [](double value) { return static_cast<btScalar>(value); };
  const Quat& q = pose.rotation;
  return btTransform(btQuaternion(real(q.x), real(q.y), real(q.z), real(q.w)),
                     vectorOf(pose.position));
}
Pose poseOf(const btTransform& transform) {
  const btVector3& p = transform.getOrigin();
  const btQuaternion q = transform.getRotation();
  return {{p.x(), p.y(), p.z()}, Quat(q.w(), q.x(), q.y(), q.z())};
}

/// A world that keeps what it was given.
class BulletWorld {
 public:
  BulletWorld() {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    world_.setGravity({0.0f, -9.81f, 0.0f});
    world_.getSolverInfo().m_numIterations = 15;
    add(std::make_unique<btBoxShape>(btVector3(20.0f, 0.5f, 20.0f)), {{0.0, -0.5, 0.0}}, 0.0f);
  }

  btRigidBody& add(const Dropped& dropped) {
    if (!dropped.mesh)
      return add(std::make_unique<btBoxShape>(btVector3(0.5f, 0.5f, 0.5f)), dropped.pose, 1.0f);
    auto triangles = std::make_unique<btTriangleMesh>();
    for (std::size_t t = 0; t < dropped.mesh->triangles.size(); ++t) {
      const Triangle corners = dropped.mesh->corners(t);
      triangles->addTriangle(vectorOf(corners[0]), vectorOf(corners[1]), vectorOf(corners[2]));
    }
    auto shape = std::make_unique<btGImpactMeshShape>(triangles.get());
    triangles_.push_back(std::move(triangles));
    shape->setMargin(0.005f);
    shape->updateBound();
    return add(std::move(shape), dropped.pose, 1.0f);
  }

  void step() { world_.stepSimulation(1.0f / hertz, 0); }
  [[nodiscard]] const std::vector<std::unique_ptr<btRigidBody>>& bodies() const { return bodies_; }
  ~BulletWorld() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

 private:
  btRigidBody& add(std::unique_ptr<btCollisionShape> shape, const Pose& pose, btScalar mass) {
    btVector3 inertia(0.0f, 0.0f, 0.0f);
    if (mass > 0.0f) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = transformOf(pose);
    info.m_friction = 0.70710678f;  // Bullet multiplies those of both bodies: 0.5
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    // Sleeping bodies cost nothing, and ours do not sleep
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    shapes_.push_back(std::move(shape));
    return *bodies_.back();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

double energyOf(const btRigidBody& body) {
  if (body.getInvMass() == 0.0f) return 0.0;
  const btVector3 spin =
      body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
  const btVector3 inverse = body.getInvInertiaDiagLocal();
  double energy = 0.5 * body.getLinearVelocity().length2() / body.getInvMass();
  for (int k = 0; k < 3; ++k)
    if (inverse[k] > 0.0f) energy += 0.5 * spin[k] * spin[k] / inverse[k];
  return energy;
}

}  // namespace

BulletSteps bulletSteps(std::span<const Dropped> bodies, int steps, double seconds) {
  BulletWorld world;
  for (const Dropped& dropped : bodies) world.add(dropped);
  BulletSteps result;
  const ThreadClock clock;
  double spent = 0.0;
  for (int step = 0; step < steps && spent < 1000.0 * seconds; ++step) {
    const auto began = clock.now();
    world.step();
    result.millis.push_back(microsOf(clock.now() - began) / 1000.0);
    spent += result.millis.back();
    double energy = 0.0, fastest = 0.0;
    for (const auto& body : world.bodies()) {
      energy += energyOf(*body);
      fastest = std::max(fastest, static_cast<double>(body->getLinearVelocity().length()));
    }
    result.energies.push_back(energy);
    result.fastest.push_back(fastest);
  }
  for (std::size_t k = 1; k < world.bodies().size(); ++k)
    result.poses.push_back(poseOf(world.bodies()[k]->getWorldTransform()));
  return result;
}

BoxCalls bulletBoxCalls(int rounds) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btBoxShape box(btVector3(0.5f, 0.5f, 0.5f));
  btCollisionObject lower, upper;
  for (btCollisionObject* object : {&lower, &upper}) object->setCollisionShape(&box);
  upper.setWorldTransform(transformOf({{0.1, 0.2, 0.999}, glm::identity<Quat>()}));
  const btCollisionObjectWrapper a(nullptr, &box, &lower, lower.getWorldTransform(), -1, -1);
  const btCollisionObjectWrapper b(nullptr, &box, &upper, upper.getWorldTransform(), -1, -1);
  btDispatcherInfo info;
  const ThreadClock clock;
  int points = 0;
  const auto per = [&](const auto& call) {
    const auto began = clock.now();
    for (int k = 0; k < rounds; ++k) call(k);
    return 1000.0 * microsOf(clock.now() - began) / rounds;
  };
  const auto ask = [&](btCollisionAlgorithm& algorithm) {
    btManifoldResult result(&a, &b);
    algorithm.processCollision(&a, &b, info, &result);
    if (result.getPersistentManifold()) points += result.getPersistentManifold()->getNumContacts();
  };
  BoxCalls calls;
  calls.first = per([&](int) {
    btCollisionAlgorithm* const algorithm =
        dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    ask(*algorithm);
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
  });
  btCollisionAlgorithm* const algorithm =
      dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  calls.next = per([&](int k) {
    btTransform moved = transformOf({{0.1 + 1e-4 * (k % 7), 0.2, 0.999}, glm::identity<Quat>()});
    upper.setWorldTransform(moved);
    ask(*algorithm);
  });
  calls.unchanged = per([&](int) { ask(*algorithm); });
  algorithm->~btCollisionAlgorithm();
  dispatcher.freeCollisionAlgorithm(algorithm);
  return points == 0 ? BoxCalls{} : calls;
}

}  // namespace nearmiss::bench
