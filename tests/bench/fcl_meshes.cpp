// SPDX-License-Identifier: MIT
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <nearmiss/triangle_intersection.h>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

template <class Volume>
class FclMeshes final : public MeshPeer {
 public:
  using S = typename Volume::S;
  using Model = fcl::BVHModel<Volume>;

  FclMeshes(const TriangleMesh& a, const TriangleMesh& b) {
    put(a, a_);
    put(b, b_);
  }
  bool meet(const Pose& a, const Pose& b) override {
    const fcl::CollisionRequest<S> request(1, false);
    fcl::CollisionResult<S> result;
    return fcl::collide(&a_, transformOf(a), &b_, transformOf(b), request, result) != 0;
  }

 private:
  static void put(const TriangleMesh& mesh, Model& model) {
    model.beginModel(static_cast<int>(mesh.triangles.size()),
                     static_cast<int>(mesh.positions.size()));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle corners = mesh.corners(t);
      const auto point = [&](std::size_t k) -> fcl::Vector3<S> {
        return fcl::Vector3<double>(corners[k].x, corners[k].y, corners[k].z).template cast<S>();
      };
      model.addTriangle(point(0), point(1), point(2));
    }
    model.endModel();
  }
  static fcl::Transform3<S> transformOf(const Pose& pose) {
    fcl::Transform3<double> transform = fcl::Transform3<double>::Identity();
    transform.linear() =
        Eigen::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z)
            .toRotationMatrix();
    transform.translation() << pose.position.x, pose.position.y, pose.position.z;
    return transform.cast<S>();
  }

  Model a_, b_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeFclObbRss(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBBRSS<double>>>(a, b);
}
std::unique_ptr<MeshPeer> makeFclObb(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBB<double>>>(a, b);
}
std::unique_ptr<MeshPeer> makeFclOwnFlags(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<FclMeshes<fcl::OBBRSS<float>>>(a, b);
}

}  // namespace nearmiss::bench
