// SPDX-License-Identifier: MIT
/// FCL's test of two meshes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/triangle_mesh.h>

#include <memory>

namespace nearmiss::bench {

/// A mesh under oriented boxes and rectangle swept spheres, FCL's fastest for this.
class FclMesh {
 public:
  explicit FclMesh(const TriangleMesh& mesh);
  ~FclMesh();
  FclMesh(FclMesh&&) noexcept;

  /// Whether the surfaces meet; stops at the first contact.
  [[nodiscard]] static bool meet(const FclMesh& a, const Pose& poseA, const FclMesh& b,
                                 const Pose& poseB);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace nearmiss::bench
