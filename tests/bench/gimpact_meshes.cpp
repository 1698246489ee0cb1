// SPDX-License-Identifier: MIT
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <vector>

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

btVector3 vectorOf(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class GImpactMesh {
 public:
  explicit GImpactMesh(const TriangleMesh& mesh) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle corners = mesh.corners(t);
      triangles_.addTriangle(vectorOf(corners[0]), vectorOf(corners[1]), vectorOf(corners[2]));
    }
    shape_ = std::make_unique<btGImpactMeshShape>(&triangles_);
    shape_->setMargin(0.0f);
    shape_->updateBound();
    object_.setCollisionShape(shape_.get());
  }
  [[nodiscard]] btCollisionObject& at(const Pose& pose) {
    const auto real = [](double value) { return static_cast<btScalar>(value); };
    const btQuaternion rotation(real(pose.rotation.x), real(pose.rotation.y), real(pose.rotation.z),
                                real(pose.rotation.w));
    object_.setWorldTransform(btTransform(rotation, vectorOf(pose.position)));
    return object_;
  }

 private:
  btTriangleMesh triangles_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btCollisionObject object_;
};

struct AnyContact final : btCollisionWorld::ContactResultCallback {
  bool found = false;
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    found = found || point.getDistance() <= 0.0f;
    return 0.0f;
  }
};

class GImpact final : public MeshPeer {
 public:
  GImpact(const TriangleMesh& a, const TriangleMesh& b) : a_(a), b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    // contactPairTest() asks for the algorithm of closest points, which that leaves out
    dispatcher_.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE,
                                                &create_);
  }
  bool meet(const Pose& a, const Pose& b) override {
    AnyContact contact;
    world_.contactPairTest(&a_.at(a), &b_.at(b), contact);
    return contact.found;
  }

 private:
  GImpactMesh a_, b_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btCollisionWorld world_{&dispatcher_, &broad_, &configuration_};
  btGImpactCollisionAlgorithm::CreateFunc create_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeGImpact(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<GImpact>(a, b);
}

}  // namespace nearmiss::bench
