// SPDX-License-Identifier: MIT
/// Contacts of concave bodies in Bullet, instead of btGImpactCollisionAlgorithm.
///
/// Bodies keep their btGImpactMeshShape. One line changes:
///     btGImpactCollisionAlgorithm::registerAlgorithm(dispatcher);  // before
///     ConcaveCollision concave(*dispatcher);                       // now
/// Each pair has a nearmiss::ManifoldQuery. Points keep their impulses as long as their ids last.
/// Collision margins of shapes are ignored: bodies touch at their surfaces. A mesh should be
/// closed, so that it has an inside.
#pragma once

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <btBulletDynamicsCommon.h>
#include <nearmiss/nearmiss.h>

#include <memory>
#include <mutex>
#include <unordered_map>

/// Creates the algorithms of pairs, and holds the nearmiss shapes that they compare.
///
/// Takes over pairs of a GImpact mesh with a GImpact mesh, a box, a convex hull or a static
/// triangle mesh. Pairs of a GImpact mesh with any other shape keep Bullet's algorithm.
/// Thread-safe.
/// @pre outlives the world and its dispatcher's use.
class ConcaveCollision : public btCollisionAlgorithmCreateFunc {
 public:
  explicit ConcaveCollision(btCollisionDispatcher& dispatcher);

  /// Builds now what the first contact of a shape would otherwise build, which takes milliseconds.
  /// A shape with an error stays with Bullet's algorithm. Errors: those of makeShape(); Unsupported
  /// (a type of shape that is not taken over).
  nearmiss::Result<nearmiss::Success> add(const btCollisionShape& shape);

  /// Forgets a shape. Call it before the shape is deleted or its vertices or scaling change, and
  /// after the last body with it left the world.
  void remove(const btCollisionShape& shape);

  /// Called by the dispatcher.
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper* a,
                                                 const btCollisionObjectWrapper* b) override;

 private:
  using SharedShape = std::shared_ptr<const nearmiss::Shape>;
  nearmiss::Result<SharedShape> find(const btCollisionShape& shape);

  std::mutex mutex_;
  std::unordered_map<const btCollisionShape*, nearmiss::Result<SharedShape>> shapes_;
  btGImpactCollisionAlgorithm::CreateFunc gimpact_;  ///< for meshes that nearmiss refuses
};

/// Reads the triangles of a Bullet shape, its scaling included. Errors: Unsupported.
nearmiss::Result<nearmiss::TriangleMesh> meshOf(const btCollisionShape& shape);

/// Converts a transform to a pose. Bullet's rotations are matrices, so that they are normalised.
nearmiss::Pose poseOf(const btTransform& transform);
