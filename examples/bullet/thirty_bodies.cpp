// SPDX-License-Identifier: MIT
/// Thirty concave bodies fall on a floor in Bullet and come to rest. Runs without a window.
///
///     example_bullet [--gimpact] [--mesh-floor] [--seconds S] [--seed N]
/// --gimpact runs the same scene with Bullet's own algorithm too, for comparison. --mesh-floor puts
/// a static triangle mesh in place of the box. Exits with 0 if the bodies rest on nearmiss
/// contacts.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "concave_collision.h"
#include "concave_meshes.h"

namespace {

constexpr int bodyCount = 30;
constexpr btScalar floorSize = 30.0, floorThickness = 1.0;
constexpr btScalar timeStep = 1.0 / 120.0;
/// Bodies of 1 kg rest if all of them together have less than this in the last second.
constexpr double mostEnergy = 0.02;   // joules
constexpr double mostOverlap = 0.01;  // metres

struct Options {
  bool gimpact = false;
  bool meshFloor = false;
  double seconds = 12.0;
  unsigned seed = 1;  ///< of the poses at the start
};

/// A mesh as Bullet holds it.
struct MeshShape {
  btTriangleMesh triangles;
  std::unique_ptr<btGImpactMeshShape> shape;
};

void copyTriangles(const nearmiss::TriangleMesh& from, btTriangleMesh& to) {
  for (std::size_t t = 0; t < from.triangles.size(); ++t) {
    const auto [a, b, c] = from.corners(t);
    to.addTriangle({a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z});
  }
}

/// The scene. Members are destroyed from the last to the first, as Bullet wants it.
class Scene {
 public:
  Scene(const std::vector<NamedMesh>& meshes, const Options& options, bool useNearmiss);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void step() { world_.stepSimulation(timeStep, 0); }
  [[nodiscard]] double kineticEnergy() const;
  [[nodiscard]] int fallenThrough() const;
  /// Returns the deepest point of all manifolds. It is computed from scratch with nearmiss,
  /// whatever algorithm the scene uses, so that both are measured alike.
  double deepestOverlap();

 private:
  void addBody(btCollisionShape& shape, btScalar mass, const btTransform& transform);

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  std::unique_ptr<ConcaveCollision> concave_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<MeshShape>> meshes_;
  btTriangleMesh floorTriangles_;
  std::unique_ptr<btCollisionShape> floor_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;  ///< the floor is the first
};

Scene::Scene(const std::vector<NamedMesh>& meshes, const Options& options, bool useNearmiss) {
  if (useNearmiss)
    concave_ = std::make_unique<ConcaveCollision>(dispatcher_);
  else
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
  world_.setGravity({0.0, -9.81, 0.0});
  btContactSolverInfo& solver = world_.getSolverInfo();
  solver.m_numIterations = 20;
  // Overlap is undone without adding speed, down to 2 mm, and friction acts along both tangents
  solver.m_splitImpulsePenetrationThreshold = 0.0;
  solver.m_linearSlop = 0.002;
  solver.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;

  for (const NamedMesh& mesh : meshes) {
    auto& made = *meshes_.emplace_back(std::make_unique<MeshShape>());
    copyTriangles(mesh.mesh, made.triangles);
    made.shape = std::make_unique<btGImpactMeshShape>(&made.triangles);
    made.shape->setMargin(useNearmiss ? 0.0 : 0.01);  // GImpact loses contacts without one
    made.shape->updateBound();
    if (!concave_) continue;
    if (const auto added = concave_->add(*made.shape); !added) {
      std::printf("%s: %s\n", mesh.name.c_str(), added.error().message.c_str());
      std::exit(1);
    }
  }

  constexpr btScalar half = 0.5 * floorSize;
  btTransform place = btTransform::getIdentity();
  if (options.meshFloor) {
    floorTriangles_.addTriangle({-half, 0, -half}, {-half, 0, half}, {half, 0, half});
    floorTriangles_.addTriangle({-half, 0, -half}, {half, 0, half}, {half, 0, -half});
    floor_ = std::make_unique<btBvhTriangleMeshShape>(&floorTriangles_, true);
  } else {
    floor_ = std::make_unique<btBoxShape>(btVector3(half, 0.5 * floorThickness, half));
    place.setOrigin({0.0, -0.5 * floorThickness, 0.0});
  }
  addBody(*floor_, 0.0, place);

  std::mt19937 random(options.seed);
  const auto uniform = [&] { return random() / 2147483648.0 - 1.0; };
  for (int i = 0; i < bodyCount; ++i) {
    const int column = i % 6, layer = i / 6;
    btTransform start = btTransform::getIdentity();
    start.setOrigin({1.1 * (column % 3 - 1), 0.8 + 1.1 * layer, 1.1 * (column / 3 - 0.5)});
    const btQuaternion rotation(uniform(), uniform(), uniform(), uniform());
    start.setRotation(rotation.normalized());
    addBody(*meshes_[static_cast<std::size_t>(i) % meshes_.size()]->shape, 1.0, start);
  }
}

Scene::~Scene() {
  for (const auto& body : bodies_) world_.removeRigidBody(body.get());
}

void Scene::addBody(btCollisionShape& shape, btScalar mass, const btTransform& transform) {
  btVector3 inertia(0.0, 0.0, 0.0);
  if (mass > 0.0) shape.calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
  info.m_startWorldTransform = transform;
  info.m_friction = 0.5;
  info.m_rollingFriction = info.m_spinningFriction = 0.01;  // or gears roll for a long time
  auto& body = *bodies_.emplace_back(std::make_unique<btRigidBody>(info));
  // Bodies that sleep would rest whatever their contacts are
  body.setActivationState(DISABLE_DEACTIVATION);
  world_.addRigidBody(&body);
}

double Scene::kineticEnergy() const {
  double sum = 0.0;
  for (const auto& body : bodies_) {
    if (body->getInvMass() == 0.0) continue;
    const btVector3 spin = body->getAngularVelocity();
    const btVector3 momentum = body->getInvInertiaTensorWorld().inverse() * spin;
    sum += 0.5 * (body->getLinearVelocity().length2() / body->getInvMass() + spin.dot(momentum));
  }
  return sum;
}

int Scene::fallenThrough() const {
  int count = 0;
  for (const auto& body : bodies_)
    count += body->getInvMass() > 0.0 && body->getWorldTransform().getOrigin().y() < 0.0;
  return count;
}

double Scene::deepestOverlap() {
  std::vector<nearmiss::Shape> shapes;
  for (const auto& body : bodies_) {
    auto mesh = meshOf(*body->getCollisionShape());
    if (!mesh) continue;
    nearmiss::ShapeSettings settings;
    settings.quality = nearmiss::TreeQuality::None;
    shapes.push_back(*nearmiss::makeShape(std::move(*mesh), settings));
  }
  double deepest = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      btVector3 lowA, highA, lowB, highB;
      bodies_[i]->getAabb(lowA, highA);
      bodies_[j]->getAabb(lowB, highB);
      if (!TestAabbAgainstAabb2(lowA, highA, lowB, highB)) continue;
      const auto manifold =
          nearmiss::contactManifold(shapes[i], poseOf(bodies_[i]->getWorldTransform()), shapes[j],
                                    poseOf(bodies_[j]->getWorldTransform()));
      if (!manifold.points.empty()) deepest = std::max(deepest, manifold.points[0].depth);
    }
  return deepest;
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Runs the scene and prints a line. Returns true if the bodies rest.
bool run(const std::vector<NamedMesh>& meshes, const Options& options, bool useNearmiss) {
  Scene scene(meshes, options, useNearmiss);
  const int steps = static_cast<int>(options.seconds / timeStep);
  const int lastSecond = steps - static_cast<int>(1.0 / timeStep);
  double falling = 0.0, atRest = 0.0, worst = 0.0, energy = 0.0;
  for (int step = 0; step < steps; ++step) {
    const double began = cpuSeconds();
    scene.step();
    const double taken = cpuSeconds() - began;
    (step < lastSecond ? falling : atRest) += taken;
    worst = std::max(worst, taken);
    if (step >= lastSecond) energy = std::max(energy, scene.kineticEnergy());
  }
  const double deepest = scene.deepestOverlap();
  const int fallen = scene.fallenThrough();
  std::printf("%-8s  %12.2e J  %10.2f mm  %12d  %10.2f  %10.2f  %10.2f\n",
              useNearmiss ? "nearmiss" : "GImpact", energy, 1e3 * deepest, fallen,
              1e3 * falling / lastSecond, 1e3 * atRest / (steps - lastSecond), 1e3 * worst);
  std::fflush(stdout);  // the next scene may take long
  return fallen == 0 && energy < mostEnergy && deepest < mostOverlap;
}

std::optional<Options> parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--gimpact")
      options.gimpact = true;
    else if (word == "--mesh-floor")
      options.meshFloor = true;
    else if (word == "--seconds" && i + 1 < count)
      options.seconds = std::atof(words[++i]);
    else if (word == "--seed" && i + 1 < count)
      options.seed = static_cast<unsigned>(std::atoi(words[++i]));
    else
      return std::nullopt;
  }
  if (!(options.seconds >= 2.0 && options.seconds <= 3600.0)) return std::nullopt;
  return options;
}

}  // namespace

int main(int count, char** words) {
  const auto options = parse(count, words);
  if (!options) {
    std::puts(
        "usage: example_bullet [--gimpact] [--mesh-floor] [--seconds S] [--seed N], 2 <= S <= "
        "3600");
    return 2;
  }
  const auto meshes = concaveMeshes();
  for (const NamedMesh& mesh : meshes)
    std::printf("%s %zu  ", mesh.name.c_str(), mesh.mesh.triangles.size());
  std::printf("triangles\n\n%-8s  %14s  %13s  %12s  %s\n", "", "kinetic energy", "deepest",
              "fell through", "ms a step: falling, at rest, worst");
  const bool rests = run(meshes, *options, true);
  if (options->gimpact) run(meshes, *options, false);
  std::puts(rests ? "\nThey rest." : "\nThey do not rest.");
  return rests ? 0 : 1;
}
