// SPDX-License-Identifier: MIT
/// Meshes and poses in FCL's form.
#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

namespace nearmiss::bench {

template <class Volume>
void putIntoFcl(const TriangleMesh& mesh, fcl::BVHModel<Volume>& model) {
  using S = typename Volume::S;
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

template <class S>
fcl::Transform3<S> fclTransformOf(const Pose& pose) {
  fcl::Transform3<double> transform = fcl::Transform3<double>::Identity();
  transform.linear() =
      Eigen::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z)
          .toRotationMatrix();
  transform.translation() << pose.position.x, pose.position.y, pose.position.z;
  return transform.cast<S>();
}

}  // namespace nearmiss::bench
