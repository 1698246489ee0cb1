// SPDX-License-Identifier: MIT
#include "fcl_pairs.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

namespace nearmiss::bench {
namespace {

fcl::Transform3d transformOf(const Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() =
      Eigen::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z)
          .toRotationMatrix();
  transform.translation() << pose.position.x, pose.position.y, pose.position.z;
  return transform;
}

}  // namespace

struct FclMesh::Model {
  fcl::BVHModel<fcl::OBBRSSd> tree;
};

FclMesh::FclMesh(const TriangleMesh& mesh) : model_(std::make_unique<Model>()) {
  auto& tree = model_->tree;
  tree.beginModel(static_cast<int>(mesh.triangles.size()), static_cast<int>(mesh.positions.size()));
  const auto point = [&mesh](std::uint32_t vertex) {
    const Vec3& p = mesh.positions[vertex];
    return fcl::Vector3d(p.x, p.y, p.z);
  };
  for (const auto& t : mesh.triangles) tree.addTriangle(point(t[0]), point(t[1]), point(t[2]));
  tree.endModel();
}
FclMesh::~FclMesh() = default;
FclMesh::FclMesh(FclMesh&&) noexcept = default;

bool FclMesh::meet(const FclMesh& a, const Pose& poseA, const FclMesh& b, const Pose& poseB) {
  const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  return fcl::collide(&a.model_->tree, transformOf(poseA), &b.model_->tree, transformOf(poseB),
                      request, result) != 0;
}

}  // namespace nearmiss::bench
