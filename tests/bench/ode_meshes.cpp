// SPDX-License-Identifier: MIT
#include <ode/ode.h>

#include <vector>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

class OdeMesh {
 public:
  explicit OdeMesh(const TriangleMesh& mesh) : data_(dGeomTriMeshDataCreate()) {
    for (const Vec3& p : mesh.positions)
      for (int axis = 0; axis < 3; ++axis) positions_.push_back(static_cast<float>(p[axis]));
    for (const auto& triangle : mesh.triangles)
      indices_.insert(indices_.end(), triangle.begin(), triangle.end());
    dGeomTriMeshDataBuildSingle(data_, positions_.data(), 3 * sizeof(float),
                                static_cast<int>(mesh.positions.size()), indices_.data(),
                                static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
    geometry_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
  }
  OdeMesh(const OdeMesh&) = delete;
  OdeMesh& operator=(const OdeMesh&) = delete;
  ~OdeMesh() {
    dGeomDestroy(geometry_);
    dGeomTriMeshDataDestroy(data_);
  }
  [[nodiscard]] dGeomID at(const Pose& pose) {
    const dQuaternion rotation{pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    dGeomSetQuaternion(geometry_, rotation);
    dGeomSetPosition(geometry_, pose.position.x, pose.position.y, pose.position.z);
    return geometry_;
  }

 private:
  std::vector<float> positions_;
  std::vector<dTriIndex> indices_;
  dTriMeshDataID data_;
  dGeomID geometry_;
};

class OdeTrimesh final : public MeshPeer {
 public:
  OdeTrimesh(const TriangleMesh& a, const TriangleMesh& b) : a_(a), b_(b) {}
  bool meet(const Pose& a, const Pose& b) override {
    dContactGeom contact;
    return dCollide(a_.at(a), b_.at(b), 1 | CONTACTS_UNIMPORTANT, &contact, sizeof contact) != 0;
  }

 private:
  OdeMesh a_, b_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeOdeTrimesh(const TriangleMesh& a, const TriangleMesh& b) {
  static const bool ready = dInitODE2(0) != 0;
  if (!ready) return nullptr;
  return std::make_unique<OdeTrimesh>(a, b);
}

}  // namespace nearmiss::bench
